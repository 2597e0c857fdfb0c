"""Parameter lists of a race: each command once for each value, as ``--parameter threads=1,2,4`` fills ``@threads@``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from headtohead.model.errors import WordsError

MOST_COMMANDS = 26
RESERVED = ("port", "seconds", "run", "path")
"""Words that a run fills."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
_VALUE = re.compile(r"[A-Za-z0-9._:/+=%-]{1,100}")


def parameters_of(texts: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the values of each parameter, in their order; raises WordsError for a text that is not NAME=VALUE,VALUE.

    >>> parameters_of(["threads=1,2", "level=fast"])
    {'threads': ('1', '2'), 'level': ('fast',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, equals, listed = text.partition("=")
        values = tuple(listed.split(","))
        if not equals or not _NAME.fullmatch(name) or len(set(values)) < len(values):
            raise WordsError(
                f"--parameter {text}",
                why="It is a name of small letters, =, and different values with commas between them.",
                remedy="Write --parameter threads=1,2,4.",
            )
        if name in RESERVED or name in found:
            why = "It is there twice." if name in found else f"A run itself fills {', '.join(RESERVED)}."
            raise WordsError(f"--parameter {name}", why=why, remedy="Write another name.")
        for value in values:
            if not _VALUE.fullmatch(value):
                why = "A value has letters, digits and ._:/+=%-, no spaces and no quotes."
                raise WordsError(f"--parameter {name}, value {value!r}", why=why, remedy="Write another value.")
        found[name] = values
    return found


def values_of_each(
    commands: Sequence[str], parameters: Mapping[str, tuple[str, ...]], *, others: Sequence[str] = ()
) -> list[list[Mapping[str, str]]]:
    """Return, for each command, the values with which it runs: those of the parameters that it or ``others`` name.

    Raises WordsError for a parameter that nothing names, and for too many commands in all.
    """
    named = [
        {name: values for name, values in parameters.items() if any(f"@{name}@" in text for text in (each, *others))}
        for each in commands
    ]
    unused = [name for name in parameters if not any(name in each for each in named)]
    if unused:
        remedy = f"Write @{unused[0]}@ where a command takes it."
        raise WordsError(f"No @{unused[0]}@ in any command", why="--parameter fills it.", remedy=remedy)
    found = [list(_combinations(each)) for each in named]
    count = sum(map(len, found))
    if count > MOST_COMMANDS:
        why = f"These are {count} commands; a race has at most {MOST_COMMANDS}."
        raise WordsError("--parameter with too many values", why=why, remedy="Give fewer values.")
    return found


def _combinations(parameters: Mapping[str, tuple[str, ...]]) -> Iterator[Mapping[str, str]]:
    for values in product(*parameters.values()):
        yield dict(zip(parameters, values, strict=True))
