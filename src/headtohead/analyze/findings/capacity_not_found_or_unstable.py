"""Searches for a capacity that found none, or an unstable one."""

from collections.abc import Iterator, Mapping

from headtohead.analyze.capacity import bayesian_bisection
from headtohead.analyze.capacity.goodput_past_capacity import of_overload
from headtohead.analyze.capacity.objective import passes
from headtohead.analyze.capacity.search_result import search_of
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.runs.driver_schedule import driver_late
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import Scalar
from headtohead.model.record import LoadRecord
from headtohead.model.study.trials import calls_of
from headtohead.model.study.workload import Load


def unstable(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for a run in which a load held that was well above two that failed."""
    load = seen.experiment.load
    found = search_of([each.record for each in seen.cases], load) if load.searches else None
    region = None if found is None else bayesian_bisection.unstable(found.trials)
    if region is not None:
        yield Finding(
            id="unstable-region",
            severity=Severity.DOUBT,
            says=f"between {region.low:.0f} and {region.high:.0f} requests/s the objective failed at a lower rate "
            "than one at which it held",
            advice="The subject may behave in more than one way there; look at its response times run by run.",
            evidence={"high_per_s": region.high, "low_per_s": region.low},
        )


def held_past_capacity(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for a run whose objective held at a load past the capacity that its search found."""
    load = seen.experiment.load
    if not load.searches:
        return
    held = [each for each in of_overload([each.record for each in seen.cases]) if _held(each, load)]
    if held:
        most = max(held, key=lambda each: float(each.case["overload_percent"]))
        percent_of = float(most.case["overload_percent"])
        yield Finding(
            id=rules.HELD_PAST_CAPACITY.id,
            severity=Severity.DOUBT,
            says=f"offered {percent_of:g} % of the capacity that was found, it kept up too: it may carry more than "
            "shown, or its speed changed",
            advice="For a surer capacity, measure on a quieter machine, or for longer (measure_s).",
            evidence={"overload_percent": percent_of, "held": len(held)},
        )


def too_low(label: str, evidence: Mapping[str, Scalar]) -> Finding:
    """Return the finding that forbids verdicts on a setup that most of its runs showed to carry more than was found."""
    in_runs = f"in {evidence['runs']} of {evidence['of_runs']} runs"
    return Finding(
        id=rules.HELD_PAST_CAPACITY.id,
        severity=rules.HELD_PAST_CAPACITY.then,
        says=f"The capacity found for {label} is too low: {in_runs} it kept up with more, up to "
        f"{evidence['overload_percent']:g} % of it.",
        advice="Let it settle for longer (settle_s), or measure for longer (measure_s).",
        evidence=evidence,
        of=(label,),
    )


def _held(record: LoadRecord, load: Load) -> bool:
    return not driver_late(record, load) and passes(record, load.objective, calls=calls_of(load))


def nothing_held(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for a run whose search ended without a load that held: it has no capacity."""
    load = seen.experiment.load
    if not load.searches:
        return
    records = [each.record for each in seen.cases]
    found = search_of(records, load)
    if records and (found is None or found.capacity_per_s is None):
        lowest = min((each.rate_per_s for each in found.trials), default=0.0) if found is not None else 0.0
        yield Finding(
            id="nothing-held",
            severity=Severity.DOUBT,
            says=f"the objective did not hold even at {lowest:.3g} requests/s: this run has no capacity",
            advice="See the errors in the run's records, or weaken the objective: a longer time, or a larger "
            "share of errors.",
            evidence={"lowest_per_s": lowest, "trials": len(found.trials) if found is not None else 0},
        )
