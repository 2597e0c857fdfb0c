"""The effective configuration of a subject (``configuration.tsv``): lines of name, value and default."""

import re
from collections.abc import Iterable, Iterator

from headtohead.model.record import Setting

MOST_BYTES = 1024 * 1024
"""MariaDB's thousand variables take 60 KB."""
LONGEST_NAME = 200
FIELDS = 3
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f]")
"""A control character other than the tab between fields."""


def settings(text: str) -> tuple[Setting, ...]:
    r"""Return the settings in a text, in its order; ValueError names the first line that is not one.

    A line is ``name<TAB>value<TAB>default``; the default may be left out.

    >>> settings("autocommit\tON\tON\n")
    (Setting(name='autocommit', value='ON', default='ON'),)
    """
    if len(text.encode()) > MOST_BYTES:
        raise ValueError(f"it is larger than {MOST_BYTES // 1024} KiB")
    return tuple(_settings(text))


def settings_text(listed: Iterable[Setting]) -> str:
    """Return the text that ``settings`` reads."""
    return "".join(f"{each.name}\t{each.value}\t{each.default}\n" for each in listed)


def _settings(text: str) -> Iterator[Setting]:
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        fields = line.split("\t")
        if not FIELDS - 1 <= len(fields) <= FIELDS or not 0 < len(fields[0]) <= LONGEST_NAME:
            raise ValueError(f"line {number} is not name, value and default with tabs between them: {line[:80]!r}")
        if _CONTROL.search(line):
            raise ValueError(f"line {number} holds a control character: {line[:80]!r}")
        if fields[0] in seen:
            raise ValueError(f"line {number} names {fields[0]} again")
        seen.add(fields[0])
        yield Setting(*fields)
