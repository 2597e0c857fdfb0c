"""The text of a query: one statement, with a ``?`` for each of its parameters."""

import re

from headtohead.describe.toml.position import Place, clipped

_QUOTED = re.compile(r"""(['"`])(.*?)(\1|\Z)""", re.DOTALL)
"""From one quote to the next. One that is written twice, within a text, reads as the end of one and another's begin."""

_NUMBERED = re.compile(r"\$[0-9]+")


def check_text(text: str, *, parameters: int, place: Place) -> None:
    """Raise WordsError unless a text is one statement with so many ``?``, none of them in quotes."""
    _check_quotes(text, place)
    bare = _QUOTED.sub("''", text)
    if ";" in bare:
        why = "A query is one statement, prepared once a connection; it ends where its text does."
        raise place.wrong("a semicolon", why=why, remedy="Remove it, or make a [[query]] of each statement.")
    numbered = _NUMBERED.search(bare)
    if numbered:
        why = "What stands for a parameter is ?, whatever a protocol makes of it."
        raise place.wrong(f"{numbered.group()} stands for nothing", why=why, remedy="Write ? in its place.")
    marks = bare.count("?")
    if marks != parameters:
        why = f"Each ? stands for one parameter, in their order. ? in the text: {marks}; parameters: {parameters}."
        raise place.wrong("parameters that do not fit", why=why, remedy="Write as many ? as parameters.")


def _check_quotes(text: str, place: Place) -> None:
    for quoted in _QUOTED.finditer(text):
        shown = clipped(quoted.group())
        if not quoted.group(3):
            why = f"Nothing closes {shown}"
            raise place.wrong("an open quote", why=f"{why}.", remedy="Close it; write one within a text twice.")
        if "?" in quoted.group(2):
            why = f"It stands for a parameter, and in {shown} it would be a letter."
            raise place.wrong("a ? in quotes", why=why, remedy="Give the whole text as a parameter.")
