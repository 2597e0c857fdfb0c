"""One of four verdicts from an interval and a margin (METHOD.md 3.4)."""

from dataclasses import dataclass

from headtohead.model import rules
from headtohead.model.analysis.comparison import Verdict
from headtohead.model.quantity import Better

MINIMUM = rules.FEWEST_BLOCKS


@dataclass(frozen=True)
class Ruling:
    """A verdict of the other treatment over the baseline, and why.

    ``at_least_margin``: the whole interval is beyond the margin. ``negligible``: same, although the interval excludes
    1.
    """

    verdict: Verdict
    because: str
    at_least_margin: bool = False
    negligible: bool = False


_NEVER = Ruling("inconclusive", "the metric is shown, never judged")
_OPEN = Ruling("inconclusive", "the interval holds 1 and reaches beyond the margin")


def ruling_on(low: float, high: float, *, matters: float, better: Better) -> Ruling:
    """Return the verdict on a ratio's interval; ``matters`` is the margin as a ratio (1.03), at least 1."""
    if better == "neither":
        return _NEVER
    leaves_out_1 = low > 1 or high < 1
    if 1 / matters < low and high < matters:
        because = "the interval lies within the margin"
        return Ruling("same", f"{because}, and leaves 1 out" if leaves_out_1 else because, negligible=leaves_out_1)
    if not leaves_out_1:
        return _OPEN
    verdict: Verdict = "better" if (low > 1) == (better == "higher") else "worse"
    beyond = low > matters or high < 1 / matters
    return Ruling(
        verdict,
        "the interval lies beyond the margin" if beyond else "the interval leaves 1 out",
        at_least_margin=beyond,
    )
