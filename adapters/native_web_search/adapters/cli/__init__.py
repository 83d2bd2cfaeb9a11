"""The command `native-web-search`."""

import sys

from native_web_search.adapters.cli.output import careful_output

MISSING_EXTRA = 2


def main() -> None:
    """Run the command line, or say how to install what it needs."""
    try:
        from native_web_search.adapters.cli.app import app  # an optional extra
    except ModuleNotFoundError as missing:
        if missing.name not in {"rich", "typer"}:
            raise
        print(
            "The command line needs an extra: pip install 'native-web-search[cli]'", file=sys.stderr
        )
        sys.exit(MISSING_EXTRA)
    with careful_output():
        app(prog_name="native-web-search")
