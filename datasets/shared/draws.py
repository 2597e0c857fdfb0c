"""Draws made from ``random.random()`` and integers alone, so that a seed gives the same bytes everywhere."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from random import Random

ONSETS = ("b", "br", "c", "ch", "d", "f", "g", "h", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v", "w")
VOWELS = ("a", "e", "i", "o", "u", "ea", "ou")
ENDS = ("", "", "", "l", "n", "r", "s", "t", "nd", "st")
MOST_SYLLABLES, WORDS_A_SYLLABLE = 4, 150


def draw(rng: Random, count: int) -> int:
    """Return a number from 0 to ``count`` - 1, each as likely."""
    return int(rng.random() * count)


def running_sums(weights: Iterable[int]) -> list[int]:
    """Return the running sums of integer weights."""
    sums, total = list[int](), 0
    for weight in weights:
        total += weight
        sums.append(total)
    return sums


def zipf_sums(count: int) -> list[int]:
    """Return the running sums of Zipf's weights, 1 / rank in integers."""
    return running_sums(10_000_000 // rank for rank in range(1, count + 1))


def ranked(rng: Random, sums: Sequence[int]) -> int:
    """Return an index from 0, drawn by the weights of which ``sums`` are the running sums."""
    return bisect_right(sums, draw(rng, sums[-1]))


def make_word(rng: Random, *, syllables: int, vowels: Sequence[str] = VOWELS) -> str:
    """Return a word in lower case."""
    return "".join(kind[draw(rng, len(kind))] for _ in range(syllables) for kind in (ONSETS, vowels, ENDS))


def make_words(rng: Random, count: int, *, vowels: Sequence[str] = VOWELS) -> list[str]:
    """Return different words of one to four syllables, the short ones first, as frequent words are short."""
    words = dict[str, None]()
    while len(words) < count:
        syllables = 1 + draw(rng, min(MOST_SYLLABLES, 1 + len(words) // WORDS_A_SYLLABLE))
        words[make_word(rng, syllables=syllables, vowels=vowels)] = None
    return list(words)
