"""The same comparison in many results folders: one series of ratios for each, and where its level changes."""

import math
import statistics
from collections.abc import Iterable, Sequence
from itertools import pairwise

from headtohead.analyze.statistics.over_time.change_points import (
    FEWEST_POINTS,
    LEAST_LOG,
    change_points,
    step_found_soon,
)
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.history import HistoryPoint, HistorySeries, LevelChange
from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.record import NOT_STATED, Recording

Entry = tuple[str, ExperimentResult, ComparisonResult, HistoryPoint]


def history(measured: Sequence[tuple[Recording, Analysis]]) -> tuple[HistorySeries, ...]:
    """Return the series of every comparison, in order of their names.

    Points belong together if test, metric, treatments, and the version and files of the reference are the same: a
    reference that changed is no reference. Comparisons that were not measured, or whose results are withheld, have no
    point.
    """
    series: dict[tuple[str, ...], list[Entry]] = {}
    for recording, analysis in measured:
        for entry in _points(recording, analysis):
            reference, experiment, comparison, _ = entry
            content = _content(recording, experiment.name, comparison.baseline)
            test = (experiment.name, experiment.same_test, str(experiment.primary))
            key = (*test, reference, content, comparison.other)
            series.setdefault(key, []).append(entry)
    return tuple(_series(series[key]) for key in sorted(series))


def _points(recording: Recording, analysis: Analysis) -> Iterable[Entry]:
    for experiment in analysis.experiments:
        runs = recording.runs_of(experiment.name)
        cards = ((each.label, each.card) for each in experiment.treatments)
        versions = {label: _stated(card.versions.values()) for label, card in cards if card}
        for each in experiment.comparisons:
            if each.ratio is not None and each.verdict != "not-measured" and runs:
                started = min(run.run.started_at for run in runs)
                point = HistoryPoint(recording.name, started, each.ratio, versions.get(each.other, ""))
                reference = f"{each.baseline} {versions.get(each.baseline, '')}".strip()
                yield reference, experiment, each, point


def _content(recording: Recording, experiment: str, label: str) -> str:
    """Return the checksum of the subject of a treatment if it is the user's own: such a one states no version."""
    planned = next((each for each in recording.plan.experiments if each.name == experiment), None)
    subject = planned.treatment(label).subject if planned is not None else ""
    return next((own for path, own in recording.plan.own.items() if f"/{path}".endswith(f"/subjects/{subject}")), "")


def _stated(versions: Iterable[str]) -> str:
    return "; ".join(each for each in versions if each != NOT_STATED)


def _series(entries: Sequence[Entry]) -> HistorySeries:
    reference, experiment, comparison, _ = entries[0]
    points = sorted((each[-1] for each in entries), key=lambda point: (point.started_at, point.folder))
    logs = [math.log(each.ratio.value) for each in points]
    least = max(LEAST_LOG, math.log(experiment.matters) / 2)
    places, step = change_points(logs, least=least), step_found_soon(logs, least=least)
    segments = list(pairwise((0, *places, len(logs))))
    means = [statistics.fmean(logs[low:high]) for low, high in segments]
    return HistorySeries(
        experiment=experiment.name,
        metric=experiment.metric.says,
        reference=reference,
        other=comparison.other,
        matters=experiment.matters,
        points=tuple(points),
        levels=tuple(
            math.exp(mean) for mean, (low, high) in zip(means, segments, strict=True) for _ in range(low, high)
        ),
        changes=tuple(
            LevelChange(points[at - 1].folder, points[at].folder, math.exp(after - before))
            for at, (before, after) in zip(places, pairwise(means), strict=True)
        ),
        enough=len(points) >= FEWEST_POINTS,
        found_soon=math.exp(step) if step is not None else None,
    )
