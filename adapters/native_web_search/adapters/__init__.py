"""Everything that touches the world, and the functions that put it together."""

from native_web_search.adapters.compose import (
    open_blocking_web_search,
    open_pi_web_search,
    open_web_search,
)

__all__ = ["open_blocking_web_search", "open_pi_web_search", "open_web_search"]
