"""Whether longer or shorter runs would give more certainty in the same time."""

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.over_time.settling_within_runs import FLOWS, second_over_first
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.runs.records_and_times_of_case import planned_cases
from headtohead.analyze.statistics.error_of_checks import ENOUGH
from headtohead.model.finding import Finding, Severity

WORTH = 0.8
"""The note is given if the same certainty takes at most this share of the time."""

AT_MOST, LEAST_S = 4.0, 0.5
"""The advice is at most this many times longer or shorter, and at least this many seconds for each case."""


@dataclass(frozen=True)
class TimeSplit:
    """Seconds of a run outside and inside its measured time, and the variance of logarithms within and between runs."""

    besides_s: float
    measured_s: float
    within: float
    between: float

    def best_s(self) -> float:
        """Return the best measured time of a run, in seconds, for most certainty in a given time.

        Assumes:    what varies within a run is averaged out as its length grows.
        Reference:  METHOD.md 2.2; Kalibera and Jones, 2013, of two levels.

        >>> TimeSplit(besides_s=4.0, measured_s=4.0, within=1e-4, between=4e-4).best_s()
        2.0
        """
        if self.between <= 0:
            return math.inf
        return math.sqrt(self.besides_s * self.measured_s * self.within / self.between)

    def share_of_time(self, measured_s: float) -> float:
        """Return the share of the time that runs of another length need for the same certainty.

        >>> round(TimeSplit(besides_s=4.0, measured_s=4.0, within=1e-4, between=4e-4).share_of_time(2.0), 3)
        0.9
        """
        now = (self.besides_s + self.measured_s) * (self.between + self.within)
        other = self.between + self.within * self.measured_s / measured_s
        return (self.besides_s + measured_s) * other / now


def better_run_length(whole: Whole) -> Iterator[Finding]:
    """Yield a note if a rate is undecided, and runs of another length would give more certainty in the same time."""
    load, metric = whole.experiment.load, whole.experiment.metrics[whole.experiment.primary.of]
    if (
        load.searches
        or load.loop != "closed"
        or not load.measure_s
        or (metric.unit, metric.better) != ("1/s", "higher")
    ):
        return
    undecided = [each for each in whole.comparisons if each.verdict == "inconclusive"]
    known = [spent for each in undecided if (spent := _time_split(whole, (each.baseline, each.other))) is not None]
    if not known:
        return
    spent = max(known, key=lambda each: each.within + each.between)
    cases = len(planned_cases(whole.experiment))
    longest, shortest = AT_MOST * spent.measured_s, max(LEAST_S * cases, spent.measured_s / AT_MOST)
    best_s = min(longest, max(shortest, spent.best_s()))
    share = spent.share_of_time(best_s)
    if share <= WORTH:
        yield _note(spent, best_s / cases, now_s=load.measure_s, share=share)


def _note(spent: TimeSplit, best_s: float, *, now_s: float, share: float) -> Finding:
    part = spent.within / (spent.within + spent.between)
    more = "and more blocks " if best_s < now_s else ""
    return Finding(
        id="time-better-spent",
        severity=Severity.NOTE,
        says=f"About {percent(part)} of the noise within blocks comes from within the runs, the rest from run to run.",
        advice=f"measure_s = {best_s:.2g} in place of {now_s:g} {more}would show as much in about {percent(share)} of "
        "the time.",
        evidence={"within_share": part, "measure_s": best_s, "time_share": share},
    )


def _time_split(whole: Whole, both: tuple[str, str]) -> TimeSplit | None:
    """Return where the time and the noise of two treatments come from; None if that is not known."""
    values = [whole.primary(label) for label in both]
    blocks = sorted(values[0].keys() & values[1].keys())
    halves = [_halves(whole, label) for label in both]
    lasted = [each.run.phases[-1].to_ns / 1e9 for label in both for each in whole.counting(label) if each.run.phases]
    if not lasted or len(blocks) < ENOUGH or min(map(len, halves)) < ENOUGH:
        return None
    # the mean of a run varies by a quarter of what the difference of its halves does; a ratio has the noise of two runs
    within = statistics.fmean(statistics.variance(each) / 4 for each in halves)
    noise = statistics.variance(math.log(values[1][block] / values[0][block]) for block in blocks) / 2
    measured_s = whole.experiment.load.measure_s * len(planned_cases(whole.experiment))
    besides_s = max(0.0, statistics.fmean(lasted) - measured_s)
    return TimeSplit(besides_s, measured_s, min(within, noise), max(0.0, noise - within))


def _halves(whole: Whole, label: str) -> list[float]:
    halves = (second_over_first(each, FLOWS) for each in whole.seen if each.run.label == label)
    return [each for each in halves if each is not None]
