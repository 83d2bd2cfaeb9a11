"""Which candidate of a family is asked before which.

The spirit is: what the user most likely wants to pay for a search. Search is a small task, so
among brands that sell a small and a large variant of everything, the small one comes first; among
those that renew their whole range with each version, the newest version comes first, and of its
tiers again the smallest. A family's gateways offer many brands over one protocol; the brands that
are cheapest to search with lead.

    brand              then                                       then
    -----------------  -----------------------------------------  --------------------
    OpenAI, Claude     version, newest first                      tier, smallest first
    DeepSeek, Gemini,  variant: flash, base, pro                  version, newest first
    all others

No version sorts behind every version, no named tier behind the named ones. Among equals the id
with fewer extra words leads, so that a plain id precedes its `-batch` or `-preview` twin. What is
then still equal is ordered by name, so that the order is total and the same on every machine.
"""

from collections.abc import Mapping
from typing import TypeAlias

from native_web_search.domain.family import Candidate
from native_web_search.domain.model_name import BASE, TIERS, VARIANTS, Brand, model_name

PreferenceKey: TypeAlias = tuple[int, int, int, int, int, int, str, str, str, str]

_NO_VERSION = (-1, 0)  # older than every version


def preference_key(candidate: Candidate) -> PreferenceKey:
    """The sort key of a candidate inside its family; smaller is asked first.

    Slots: brand; variant (0 where the brand has tiers); major and minor version, negated; tier (0
    where the brand has variants); extra words; `provider/id@baseUrl`; and provider, id and api,
    because two models can share that text. Candidates with equal keys are the same to us.
    """
    model = candidate.model
    name = model_name(model.id)
    variant, tier = _GRADE_SLOTS[name.brand][name.grade]
    major, minor = name.version or _NO_VERSION
    rank = name.brand, variant, -major, -minor, tier, name.extras
    return (*rank, model.key, model.provider, model.id, model.api)


def _grade_slots(brand: Brand) -> Mapping[str | None, tuple[int, int]]:
    """For each tier or variant of a brand, and for none, its two slots in the key."""
    if brand in TIERS:
        return {tier: (0, place) for place, tier in enumerate((*TIERS[brand], None))}
    slots: dict[str | None, tuple[int, int]]
    slots = {variant: (place, 0) for place, variant in enumerate(VARIANTS)}
    return slots | {None: slots[BASE]}


_GRADE_SLOTS = tuple(_grade_slots(brand) for brand in Brand)  # by brand
