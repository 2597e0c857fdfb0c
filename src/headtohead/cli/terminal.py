"""How text looks where it goes: as wide as the terminal, in color on one, and 100 columns without color in a pipe."""

import os
import textwrap
from typing import TextIO, TypedDict

NARROWEST, WIDEST = 60, 200


class Look(TypedDict):
    """The width in columns, None for that of a pipe, and whether there is color."""

    width: int | None
    color: bool


def look(stream: TextIO) -> Look:
    """Return how text looks on a stream."""
    if not stream.isatty():
        return Look(width=None, color=False)
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        columns = 0
    return Look(width=min(max(columns, NARROWEST), WIDEST) if columns else None, color=True)


def wrapped(text: str, stream: TextIO) -> str:
    """Return a text in lines that the terminal does not break within a word; in a pipe, as it is."""
    width = look(stream)["width"]
    if width is None:
        return text
    lines = (
        textwrap.wrap(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) or [""]
        for line in text.splitlines()
    )
    return "\n".join(line for each in lines for line in each)
