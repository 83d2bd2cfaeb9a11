"""Laws of the order inside a family."""

import re

import pytest
from attrs import evolve
from hypothesis import assume, example, given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.models import (
    awkward_ids,
    candidates,
    model_ids,
    spelled_ids,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Dialect, Family
from native_web_search.domain.model_name import TIERS, VARIANTS, Brand, ModelName, model_name
from native_web_search.domain.ranking import preference_key

RANK = slice(0, 6)  # the slots of a key that stand before the names
MERIT = slice(0, 5)  # the same without the extra words

tiered = st.sampled_from([("gpt", *TIERS[Brand.OPENAI]), ("claude", *TIERS[Brand.CLAUDE])])
untiered = st.sampled_from(["deepseek", "gemini", "gemma", "glm", "grok"])
versions = st.tuples(st.integers(0, 29), st.integers(0, 29))
dates = st.sampled_from(
    ["20250514", "2024-11-20", "0731", "10-2025", "04-2026", "preview-12-06", "2024-08"]
)
sizes = st.sampled_from(["120b", "26b-a4b", "8x7b", "32k", "1t", "405b"])


def _of(model_id: str, provider: str = "p") -> Candidate:
    return Candidate(ChatModel(provider, model_id), Family.ANTHROPIC, Dialect.NATIVE)


def _key(model_id: str) -> tuple[object, ...]:
    return preference_key(_of(model_id))


def _dotted(version: tuple[int, int]) -> str:
    return "{}.{}".format(*version)


class TestTheOrderIsTotal:
    """Any two models of a family have an order, and only the same model ties with itself."""

    @pytest.mark.rule("ranking.13")
    @given(model_ids())
    @example("")
    @example("gpt-٥")
    def test_no_id_raises(self, model_id: str) -> None:
        """Every id has a key that compares with every other."""
        assert sorted([_key(model_id), _key("gpt-5"), _key("")])

    @pytest.mark.rule("ranking.14")
    @given(candidates(), candidates())
    def test_equal_keys_mean_the_same_model(self, one: Candidate, other: Candidate) -> None:
        """Models that differ by provider, id, base URL or api have different keys."""
        names = [
            (c.model.provider, c.model.id, c.model.base_url, c.model.api) for c in (one, other)
        ]

        assert (preference_key(one) == preference_key(other)) == (names[0] == names[1])

    @pytest.mark.rule("ranking.5")
    @given(model_ids(), st.text(max_size=4), st.text(max_size=4))
    def test_names_end_every_tie(self, model_id: str, one: str, other: str) -> None:
        """Of two models with the same id the smaller `provider/id@baseUrl` is asked first."""
        ours, theirs = _of(model_id, one), _of(model_id, other)
        assume(ours.model.key != theirs.model.key)

        smaller = min(ours, theirs, key=lambda candidate: candidate.model.key)

        assert min(ours, theirs, key=preference_key) == smaller


class TestIdsAreRead:
    """What an id says is read in it, in any of the usual spellings."""

    @pytest.mark.rule("ranking.6", "ranking.7", "ranking.8", "ranking.11", "ranking.12")
    @given(spelled_ids())
    def test_spelled_ids_are_read_back(self, spelled: tuple[str, ModelName]) -> None:
        """Brand, version, tier or variant and the number of extras come back."""
        model_id, name = spelled

        assert model_name(model_id) == name

    @pytest.mark.rule("ranking.9")
    @given(tiered, st.none() | st.tuples(st.integers(0, 9), st.integers(1, 9)), dates | sizes)
    def test_dates_and_sizes_are_no_versions(
        self, brand: tuple[str, ...], version: tuple[int, int] | None, noise: str
    ) -> None:
        """Neither adds a version, nor changes one."""
        plain = "-".join([brand[0], *([] if version is None else [_dotted(version)])])

        assert model_name(f"{plain}-{noise}").version == version

    @pytest.mark.rule("ranking.13")
    @given(awkward_ids() | st.text())
    def test_versions_are_small_numbers(self, model_id: str) -> None:
        """Whatever is read as a version stands in the id, in ASCII digits."""
        name = model_name(model_id)

        if name.version is not None:
            major, minor = name.version
            assert 0 <= major < 30
            assert 0 <= minor < 100
            assert str(major) in re.findall("[0-9]+", model_id)


class TestBrandComesFirst:
    """DeepSeek, OpenAI, Claude, Gemini and Gemma, others."""

    @pytest.mark.rule("ranking.1")
    @given(spelled_ids(), spelled_ids())
    def test_brands_decide(self, one: tuple[str, ModelName], other: tuple[str, ModelName]) -> None:
        """Nothing else matters between different brands."""
        assume(one[1].brand != other[1].brand)

        assert (_key(one[0]) < _key(other[0])) == (one[1].brand < other[1].brand)


class TestGptAndClaudeByVersion:
    """GPT and Claude: version, newest first, then tier."""

    @pytest.mark.rule("ranking.2", "ranking.4")
    @given(tiered, versions, versions, st.data())
    def test_newer_beats_any_tier(
        self,
        brand: tuple[str, ...],
        one: tuple[int, int],
        other: tuple[int, int],
        data: st.DataObject,
    ) -> None:
        """Of two versions the newer is asked first, whatever the tiers and extras."""
        assume(one != other)
        ends = st.sampled_from(["", "-batch", *(f"-{tier}" for tier in brand[1:])])

        ids = {each: f"{brand[0]}-{_dotted(each)}{data.draw(ends)}" for each in (one, other)}

        assert min(ids.values(), key=_key) == ids[max(one, other)]

    @pytest.mark.rule("ranking.2")
    @given(tiered, versions)
    def test_tiers_decide_within_a_version(
        self, brand: tuple[str, ...], version: tuple[int, int]
    ) -> None:
        """Tiers come in their order, and a model without one behind them."""
        name, *tiers = brand
        keys = [_key(f"{name}-{_dotted(version)}-{tier}") for tier in (*tiers, "mini")]

        assert keys == sorted(keys)

    @pytest.mark.rule("ranking.4")
    @given(tiered, versions)
    def test_no_version_is_the_oldest(
        self, brand: tuple[str, ...], version: tuple[int, int]
    ) -> None:
        """A model that names no version follows all that do."""
        assert _key(f"{brand[0]}-{_dotted(version)}-x-y") < _key(f"{brand[0]}-{brand[1]}")


class TestOthersByVariant:
    """All other brands: flash, base, pro; then version, newest first."""

    @pytest.mark.rule("ranking.3")
    @given(untiered, versions, versions)
    def test_variants_decide(self, name: str, one: tuple[int, int], other: tuple[int, int]) -> None:
        """No version makes up for the variant."""
        flash, base, pro = VARIANTS

        assert _key(f"{name}-{_dotted(one)}-{flash}") < _key(f"{name}-{_dotted(other)}-plain")
        assert _key(f"{name}-{_dotted(one)}-{base}") < _key(f"{name}-{_dotted(other)}-{pro}")

    @pytest.mark.rule("ranking.3", "ranking.4")
    @given(untiered, st.sampled_from(VARIANTS), versions, versions)
    def test_newer_first_within_a_variant(
        self, name: str, variant: str, one: tuple[int, int], other: tuple[int, int]
    ) -> None:
        """Of two versions of a variant the newer is asked first."""
        assume(one != other)
        ids = {each: f"{name}-{variant}-{_dotted(each)}" for each in (one, other)}

        assert min(ids.values(), key=_key) == ids[max(one, other)]


class TestSpellingDoesNotMatter:
    """Prefixes and decimal marks do not change the rank."""

    @pytest.mark.rule("ranking.7")
    @given(model_ids(), st.sampled_from(["vendor/", "~vendor/", "accounts/x/models/", "a/b/c/"]))
    def test_prefixes(self, model_id: str, prefix: str) -> None:
        """A vendor in front of the id leaves everything else as it was."""
        assert _key(prefix + model_id)[RANK] == _key(model_id)[RANK]

    @pytest.mark.rule("ranking.8")
    @given(st.sampled_from(["gpt", "claude-opus", "gemini", "glm"]), versions)
    def test_decimal_marks(self, name: str, version: tuple[int, int]) -> None:
        """`4.1`, `4-1` and `4p1` rank alike."""
        major, minor = version
        ranks = {_key(f"{name}-{major}{mark}{minor}")[RANK] for mark in ".-p"}

        assert len(ranks) == 1


class TestPlainIdsLeadTheirTwins:
    """Among equals the id with fewer extra words is asked first."""

    @pytest.mark.rule("ranking.5")
    @given(spelled_ids(), st.sampled_from(["batch", "preview", "fast", "free", "20250514"]))
    def test_a_suffix_sends_behind(self, spelled: tuple[str, ModelName], suffix: str) -> None:
        """A word that says nothing changes no merit, but puts a model behind its plain twin."""
        plain = spelled[0].removesuffix("-v1:0")
        twin = f"{plain}-{suffix}"

        assert _key(twin)[MERIT] == _key(plain)[MERIT]
        assert _key(plain) < _key(twin)
        assert evolve(model_name(twin), extras=0) == evolve(model_name(plain), extras=0)
