"""Summaries: what the cases of one run come to, and which of them is the primary."""

from collections.abc import Mapping
from typing import Any

from headtohead.describe.place import Place, among, nearest, toml_text
from headtohead.model.quantity import Metric, Source, Summary
from headtohead.model.workload import Load, Loop

_SOURCES: Mapping[Loop, tuple[Source, ...]] = {"closed": ("load", "run"), "batch": ("batch", "run")}
"""The records that each loop leaves behind."""


def given_metrics(metrics: Mapping[str, Metric], *, loop: Loop) -> Mapping[str, Metric]:
    """Return the metrics of the catalog that the records of this loop can give."""
    return {name: metric for name, metric in metrics.items() if metric.source in _SOURCES[loop]}


def read_summaries(
    tables: Mapping[str, Any], load: Load, *, metrics: Mapping[str, Metric], place: Place
) -> tuple[Summary, ...]:
    """Return a workload's summaries in order; raises WordsError for unknown metrics and fields."""
    summaries = []
    for name, table in tables.items():
        where = place.at(f"summary.{name}")
        of = place.at(f"summary.{name}.of")
        _check_metric(table["of"], load.loop, metrics=metrics, place=of)
        cases = {field: tuple(values) for field, values in table.items() if field not in ("of", "by")}
        for field in cases:
            if field not in load.cases:
                raise where.unknown("case field", field, known=load.cases, owner="this load")
        summaries.append(Summary(name=name, of=table["of"], by=table["by"], where=cases))
    return tuple(summaries)


def _check_metric(name: str, loop: Loop, *, metrics: Mapping[str, Metric], place: Place) -> None:
    given = given_metrics(metrics, loop=loop)
    if name in given:
        return
    if name in metrics:
        sources = " and ".join(_SOURCES[loop])
        why = f"It comes from {metrics[name].source} records; this workload leaves {sources} records."
        raise place.wrong(f'"{name}" is not measured here', why=why, remedy="Name a metric of those records.")
    raise place.unknown("metric", name, known=given)


def held(summary: Summary, load: Load) -> bool:
    """Return whether the load holds every case that the summary is of."""
    return all(among(value, load.cases.get(field, ())) for field, values in summary.where.items() for value in values)


def choose_primary(
    name: str | None, summaries: tuple[Summary, ...], *, load: Load, metrics: Mapping[str, Metric], place: Place
) -> tuple[Summary, ...]:
    """Return the summaries that the load holds, the primary first.

    ``name`` is a summary or a metric of the catalog; a metric that no summary is named after becomes the geometric
    mean over all cases. Raises WordsError where it is neither, or where the load lacks its cases.
    """
    kept = tuple(each for each in summaries if held(each, load))
    if name is None:
        if not kept:
            why = "The load of this experiment holds the cases of none of the workload's summaries."
            raise place.wrong("nothing to decide on", why=why, remedy="Name a metric as primary, or add the cases.")
        return kept
    for each in summaries:
        if each.name == name:
            return (_held_or_refused(each, load, place=place), *(other for other in kept if other.name != name))
    given = given_metrics(metrics, loop=load.loop)
    if name not in given and name not in metrics:
        known = [each.name for each in summaries]
        remedy = nearest(name, [*known, *given]) or "Name a summary, or a metric of schemas/metrics.toml."
        why = f"It is no summary of the workload ({', '.join(known)}) and no metric of the catalog."
        raise place.wrong(f'unknown metric "{name}"', why=why, remedy=remedy)
    _check_metric(name, load.loop, metrics=metrics, place=place)
    return (Summary(name=name, of=name, by="geometric-mean", where={}), *kept)


def _held_or_refused(summary: Summary, load: Load, *, place: Place) -> Summary:
    if held(summary, load):
        return summary
    wanted = {field: list(values) for field, values in summary.where.items()}
    there = {field: list(load.cases.get(field, ())) for field in wanted}
    why = f"It is of the cases {toml_text(wanted)}; the load has {toml_text(there)}."
    remedy = "Name another primary, or add the cases to the load."
    raise place.wrong(f'"{summary.name}" lacks its cases', why=why, remedy=remedy)
