"""Telling short values from long ones, without looking at the same thing again and again."""

from attrs import define, field

from native_web_search.domain.json_text import written

LOOK_AHEAD = 2  # times the length asked for


@define
class Measure:
    """The texts of values that are short enough, for the time of one truncation.

    A container that is too long is looked into farther than asked for, and what that shows about
    the containers inside is remembered. So a chain of containers, each in the one before, is read
    a constant number of times, not from every link to far below.
    """

    _longer: dict[int, int] = field(factory=dict)  # by `id`: a length that the text exceeds

    def text(self, value: object, cap: int) -> str | None:
        """The text of a value, or None if it is longer than `cap`."""
        if self._longer.get(id(value), -1) >= cap:
            return None
        ahead = cap if isinstance(value, str) else LOOK_AHEAD * cap
        text = written(value, ahead, longer=self._longer)
        return text if text is not None and len(text) <= cap else None
