"""Templates: replace each ``@name@`` with its value in the run, ``@one*other@`` with a product."""

import math
import re
from collections.abc import Mapping

from headtohead.model.errors import WordsError
from headtohead.model.quantity import Scalar, scalar_text

NAME = re.compile(r"@([a-z0-9_-]+(?:\*[a-z0-9_-]+)*)@")


def fill(text: str, words: Mapping[str, Scalar], *, where: str) -> str:
    """Return ``text`` with every ``@name@`` replaced; raises WordsError if a name is not known.

    >>> fill("listen @port@;", {"port": 8080}, where="nginx.conf.in")
    'listen 8080;'
    >>> fill("MaxRequestWorkers @workers*threads@", {"workers": 2, "threads": 256}, where="httpd.conf.in")
    'MaxRequestWorkers 512'
    """

    def word(match: re.Match[str]) -> str:
        values = [value(name) for name in match[1].split("*")]
        if len(values) == 1:
            return scalar_text(values[0])
        numbers = [each for each in values if not isinstance(each, str | bool)]
        if len(numbers) < len(values):
            why = "Only numbers can be multiplied."
            raise WordsError(f"{where} multiplies what is not a number: {match[0]}", why=why, remedy="Use numbers.")
        return scalar_text(math.prod(numbers))

    def value(name: str) -> Scalar:
        if name not in words:
            raise WordsError(
                f"{where} uses the unknown @{name}@",
                why="The run has no such word here.",
                remedy=f"Use one of {', '.join(f'@{each}@' for each in sorted(words))}.",
            )
        return words[name]

    return NAME.sub(word, text)


def fill_argv(argv: tuple[str, ...], words: Mapping[str, Scalar], *, where: str) -> list[str]:
    """Return the arguments with every ``@name@`` replaced."""
    return [fill(argument, words, where=where) for argument in argv]


def names(argv: tuple[str, ...]) -> frozenset[str]:
    """Return the names that the arguments use.

    >>> sorted(names(("speed", "@seconds@", "rsa@bits@")))
    ['bits', 'seconds']
    """
    return frozenset(name for argument in argv for found in NAME.findall(argument) for name in found.split("*"))
