"""The findings of a whole experiment: everything that is looked for over all its runs, in the order of reports."""

from collections.abc import Callable, Iterator

from headtohead.analyze.findings.between_runs.better_run_length import better_run_length
from headtohead.analyze.findings.between_runs.values_of_zero import values_of_zero
from headtohead.analyze.findings.between_runs.variation_and_outliers import outliers, variation
from headtohead.analyze.findings.cache_lines_in_flight import lines_in_flight
from headtohead.analyze.findings.changed_or_made_up_results import (
    marked_valid,
    more_than_passed,
    not_as_recorded,
    not_sealed,
)
from headtohead.analyze.findings.delayed_acknowledgments import waits_for_acknowledgments
from headtohead.analyze.findings.disturbances import slowed_from_apart
from headtohead.analyze.findings.excluded_runs_and_missing_cases import cases_missing, invalid_share, lopsided, refused
from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.littles_law_and_lost_timeouts import timeouts_dropped
from headtohead.analyze.findings.merge_doubts_of_runs import often
from headtohead.analyze.findings.over_time.carry_over import carry_over
from headtohead.analyze.findings.over_time.drift import drift
from headtohead.analyze.findings.over_time.place_and_order_in_block import position, same_order
from headtohead.analyze.findings.over_time.settling_within_runs import settling
from headtohead.analyze.findings.over_time.step_or_trend_of_setup import step, trend_of_setup
from headtohead.analyze.findings.over_time.trend_of_ratio import trend_of_ratio
from headtohead.analyze.findings.served_from_cache_or_disk import cold_and_warm
from headtohead.analyze.findings.study_design.interim_analyses_loose_or_cut import looks_cut, loose_error
from headtohead.analyze.findings.study_design.levels_named_in_question import other_levels
from headtohead.analyze.findings.study_design.load_unsuited_to_metric import (
    few_beyond,
    saturated_times,
    too_short,
    unsaturated,
)
from headtohead.analyze.findings.suite_means import subset, these_alone, worse_elsewhere
from headtohead.analyze.findings.tolerated_noise import noise_tolerated
from headtohead.analyze.findings.unlike_treatments.environment_and_cpus import environment, machine_untold, other_cpus
from headtohead.analyze.findings.unlike_treatments.service_and_settings import (
    configurations_differ,
    tuned_unlike,
    unlike_service,
)
from headtohead.analyze.findings.unlike_treatments.sizes_of_responses import unlike_answers
from headtohead.analyze.findings.unlike_treatments.starts_of_servers import not_restarted, start_apart
from headtohead.analyze.findings.unlike_treatments.versions_and_builds import (
    builds_differ,
    debug_build,
    version_unknown,
    versions,
)
from headtohead.analyze.verdicts.forbidden_verdicts import forbids
from headtohead.model.finding import Finding

LOOKS_FOR: tuple[Callable[[Whole], Iterator[Finding]], ...] = (
    not_as_recorded,
    marked_valid,
    noise_tolerated,
    not_sealed,
    more_than_passed,
    machine_untold,
    loose_error,
    subset,
    unlike_service,
    unlike_answers,
    cold_and_warm,
    builds_differ,
    debug_build,
    environment,
    not_restarted,
    other_cpus,
    slowed_from_apart,
    same_order,
    lopsided,
    invalid_share,
    cases_missing,
    values_of_zero,
    few_beyond,
    saturated_times,
    timeouts_dropped,
    versions,
    version_unknown,
    tuned_unlike,
    worse_elsewhere,
    these_alone,
    unsaturated,
    waits_for_acknowledgments,
    too_short,
    looks_cut,
    other_levels,
    trend_of_ratio,
    position,
    carry_over,
    settling,
    variation,
    better_run_length,
    often,
    drift,
    step,
    trend_of_setup,
    outliers,
    start_apart,
    configurations_differ,
    refused,
    lines_in_flight,
)
"""In the order of findings in reports: doubts about the claim before notes about the machine.

An invalid one forbids the verdicts that it is about (``forbidden_verdicts``).
"""


OF_A_VERDICT = ("worse-elsewhere", "these-alone")
"""Findings about a verdict, which are left out if that verdict is forbidden."""


def findings(whole: Whole) -> tuple[Finding, ...]:
    """Return all findings of the experiment, without those about a forbidden verdict."""
    found = [finding for look in LOOKS_FOR for finding in look(whole)]
    return tuple(each for each in found if each.id not in OF_A_VERDICT or forbids(found, *each.of) is None)
