"""Where pi keeps its files."""

from collections.abc import Mapping
from pathlib import Path

from native_web_search.adapters.stores.location import FILE_NAME, expanded_path

VARIABLE = "PI_CODING_AGENT_DIR"
USUAL = "~/.pi/agent"


def agent_folder(environ: Mapping[str, str]) -> Path:
    """Pi's agent folder, which need not exist."""
    return expanded_path(environ.get(VARIABLE, "").strip() or USUAL, environ)


def pi_preference_path(environ: Mapping[str, str]) -> Path:
    """Where preferences are kept by default for models that are pi's."""
    return agent_folder(environ) / FILE_NAME
