"""Prose of invented words, and what counting its words and pairs of words comes to."""

from collections import Counter
from itertools import pairwise
from random import Random

from writing.draws import Ranked, draw, names

WORDS = 4000
LINE_WORDS = 12
MOST_FREQUENT = 500


def text(rng: Random, *, lines: int) -> str:
    """Return lines of twelve words; a sentence ends now and then, and the next word has a capital."""
    ranked = Ranked(rng, names(rng, WORDS))
    made, begins = [], True
    for _ in range(lines):
        words = []
        for _ in range(LINE_WORDS):
            word = ranked.draw()
            word = word.capitalize() if begins else word
            begins = draw(rng, 14) == 0
            words.append(f"{word}." if begins else word)
        made.append(" ".join(words))
    return "".join(f"{line}\n" for line in made)


def frequencies(prose: str) -> str:
    """Return the most frequent words in small letters, then pairs of words in one line, each with its count."""
    words: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for line in prose.lower().replace(".", "").splitlines():
        found = line.split()
        words.update(found)
        pairs.update(f"{first} {second}" for first, second in pairwise(found))
    return _first(words) + _first(pairs)


def _first(counts: Counter[str]) -> str:
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:MOST_FREQUENT]
    return "".join(f"{count} {what}\n" for what, count in ordered)
