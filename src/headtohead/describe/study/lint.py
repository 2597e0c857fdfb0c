"""All errors of a study at once, for `check`."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from headtohead.describe.catalog import read_metrics
from headtohead.describe.home import Home
from headtohead.describe.study.experiment import Content, read_experiment, workload_name
from headtohead.describe.study.factors import subject_names
from headtohead.describe.study.study import same_name
from headtohead.describe.subject.subjects import read_subject
from headtohead.describe.toml.document import content_of, parsed, toml_in
from headtohead.describe.toml.position import Place, PlacedError, near_words
from headtohead.describe.workload.workloads import read_with_load
from headtohead.model.errors import WordsError


def study_errors(path: Path, home: Home) -> tuple[WordsError, ...]:
    """Return all errors of a study's file, and of the subjects and workloads that it names; none if it is right.

    A table with an error of its shape is not looked at further, nor is a file that is not TOML.
    """
    place = Place(home.shown(path))
    found: dict[str, WordsError] = {}
    many = False
    data: Mapping[str, Any] = {}
    try:
        place = replace(place, content=content_of(path, place))
        data = parsed(place.content, place)
        toml_in(place.content, "study", home=home, place=place)
    except WordsError as error:
        found |= {str(each): each for each in _all(error)}
        many = isinstance(error, PlacedError) and error.more
    if many:
        return tuple(found.values())
    misshapen = {each.place.parts[:1] for each in found.values() if isinstance(each, PlacedError)}
    names: set[tuple[str, ...]] = set()
    here = Content(home=home, metrics=read_metrics(home), folder=path.parent)
    for table, where in _experiments(data, place):
        if where.parts in names:
            found[str(same_name(where))] = same_name(where)
        names.add(where.parts)
        if where.parts not in misshapen:
            found |= {str(each): each for each in _experiment_errors(table, here, place=where)}
    return tuple(found.values())


def _all(error: WordsError) -> tuple[WordsError, ...]:
    return (error, *error.others) if isinstance(error, PlacedError) else (error,)


def _experiments(data: Mapping[str, Any], place: Place) -> Iterator[tuple[Mapping[str, Any], Place]]:
    tables = data.get("experiment", ())
    for table in tables if isinstance(tables, list) else ():
        if isinstance(table, dict) and isinstance(table.get("name"), str):
            yield table, place.at(f'experiment "{table["name"]}"')


def _experiment_errors(table: Mapping[str, Any], content: Content, *, place: Place) -> Iterator[WordsError]:
    """Yield the errors of each file that an experiment names, and then its own."""
    home = content.home
    workloads, subjects = home.known_workloads(), home.known_subjects()
    names = subject_names(table["factors"]["subject"])
    name = workload_name(table)
    if name in workloads:
        folder = workloads[name]
        yield from _errors(lambda: read_with_load(folder, content.metrics, home=home))
    for each in (subjects[name] for name in names if name in subjects):
        yield from _errors(partial(read_subject, each, home=home))
    for unknown in (name for name in names if name not in subjects):
        yield place.at("factors.subject").unknown("subject", unknown, known=subjects)
    yield from _own_errors(table, content, place=place)


def _own_errors(table: Mapping[str, Any], content: Content, *, place: Place) -> Iterator[WordsError]:
    """Yield an experiment's own errors: after each, it is read again without what that one is about.

    It ends at an error about something that others depend on. A misspelled subject is read as the one with a near name.
    """
    known = content.home.known_subjects()
    table = _with_subjects_meant(table, known)
    while errors := _errors(partial(read_experiment, table, content, place=place)):
        yield from errors
        less = _without(table, errors[0])
        if less is None:
            return
        table = less


def _with_subjects_meant(table: Mapping[str, Any], known: Collection[str]) -> Mapping[str, Any]:
    """Return the table with the nearest known subject for each unknown one, under the name that was written."""
    levels = []
    for each in table["factors"]["subject"]:
        written = {"name": each} if isinstance(each, str) else each
        near = () if written["name"] in known else near_words(written["name"], known)
        levels.append({"label": written["name"], **written, "name": near[0]} if near else each)
    return {**table, "factors": {**table["factors"], "subject": levels}}


def _without(table: Mapping[str, Any], error: WordsError) -> Mapping[str, Any] | None:
    """Return the table without the key that an error is about; None if it is unknown, or others depend on that key."""
    keys = error.place.parts[1:2] if isinstance(error, PlacedError) else ()
    group, _, factor = keys[0].partition(".") if keys else ("", "", "")
    if group == "file" and group in table:
        return {"workload": workload_name(table)} | {key: value for key, value in table.items() if key != group}
    if group in ("compare", "looks", "load") and group in table and not (group == "load" and "primary" in table):
        return {key: value for key, value in table.items() if key != group}
    if group == "factors" and factor != "subject" and factor in table[group] and factor != table.get("compare"):
        return {**table, group: {key: value for key, value in table[group].items() if key != factor}}
    return None


def _errors(read: Callable[[], object]) -> tuple[WordsError, ...]:
    try:
        read()
    except WordsError as error:
        return _all(error)
    return ()
