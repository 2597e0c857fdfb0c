"""The ratios of a comparison besides the primary one: of every other metric, summary and case. They decide nothing."""

from collections.abc import Iterator
from typing import NamedTuple

from headtohead.analyze.samples import summary_over_cases
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.samples.values_from_records import keys
from headtohead.analyze.statistics import max_t, paired
from headtohead.analyze.verdicts.log_ratios import log_ratios
from headtohead.model.analysis.comparison import Exploratory
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import Comparison, PlannedExperiment


def explore(comparison: Comparison, samples: Samples, *, alpha: float) -> Iterator[Exploratory]:
    """Yield the ratio of every other metric, summary and case that has a direction; the intervals share alpha.

    ``alpha`` is that of the comparison at this interim analysis. Where an experiment ends depends on its values, so
    exploratory intervals must allow for the interim analyses too (tests/analyze/test_families.py).
    """
    logs_of = {key: log_ratios(comparison, samples, key=key) for key in exploratory_keys(samples.experiment)}
    logs_of = {key: logs for key, logs in logs_of.items() if len(logs) > 1}
    for (case, metric), ratio in zip(logs_of, max_t.shared(list(logs_of.values()), alpha=alpha), strict=True):
        p = paired.sign_flip_p(logs_of[Key(case, metric)])
        yield Exploratory(case=case, metric=metric, ratio=ratio, unadjusted_p=p)


class _Meaning(NamedTuple):
    """What a key is: keys of one meaning have the same values."""

    metric: str
    cases: tuple[Case, ...]
    by: str


def exploratory_keys(experiment: PlannedExperiment) -> list[Key]:
    """Return the keys that are compared besides the primary one; a key that repeats an earlier one is left out."""
    summaries = {each.name: each for each in summary_over_cases.summaries(experiment)}
    chosen: dict[_Meaning, Key] = {}
    for case, name in keys(experiment):
        summary = summaries.get(name) if not case else None
        if summary and summary.by == summary_over_cases.WHERE:
            continue
        metric = experiment.metrics.get(summary.of if summary else name)
        if metric is None:
            continue
        cases = (
            () if metric.source == "run" else summary_over_cases.cases_of(summary, experiment) if summary else (case,)
        )
        means = _Meaning(metric.name, cases, summary.by if summary and len(cases) > 1 else "")
        chosen.setdefault(means, Key(case, name))
    return [key for means, key in chosen.items() if _explored(experiment, means.metric, key=key)]


def _explored(experiment: PlannedExperiment, metric: str, *, key: Key) -> bool:
    return key != Key(WHOLE_RUN, experiment.primary.name) and experiment.metrics[metric].better != "neither"
