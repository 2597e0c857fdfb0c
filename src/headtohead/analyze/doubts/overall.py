"""What every experiment is looked through for, over all its runs."""

from collections.abc import Callable, Iterator

from headtohead.analyze.doubts.drift import drift
from headtohead.analyze.doubts.invalid_share import invalid_share
from headtohead.analyze.doubts.lines_in_flight import lines_in_flight
from headtohead.analyze.doubts.looks_cut import looks_cut
from headtohead.analyze.doubts.lopsided import lopsided
from headtohead.analyze.doubts.often import often
from headtohead.analyze.doubts.other_cpus import other_cpus
from headtohead.analyze.doubts.outliers import outliers
from headtohead.analyze.doubts.position import position
from headtohead.analyze.doubts.refused import refused
from headtohead.analyze.doubts.same_order import same_order
from headtohead.analyze.doubts.saturated_times import saturated_times
from headtohead.analyze.doubts.unlike_answers import unlike_answers
from headtohead.analyze.doubts.unsteady_runs import unsteady_runs
from headtohead.analyze.doubts.versions import versions
from headtohead.analyze.doubts.whole import Whole
from headtohead.model.finding import Finding

LOOKS_FOR: tuple[Callable[[Whole], Iterator[Finding]], ...] = (
    unlike_answers,
    other_cpus,
    same_order,
    invalid_share,
    lopsided,
    saturated_times,
    looks_cut,
    versions,
    position,
    unsteady_runs,
    often,
    drift,
    outliers,
    refused,
    lines_in_flight,
)
"""In the order in which findings are told: doubts about the claim before notes about the machine."""


def findings(whole: Whole) -> tuple[Finding, ...]:
    """Return all that was noticed about the experiment."""
    return tuple(finding for look in LOOKS_FOR for finding in look(whole))
