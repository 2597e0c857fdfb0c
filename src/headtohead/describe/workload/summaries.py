"""Summaries: one figure from the cases of a run; one of them is the primary."""

from collections.abc import Mapping
from typing import Any

from headtohead.describe.toml.position import Place, among, nearest, toml_text
from headtohead.model.quantity import By, Metric, Scalar, Source, Summary
from headtohead.model.study.count_words import COUNTABLE, SEVERAL, is_word
from headtohead.model.study.workload import Load

WHERE_MAX: By = "where-max"
"""The way of a summary whose figure is the value of a case field, not of its metric."""

_SERVED: tuple[Source, ...] = ("load", "run")
_SEARCHED: tuple[Source, ...] = ("search", "run")
_WORKED: tuple[Source, ...] = ("batch", "run")
"""The records that each kind of load writes. A search has no load records: it chooses the rates of its trials."""

CAPACITY = "capacity_per_s"
"""The result of a search: its primary if the study names none."""

_OF_SEARCH: Mapping[str, By] = {CAPACITY: "geometric-mean", "overload_goodput_share": "min"}
"""The summaries of every search, each with its way: there is one capacity, and the worst overload counts."""


def _sources(load: Load) -> tuple[Source, ...]:
    if load.loop == "batch":
        return _WORKED
    return _SEARCHED if load.searches else _SERVED


def given_metrics(metrics: Mapping[str, Metric], *, load: Load) -> Mapping[str, Metric]:
    """Return the metrics of the catalog that the records of this load can give."""
    return {name: metric for name, metric in metrics.items() if metric.source in _sources(load)}


def read_summaries(
    tables: Mapping[str, Any], load: Load, *, metrics: Mapping[str, Metric], place: Place
) -> tuple[Summary, ...]:
    """Return a workload's summaries in order; raises WordsError for unknown metrics and fields."""
    summaries = []
    for name, table in tables.items():
        where = place.at(f"summary.{name}")
        of = place.at(f"summary.{name}.of")
        _check_metric(table["of"], load, metrics=metrics, place=of)
        cases = {field: tuple(values) for field, values in table.items() if field not in ("of", "by")}
        for field in cases:
            if field not in load.cases:
                raise where.unknown("case field", field, known=load.cases, owner="this load")
        if table["by"] == "mean":
            _check_alike(metrics[table["of"]], load, where=cases, place=place.at(f"summary.{name}.by"))
        at = _varied(load, place.at(f"summary.{name}.by")) if table["by"] == WHERE_MAX else None
        summaries.append(Summary(name=name, of=table["of"], by=table["by"], where=cases, at=at))
    return tuple(summaries)


def _check_alike(metric: Metric, load: Load, *, where: Mapping[str, tuple[Scalar, ...]], place: Place) -> None:
    """Raise WordsError for an arithmetic mean of rates (higher is better) over named cases, such as kernels."""
    for field, values in load.cases.items():
        over = where.get(field, values)
        named = len(over) > 1 and all(isinstance(each, str) and not is_word(each) for each in over)
        if named and metric.better == "higher":
            why = f"The rates of each {field} differ in size, and the largest would decide."
            raise place.wrong(f"an arithmetic mean over {field}", why=why, remedy='Write by = "geometric-mean".')


def _varied(load: Load, place: Place) -> str:
    """Return the one case field whose values are numbers; raises WordsError if there is none, or more than one."""
    fields = [name for name in load.cases if all(_is_number(name, each) for each in load.cases[name])]
    if len(fields) != 1:
        why = f"It names one number that varies from case to case, but the load has {len(fields)}."
        raise place.wrong("no number to name", why=why, remedy='Write by = "max", or vary one number.')
    return fields[0]


def _is_number(field: str, value: Scalar) -> bool:
    """Return whether a value of a case field is a number, or a word that means numbers."""
    return not isinstance(value, str | bool) or (field in COUNTABLE and is_word(value))


def _check_metric(name: str, load: Load, *, metrics: Mapping[str, Metric], place: Place) -> None:
    given = given_metrics(metrics, load=load)
    if name in given:
        return
    if name not in metrics:
        raise place.unknown("metric", name, known=given)
    source = metrics[name].source
    why = f"It comes from {source} records; this load writes {' and '.join(_sources(load))} records."
    remedy = "Name a metric of those records."
    if source == "search" and load.loop != "batch":
        remedy = 'Write rate_per_s = "search" with an objective, or name another metric.'
    elif load.searches:
        remedy = f"Name {CAPACITY}, or write rates instead of the search."
    raise place.wrong(f'"{name}" is not measured here', why=why, remedy=remedy)


def has_cases(summary: Summary, load: Load) -> bool:
    """Return whether the load has every case of the summary."""
    if summary.at is not None and summary.at not in load.cases:
        return False
    return all(among(value, _cases(load, field)) for field, values in summary.where.items() for value in values)


def _cases(load: Load, field: str) -> tuple[Scalar, ...]:
    """Return the values of a case field, with the numbers that a count word has on every machine."""
    values = load.cases.get(field, ())
    return (*values, 1, "all") if field in COUNTABLE and SEVERAL in values else values


def choose_primary(
    name: str | None, summaries: tuple[Summary, ...], *, load: Load, metrics: Mapping[str, Metric], place: Place
) -> tuple[Summary, ...]:
    """Return the summaries that the load can give, the primary first.

    ``name`` is a summary or a metric of the catalog; a metric that no summary is named after becomes the geometric
    mean over all cases. By default it is the workload's first summary, or the capacity if a search cannot give that
    summary. Raises WordsError if it is neither, or if the load lacks its cases or its records.
    """
    given = given_metrics(metrics, load=load)
    kept = _kept(summaries, load, given=given)
    if name is None and load.searches and summaries[0] not in kept:
        name = CAPACITY
    if name is None:
        if not kept:
            why = "The load of this experiment lacks the cases of every summary of the workload."
            raise place.wrong("nothing to decide on", why=why, remedy="Name a metric as primary, or add the cases.")
        return kept
    others = tuple(each for each in kept if each.name != name)
    for each in (*summaries, *kept):
        if each.name == name:
            _check_metric(each.of, load, metrics=metrics, place=place)
            return (_checked_cases(each, load, place=place), *others)
    if name not in metrics:
        known = [each.name for each in summaries]
        remedy = nearest(name, [*known, *given]) or "Name a summary, or a metric of schemas/metrics.toml."
        why = f"It is neither a summary of the workload ({', '.join(known)}) nor a metric of the catalog."
        raise place.wrong(f'unknown metric "{name}"', why=why, remedy=remedy)
    _check_metric(name, load, metrics=metrics, place=place)
    return (Summary(name=name, of=name, by="geometric-mean", where={}), *others)


def _kept(summaries: tuple[Summary, ...], load: Load, *, given: Mapping[str, Metric]) -> tuple[Summary, ...]:
    """Return the summaries that the load can give, and those of every search."""
    kept = tuple(each for each in summaries if each.of in given and has_cases(each, load))
    if not load.searches:
        return kept
    standard = (Summary(metric, metric, by, {}) for metric, by in _OF_SEARCH.items() if metric in given)
    return (*kept, *(each for each in standard if each.name not in {other.name for other in summaries}))


def _checked_cases(summary: Summary, load: Load, *, place: Place) -> Summary:
    if has_cases(summary, load):
        return summary
    wanted = {field: list(values) for field, values in summary.where.items()}
    there = {field: list(load.cases.get(field, ())) for field in wanted}
    why = f"It needs the cases {toml_text(wanted)}; the load has {toml_text(there)}."
    remedy = "Name another primary, or add the cases to the load."
    raise place.wrong(f'"{summary.name}" lacks its cases', why=why, remedy=remedy)
