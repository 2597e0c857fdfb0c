"""Words in a sentence: a capital letter, a number with its noun, a list, many parts of which the first are shown."""

from collections.abc import Sequence

MOST_JOINED = 5
"""The most setups or findings in one line; of more only the number is given."""


def capital(text: str) -> str:
    """Return the text with a capital first letter, the others as they are."""
    return f"{text[:1].upper()}{text[1:]}"


def lower_first(text: str) -> str:
    """Return the text with a small first letter, the others as they are."""
    return f"{text[:1].lower()}{text[1:]}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> plural(1, "block"), plural(6, "block"), plural(2, "copy", "copies")
    ('1 block', '6 blocks', '2 copies')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: list[str]) -> str:
    """Return words as a list in a sentence: ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def joined(parts: Sequence[str], *, rest: str = "in the tables") -> str:
    """Return parts as one sentence; of many the first ones, and where the others are."""
    if not parts:
        return ""
    more = f"; {len(parts) - MOST_JOINED} more {rest}" if len(parts) > MOST_JOINED else ""
    return f"{'; '.join(parts[:MOST_JOINED])}{more}."
