"""Templates: ``@name@`` replaced by what the run gives it; anything else is an error."""

import re
from collections.abc import Mapping

from headtohead.model.errors import WordsError
from headtohead.model.quantity import Scalar, scalar_text

NAME = re.compile(r"@([a-z0-9_-]+)@")


def fill(text: str, words: Mapping[str, Scalar], *, where: str) -> str:
    """Return ``text`` with every ``@name@`` replaced; WordsError where a name is not known.

    >>> fill("listen @port@;", {"port": 8080}, where="nginx.conf.in")
    'listen 8080;'
    """

    def word(match: re.Match[str]) -> str:
        name = match[1]
        if name not in words:
            raise WordsError(
                f"{where} asks for @{name}@",
                why="no such word is given to it.",
                remedy=f"Use one of {', '.join(f'@{each}@' for each in sorted(words))}.",
            )
        return scalar_text(words[name])

    return NAME.sub(word, text)


def fill_argv(argv: tuple[str, ...], words: Mapping[str, Scalar], *, where: str) -> list[str]:
    """Return the arguments with every ``@name@`` replaced."""
    return [fill(argument, words, where=where) for argument in argv]


def names(argv: tuple[str, ...]) -> frozenset[str]:
    """Return the names that the arguments ask for.

    >>> sorted(names(("speed", "@seconds@", "rsa@bits@")))
    ['bits', 'seconds']
    """
    return frozenset(name for argument in argv for name in NAME.findall(argument))
