"""All errors of a study at once, for `check`."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from headtohead.describe.catalog import read_metrics
from headtohead.describe.factors.levels import HOST_FACTORS
from headtohead.describe.home import Home
from headtohead.describe.study.experiment import Content, read_experiment, workload_name
from headtohead.describe.study.factors import subject_names
from headtohead.describe.study.study import same_name
from headtohead.describe.subject.subjects import read_subject
from headtohead.describe.toml.document import content_of, parsed, toml_in
from headtohead.describe.toml.position import Place, PlacedError, near_words
from headtohead.describe.workload.workloads import read_with_load
from headtohead.model.errors import WordsError
from headtohead.model.machine.settings import is_setting
from headtohead.model.study.study import FROM, TO, DriverCpus, Experiment

_LEVELS = re.compile(f"{re.escape(FROM)}|{re.escape(TO)}")
_COMPARED = 2
"""A factor with fewer levels is not compared."""
_NEEDED = ("name", "question", "workload", "file")
"""Keys without which an experiment cannot be read."""


@dataclass(frozen=True)
class Checked:
    """The errors of a study, and its experiments as far as they can be read, each with its place."""

    errors: tuple[WordsError, ...]
    experiments: tuple[tuple[Place, Experiment], ...] = ()


def check_words(path: Path, home: Home) -> Checked:
    """Return all errors of a study's file, and of the subjects and workloads that it names.

    A file that is not TOML is not looked at further, nor is an experiment whose subject or workload has another shape.
    An experiment with errors is among the experiments too, without what is wrong, unless that is a level of the host.
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
        return Checked(tuple(found.values()))
    misshapen: dict[tuple[str, ...], list[WordsError]] = {}
    for each in found.values():
        if isinstance(each, PlacedError):
            misshapen.setdefault(each.place.parts[:1], []).append(each)
    names: set[tuple[str, ...]] = set()
    experiments: list[tuple[Place, Experiment]] = []
    here = Content(home=home, metrics=read_metrics(home), folder=path.parent)
    driver_cpus = None if ("driver_cpus",) in misshapen else data.get("driver_cpus")
    for table, where in _experiments(data, place):
        if where.parts in names:
            found[str(same_name(where))] = same_name(where)
        names.add(where.parts)
        shaped = _well_shaped(table, misshapen.get(where.parts, ()))
        if shaped is not None:
            errors, experiment = _read_in_parts(shaped, here, place=where, driver_cpus=driver_cpus)
            found |= {str(each): each for each in (*_of_its_files(shaped, here), *errors)}
            is_whole = _of_machine(shaped) == _of_machine(table)
            experiments += [(where, experiment)] if experiment is not None and is_whole else []
    return Checked(tuple(found.values()), tuple(experiments))


def _all(error: WordsError) -> tuple[WordsError, ...]:
    return (error, *error.others) if isinstance(error, PlacedError) else (error,)


def _experiments(data: Mapping[str, Any], place: Place) -> Iterator[tuple[Mapping[str, Any], Place]]:
    tables = data.get("experiment", ())
    for table in tables if isinstance(tables, list) else ():
        if isinstance(table, dict) and isinstance(table.get("name"), str):
            yield table, place.at(f'experiment "{table["name"]}"')


def _well_shaped(table: Mapping[str, Any], errors: Sequence[WordsError]) -> Mapping[str, Any] | None:
    """Return an experiment's table without the keys of another shape; None if nothing can be read without them."""
    for each in errors:
        group, factor = _key(each).partition(".")[0], _factor(each)
        if not group or group in _NEEDED or (group == "factors" and factor in ("", "subject")):
            return None
        if factor:
            table = _with_factor(table, factor, [])
        table = {key: value for key, value in table.items() if key != group or factor}
    return table


def _of_its_files(table: Mapping[str, Any], content: Content) -> Iterator[WordsError]:
    """Yield the errors of each file that an experiment names."""
    home = content.home
    workloads, subjects = home.known_workloads(), home.known_subjects()
    name = workload_name(table)
    if name in workloads:
        yield from _errors(lambda: read_with_load(workloads[name], content.metrics, home=home))
    for each in subject_names(table["factors"]["subject"]):
        if each in subjects:
            yield from _errors(partial(read_subject, subjects[each], home=home))


def _read_in_parts(
    table: Mapping[str, Any], content: Content, *, place: Place, driver_cpus: DriverCpus | None
) -> tuple[list[WordsError], Experiment | None]:
    """Return an experiment's own errors, and the experiment without what they are about.

    After each error it is read again without that key, until it can be read, or others depend on that key. A misspelled
    subject is read as the one with a near name. One without a near name is left out; as it may have any factor, no
    factor but the host's is called unknown then.
    """
    known = content.home.known_subjects()
    unknown = [each for each in subject_names(table["factors"]["subject"]) if each not in known]
    errors: list[WordsError] = [place.at("factors.subject").unknown("subject", each, known=known) for each in unknown]
    table = _with_subjects_meant(table, known) if unknown else table
    left_out = not all(near_words(each, known) for each in unknown)
    of_host = False
    while True:
        try:
            experiment = read_experiment(table, content, place=place, driver_cpus=driver_cpus)
        except WordsError as error:
            factor = _factor(error)
            is_host = _is_host(factor)
            of_host |= is_host
            errors += () if left_out and factor and not is_host else _all(error)
            less = _without(table, error)
            if less is None:
                return errors, None
            table = less
        else:
            return errors, None if of_host else experiment


def _with_subjects_meant(table: Mapping[str, Any], known: Collection[str]) -> Mapping[str, Any]:
    """Return the table with the nearest known subject for each unknown one, under the name that was written.

    A subject with no near name is left out.
    """
    levels = []
    for each in table["factors"]["subject"]:
        written = {"name": each} if isinstance(each, str) else each
        near = () if written["name"] in known else near_words(written["name"], known)
        if near:
            levels.append({"label": written["name"], **written, "name": near[0]})
        elif written["name"] in known:
            levels.append(each)
    return _with_factor(table, "subject", levels)


def _with_factor(table: Mapping[str, Any], name: str, levels: list[Any]) -> Mapping[str, Any]:
    """Return the table with other levels of a factor, without it if there are none; it compares another if it must."""
    factors = {**table["factors"], name: levels}
    less: Mapping[str, Any] = {
        **table,
        "factors": {each: of for each, of in factors.items() if of or each == "subject"},
    }
    if table.get("compare") == name and len(levels) < _COMPARED:
        less = _with_other_compare(less)
    return less if _varying(less) else {**less, "question": _LEVELS.sub("", table["question"])}


def _with_other_compare(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the table with another factor compared, if there are several that it could compare."""
    rest = {key: value for key, value in table.items() if key != "compare"}
    varying = _varying(rest)
    return {**rest, "compare": varying[0]} if len(varying) > 1 else rest


def _varying(table: Mapping[str, Any]) -> list[str]:
    factors = table["factors"].items()
    return [name for name, levels in factors if isinstance(levels, list) and len(levels) >= _COMPARED]


def _of_machine(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what an experiment's table needs of the machine."""
    return {key: table.get(key) for key in ("driver_cpus", "share_driver")} | {
        name: levels for name, levels in table["factors"].items() if _is_host(name)
    }


def _is_host(factor: str) -> bool:
    return factor in HOST_FACTORS or is_setting(factor)


def _factor(error: WordsError) -> str:
    """Return the factor that an error is about; empty if it is about none."""
    group, _, factor = _key(error).partition(".")
    return factor if group == "factors" else ""


def _key(error: WordsError) -> str:
    """Return the key of an experiment's table that an error is about, without an item; empty if it is unknown."""
    parts = error.place.parts[1:2] if isinstance(error, PlacedError) else ()
    return parts[0].partition(" (item ")[0] if parts else ""


def _without(table: Mapping[str, Any], error: WordsError) -> Mapping[str, Any] | None:
    """Return the table without the key that an error is about; None if it is unknown, or others depend on that key."""
    group, factor = _key(error).partition(".")[0], _factor(error)
    rest = {key: value for key, value in table.items() if key != group}
    if group == "compare":
        other = _with_other_compare(table)
        return other if other != table else None
    if group == "question":
        plain = re.sub(r"{\w*}", "", table["question"])
        return {**table, "question": plain} if plain != table["question"] else None
    if group == "file" and group in table:
        return {"workload": workload_name(table)} | rest
    if group in ("looks", "load") and group in table and not (group == "load" and "primary" in table):
        return rest
    if factor != "subject" and factor in table["factors"]:
        return _with_factor(table, factor, [])
    return None


def _errors(read: Callable[[], object]) -> tuple[WordsError, ...]:
    try:
        read()
    except WordsError as error:
        return _all(error)
    return ()
