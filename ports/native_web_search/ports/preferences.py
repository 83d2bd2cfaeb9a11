"""Where the remembered preferences are kept."""

from typing import Protocol

from native_web_search.domain.preference import Preferences


class PreferenceStore(Protocol):
    """A hint that survives the process. Losing it costs nothing but a detour."""

    def load(self) -> Preferences:
        """What is stored now; anything missing or unreadable is empty. Cheap: runs on every call,
        so that deleting the file takes effect at once. Never raises.
        """
        ...

    def save(self, preferences: Preferences) -> None:
        """Replace what is stored, whole or not at all. May block for a moment; called in a worker
        thread, only after a success that changed something. Raises `OSError` if it could not.
        """
        ...
