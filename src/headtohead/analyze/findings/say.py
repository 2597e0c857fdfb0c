"""How findings put their words, so that all of them put them alike."""

from headtohead.model.case import Case


def at(case: Case | str) -> str:
    """Return where it was seen: " in connections=10", or nothing where there is one case without fields."""
    return f" in {case}" if case else ""


def percent(share: float) -> str:
    """Return a share as people write it.

    >>> percent(0.051), percent(0.51)
    ('5.1 %', '51 %')
    """
    return f"{100 * share:.1f} %" if abs(share) < 0.1 else f"{100 * share:.0f} %"
