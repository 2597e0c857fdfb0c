"""The text of a query: one statement, with a ``?`` for each of its parameters."""

import re

from headtohead.describe.toml.position import Place, clipped

_QUOTED = re.compile(r"""(['"`])(.*?)(\1|\Z)""", re.DOTALL)
"""From one quote to the next. A doubled quote inside a text matches as the end of one text and the start of another."""

_NUMBERED = re.compile(r"\$[0-9]+")


def check_text(text: str, *, parameters: int, place: Place) -> None:
    """Raise WordsError unless a text is one statement with one ``?`` per parameter, none of them in quotes."""
    _check_quotes(text, place)
    bare = _QUOTED.sub("''", text)
    if ";" in bare:
        why = "A query is one statement, which ends where its text ends."
        raise place.wrong("a semicolon", why=why, remedy="Remove it, or make a [[query]] of each statement.")
    numbered = _NUMBERED.search(bare)
    if numbered:
        why = "A parameter is written as ?, whatever the protocol uses."
        raise place.wrong(f"{numbered.group()} is not a parameter", why=why, remedy="Write ? in its place.")
    marks = bare.count("?")
    if marks != parameters:
        why = f"Each ? stands for one parameter, in order. ? in the text: {marks}; parameters: {parameters}."
        raise place.wrong(
            "the numbers of ? and of parameters differ", why=why, remedy="Write one ? for each parameter."
        )


def _check_quotes(text: str, place: Place) -> None:
    for quoted in _QUOTED.finditer(text):
        shown = clipped(quoted.group())
        if not quoted.group(3):
            why = f"Nothing closes {shown}"
            raise place.wrong("an open quote", why=f"{why}.", remedy="Close it; double a quote inside a text.")
        if "?" in quoted.group(2):
            why = f"A ? stands for a parameter, but in {shown} it would be an ordinary character."
            raise place.wrong("a ? in quotes", why=why, remedy="Give the whole text as a parameter.")
