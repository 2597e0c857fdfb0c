"""What every experiment is looked through for, over all its runs."""

from collections.abc import Callable, Iterator

from headtohead.analyze.findings.builds_differ import builds_differ
from headtohead.analyze.findings.cases_missing import cases_missing
from headtohead.analyze.findings.cold_and_warm import cold_and_warm
from headtohead.analyze.findings.configurations_differ import configurations_differ
from headtohead.analyze.findings.debug_build import debug_build
from headtohead.analyze.findings.drift import drift
from headtohead.analyze.findings.environment import environment
from headtohead.analyze.findings.few_beyond import few_beyond
from headtohead.analyze.findings.invalid_share import invalid_share
from headtohead.analyze.findings.lines_in_flight import lines_in_flight
from headtohead.analyze.findings.looks_cut import looks_cut
from headtohead.analyze.findings.loose_error import loose_error
from headtohead.analyze.findings.lopsided import lopsided
from headtohead.analyze.findings.machine_untold import machine_untold
from headtohead.analyze.findings.often import often
from headtohead.analyze.findings.other_cpus import other_cpus
from headtohead.analyze.findings.outliers import outliers
from headtohead.analyze.findings.position import position
from headtohead.analyze.findings.refused import refused
from headtohead.analyze.findings.same_order import same_order
from headtohead.analyze.findings.saturated_times import saturated_times
from headtohead.analyze.findings.settling import settling
from headtohead.analyze.findings.start_apart import start_apart
from headtohead.analyze.findings.subset import subset
from headtohead.analyze.findings.these_alone import these_alone
from headtohead.analyze.findings.time_spent import time_spent
from headtohead.analyze.findings.timeouts_dropped import timeouts_dropped
from headtohead.analyze.findings.too_short import too_short
from headtohead.analyze.findings.tuned_unlike import tuned_unlike
from headtohead.analyze.findings.unlike_answers import unlike_answers
from headtohead.analyze.findings.unlike_service import unlike_service
from headtohead.analyze.findings.unsaturated import unsaturated
from headtohead.analyze.findings.unsteady_runs import unsteady_runs
from headtohead.analyze.findings.version_unknown import version_unknown
from headtohead.analyze.findings.versions import versions
from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.findings.worse_elsewhere import worse_elsewhere
from headtohead.analyze.verdicts.invalidate import forbids
from headtohead.model.finding import Finding

LOOKS_FOR: tuple[Callable[[Whole], Iterator[Finding]], ...] = (
    machine_untold,
    loose_error,
    subset,
    unlike_service,
    unlike_answers,
    cold_and_warm,
    builds_differ,
    debug_build,
    environment,
    other_cpus,
    same_order,
    invalid_share,
    lopsided,
    cases_missing,
    few_beyond,
    saturated_times,
    timeouts_dropped,
    versions,
    version_unknown,
    tuned_unlike,
    worse_elsewhere,
    these_alone,
    unsaturated,
    too_short,
    looks_cut,
    position,
    settling,
    unsteady_runs,
    time_spent,
    often,
    drift,
    outliers,
    start_apart,
    configurations_differ,
    refused,
    lines_in_flight,
)
"""In the order in which findings are told: doubts about the claim before notes about the machine.

Those that are invalid forbid the verdicts that they are about (``analyze.withhold``).
"""


OF_A_VERDICT = ("worse-elsewhere", "these-alone")
"""What says something of who is ahead, and is nothing to say where nobody may be called so."""


def findings(whole: Whole) -> tuple[Finding, ...]:
    """Return all that was noticed about the experiment; of a verdict that is forbidden, nothing that rests on it."""
    found = [finding for look in LOOKS_FOR for finding in look(whole)]
    return tuple(each for each in found if each.id not in OF_A_VERDICT or forbids(found, *each.of) is None)
