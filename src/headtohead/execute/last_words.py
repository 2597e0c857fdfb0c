"""The last output of a program, for an error text."""

from collections.abc import Sequence

LONGEST_LINE = 400
"""The number of characters of a program's last output that an error quotes."""


def last_words(lines: Sequence[str]) -> str:
    """Return the last lines that are not empty, as many as fit; the last one always, shortened at its end.

    >>> last_words(["Starting up.", "", "no space left on device."])
    'Starting up. / no space left on device'
    """
    words = ""
    for line in reversed([each.strip() for each in lines if each.strip()]):
        longer = f"{line} / {words}" if words else line[:LONGEST_LINE]
        if len(longer) > LONGEST_LINE:
            break
        words = longer
    return words.rstrip(".")
