"""Texts spoiled at random from a seed: so often as a test says and, as `make fuzz` and `make test` set, for a time."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from random import Random

SECONDS, SEED = "H2H_FUZZ_S", "H2H_FUZZ_SEED"
MOST_CPU_S = 5.0
"""For reading one text: CPU time, which other programs do not lengthen."""
PIECES = (
    *('"', "'", '"""', "[", "]", "[[", "{", "}", "=", ".", ",", "\\", "\n", "\r", "\0", "#", "-"),
    *("1e999", "nan", "0x", "é"),
)

NUMBER = re.compile(r"(?<![\w.\"-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.\"])")
EXTREMES = (
    *("0", "-1", "1", "0.5", "1e-320", "1e-9", "1e15", "1e29", "1e308", "-1e308", "9223372036854775807"),
    *("18446744073709551616", "null", "true", '"x"', "[]", "{}"),
)


def numbers_spoiled(text: str, chance: Random) -> str:
    """Return the text with one or two of its numbers replaced by extreme ones, or by another kind of value."""
    for _ in range(chance.randrange(1, 3)):
        if numbers := list(NUMBER.finditer(text)):
            found = chance.choice(numbers)
            text = text[: found.start()] + chance.choice(EXTREMES) + text[found.end() :]
    return text


def spoiled(text: str, chance: Random) -> str:
    """Return the text with one to four pieces taken out, put in, or repeated."""
    for _ in range(chance.randrange(1, 5)):
        at, length = chance.randrange(len(text) + 1), chance.randrange(12)
        put = chance.choice((chance.choice(PIECES), text[at : at + length] * 2, ""))
        text = text[:at] + put + text[at + (length if chance.random() < 0.5 else 0) :]
    return text


def spoilings(name: str, text: str, *, times: int, spoil: Callable[[str, Random], str] = spoiled) -> Iterator[str]:
    """Yield spoiled texts; each must be read before the next is requested. Print how many there were."""
    seconds, seed = os.environ.get(SECONDS), os.environ.get(SEED, "3")
    chance, ends_s = Random(f"{name} {seed}"), time.monotonic() + float(seconds or 0)
    began_s, done, longest_s = time.process_time(), 0, 0.0
    while done < times or time.monotonic() < ends_s:
        each = spoil(text, chance)
        before_s = time.process_time()
        yield each
        longest_s = max(longest_s, time.process_time() - before_s)
        assert longest_s < MOST_CPU_S, f"{name}: one took {longest_s:.1f} s of CPU, seed {seed}: {each!r}"
        done += 1
    each_s = done / max(1e-9, time.process_time() - began_s)
    sys.stdout.write(
        f"{name}: {done} spoiled inputs, {each_s:.0f} for each second of CPU, the slowest {longest_s * 1e6:.0f} us,"
        f" seed {seed}\n"
    )
