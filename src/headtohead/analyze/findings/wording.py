"""Parts of sentences that findings share."""

from headtohead.model.case import Case


def at(case: Case | str) -> str:
    """Return the place of a finding: " in connections=10", or "" if there is one case without fields."""
    return f" in {case}" if case else ""


def percent(share: float) -> str:
    """Return a share as text.

    >>> percent(0.051), percent(0.51)
    ('5.1 %', '51 %')
    """
    return f"{100 * share:.1f} %" if abs(share) < 0.1 else f"{100 * share:.0f} %"


def rose_or_fell(change: float) -> str:
    """Return what values did that changed by this share.

    >>> rose_or_fell(-0.28)
    'fell by 28 %'
    """
    return f"{'rose' if change > 0 else 'fell'} by {percent(abs(change))}"
