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

from typing import TypeAlias

from native_web_search.domain.family import Candidate
from native_web_search.domain.model_name import BASE, TIERS, VARIANTS, Version, model_name

PreferenceKey: TypeAlias = tuple[int, int, int, int, int, int, str, str, str, str]

_NO_VERSION = (1, 0)  # behind every negated version
_VARIANT_RANK = {variant: rank for rank, variant in enumerate(VARIANTS)}
_TIER_RANK = {tier: rank for tiers in TIERS.values() for rank, tier in enumerate(tiers)}
_NO_TIER = len(_TIER_RANK)


def preference_key(candidate: Candidate) -> PreferenceKey:
    """The sort key of a candidate inside its family; smaller is asked first.

    Slots: brand; variant (0 where the brand has tiers); major and minor version, negated; tier (0
    where the brand has variants); extra words; `provider/id@baseUrl`; and provider, id and api,
    because two models can share that text. Candidates with equal keys are the same to us.
    """
    model = candidate.model
    name = model_name(model.id)
    major, minor = _NO_VERSION if name.version is None else _negated(name.version)
    tier = variant = 0
    if name.brand in TIERS:
        tier = _NO_TIER if name.grade is None else _TIER_RANK[name.grade]
    else:
        variant = _VARIANT_RANK[name.grade or BASE]
    rank = (name.brand, variant, major, minor, tier, name.extras)
    return (*rank, model.key, model.provider, model.id, model.api)


def _negated(version: Version) -> Version:
    major, minor = version
    return -major, -minor
