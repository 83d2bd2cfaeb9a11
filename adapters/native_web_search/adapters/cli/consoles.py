"""Where the command line prints.

What is printed holds names and messages of others. They are printed as they are: brackets are no
markup, `:smile:` is no picture, numbers get no colour, and no line is broken.
"""

from rich.console import Console


def plain_console(*, stderr: bool = False, width: int | None = None) -> Console:
    """A console that changes nothing of what it is given; styles are said beside it."""
    return Console(
        stderr=stderr, width=width, markup=False, emoji=False, highlight=False, soft_wrap=True
    )
