"""One experiment of a study: read into types, and checked against its workload and its subjects."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from headtohead.describe.factors.levels import HOST_FACTORS
from headtohead.describe.factors.templates import check_templates, uses
from headtohead.describe.home import Home
from headtohead.describe.interfaces import is_work
from headtohead.describe.study.factors import read_factors, subject_names
from headtohead.describe.study.http_version import check_http_version
from headtohead.describe.subject.needs import check_needs, named_by, needed_by
from headtohead.describe.subject.subjects import read_subject
from headtohead.describe.toml.position import Place, toml_text
from headtohead.describe.workload.client_factors import check_load_fits
from headtohead.describe.workload.loads import merged, read_load
from headtohead.describe.workload.own_files import with_file
from headtohead.describe.workload.summaries import WHERE_MAX, choose_primary, given_metrics
from headtohead.describe.workload.workloads import read_with_load
from headtohead.model.machine.bench import DRIVERS, EACH, SERVER
from headtohead.model.quantity import Metric, Summary
from headtohead.model.study.count_words import COUNTABLE, SEVERAL
from headtohead.model.study.study import FROM, TO, DriverCpus, Experiment, Factor
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Load, Workload

MATTERS = 1.03
"""The margin if a study names none: METHOD.md section 3.4."""

FOR_FILES = "static-page"
"""The workload whose page a file of one's own replaces if the study names no other."""

LOOKS = (6, 10, 16, 24)
"""The interim analyses if a study names none: METHOD.md sections 2.3 and 11, line 1."""


@dataclass(frozen=True)
class Content:
    """The content that experiments are checked against."""

    home: Home
    metrics: Mapping[str, Metric]
    folder: Path = Path()
    """The folder of the study: files of one's own are relative to it."""


def read_experiment(
    table: Mapping[str, Any], content: Content, *, place: Place, driver_cpus: DriverCpus | None = None
) -> Experiment:
    """Return the experiment that a ``[[experiment]]`` table describes; raises WordsError if it is wrong.

    ``driver_cpus`` is the study's, which applies if the experiment sets none.
    """
    workload, load = _read_workload(table, content, place=place)
    subjects = _read_subjects(table["factors"]["subject"], workload, content=content, place=place)
    factors = read_factors(table["factors"], subjects, workload=workload, place=place)
    check_load_fits(workload, factors, load=load, place=place)
    check_http_version(workload, factors, subjects, load=load, place=place)
    needed = _read_needed(subjects, factors, home=content.home)
    _check_prepared((*subjects.values(), *needed.values()), workload, place=place)
    _check_templates(subjects, workload, load=load, home=content.home)
    for each in needed.values():
        check_templates(each, each.factors.keys(), home=content.home)
    compare = _choose_compare(table.get("compare"), factors, subjects=subjects, place=place)
    summaries = choose_primary(
        table.get("primary"), workload.summaries, load=load, metrics=content.metrics, place=place.at("primary")
    )
    metrics = given_metrics(content.metrics, load=load)
    if compare:
        _check_decides(summaries[0], metrics, place=place.at("primary"))
    _check_question(table["question"], compare, place=place.at("question"))
    if DRIVERS in table["factors"]:
        _check_sent(load, subjects, place=place.at(f"factors.{DRIVERS}"))
    experiment = Experiment(
        name=table["name"],
        question=table["question"],
        workload=workload,
        subjects=subjects,
        primary=summaries[0],
        summaries=summaries,
        metrics=metrics,
        compare=compare,
        matters=float(table.get("matters", MATTERS)),
        looks=_read_looks(table, place),
        within_min=table.get("within_min"),
        optional=table.get("optional", False),
        share_driver=table.get("share_driver", False),
        orders=table.get("orders", "random"),
        factors=factors,
        load=load,
        needed=needed,
    )
    if experiment.has_driver:
        return replace(experiment, driver_cpus=table.get("driver_cpus", driver_cpus))
    for word, written in (("driver_cpus", "driver_cpus" in table), ("load.poll", load.poll is not None)):
        if written:
            why = "Its programs work by themselves, so there is no driver that could use CPUs."
            raise place.at(word).wrong("nothing is driven", why=why, remedy=f"Remove {word.removeprefix('load.')}.")
    return experiment


def _check_sent(load: Load, subjects: Mapping[str, Subject], *, place: Place) -> None:
    """Raise WordsError unless drivers send requests to every subject."""
    alone = [name for name, each in subjects.items() if load.loop == "batch" or each.client is not None]
    if alone:
        why = f"{alone[0]} gets no requests from a driver of a bench: it works by itself, or with a client of its own."
        raise place.wrong("nothing is sent by drivers", why=why, remedy=f"Remove {DRIVERS}.")


def _check_question(question: str, compare: str | None, *, place: Place) -> None:
    """Raise WordsError for a word in braces that stands for nothing."""
    for word in re.findall(r"{\w*}", question):
        if word not in (FROM, TO):
            why = f"Only {FROM} and {TO} stand for something: the first and the last level of the compared factor."
            raise place.wrong(
                f"The word {word} stands for nothing", why=why, remedy=f"Write {FROM} or {TO}, or leave it out."
            )
        if compare is None:
            why = "The experiment compares no factor, so there is no first and no last level."
            raise place.wrong(
                f"The word {word} stands for nothing", why=why, remedy="Leave it out, or give a factor two levels."
            )


def _check_decides(primary: Summary, metrics: Mapping[str, Metric], *, place: Place) -> None:
    """Raise WordsError for a primary metric that cannot be better or worse."""
    where = primary.by == WHERE_MAX
    if where or metrics[primary.of].better == "neither":
        what = f"The case with the highest {primary.of}" if where else f"A higher {primary.of}"
        why = f"{what} is neither better nor worse: reports show it, but no verdict rests on it."
        remedy = "Name a primary with a metric for which higher or lower is better."
        raise place.wrong(f'"{primary.name}" decides nothing', why=why, remedy=remedy)


def workload_name(table: Mapping[str, Any]) -> str:
    """Return the name of the workload of an experiment's table, or that of files of one's own; empty without both."""
    return str(table.get("workload", FOR_FILES if "file" in table else ""))


def _read_workload(table: Mapping[str, Any], content: Content, *, place: Place) -> tuple[Workload, Load]:
    name, home = workload_name(table), content.home
    known = home.known_workloads()
    if not name:
        why = "An experiment names what is requested: a workload, or a file of your own that web servers serve."
        raise place.wrong("neither workload nor file", why=why, remedy='Write workload = "..." or file = "...".')
    if name not in known:
        raise place.at("workload").unknown("workload", name, known=known)
    workload, written = read_with_load(known[name], content.metrics, home=home)
    if "file" in table:
        workload = with_file(workload, table["file"], content.folder, place=place.at("file"))
    changed = merged(written, table.get("load", {}), asks=workload.asks, place=place)
    return workload, read_load(changed, asks=workload.asks, session=workload.session, place=place)


def _read_subjects(levels: list[Any], workload: Workload, *, content: Content, place: Place) -> Mapping[str, Subject]:
    where = place.at("factors.subject")
    known = content.home.known_subjects()
    subjects = {}
    for name in subject_names(levels):
        if name not in known:
            raise where.unknown("subject", name, known=known)
        subject = read_subject(known[name], home=content.home)
        if workload.asks not in subject.serves:
            why = f"The workload {workload.name} needs {workload.asks}; {name} serves {', '.join(subject.serves)}."
            remedy = "Choose another subject or workload; `headtohead list` shows what serves what."
            raise where.wrong(f'"{name}" does not serve this workload', why=why, remedy=remedy)
        subjects[name] = subject
    return subjects


def _read_needed(subjects: Mapping[str, Subject], factors: tuple[Factor, ...], *, home: Home) -> Mapping[str, Subject]:
    """Return the subjects that other subjects need in some treatment of the experiment."""
    known = home.known_subjects()
    needed: dict[str, Subject] = {}
    for subject in subjects.values():
        named = {name: read_subject(known[name], home=home) for name in named_by(subject) if name in known}
        check_needs(subject, named, home=home)
        needed |= {name: named[name] for name in needed_by(subject, factors) if name in named}
    return needed


def _check_prepared(subjects: Sequence[Subject], workload: Workload, *, place: Place) -> None:
    """Raise WordsError if a subject loads or reads a data set and the workload has none."""
    for subject in subjects:
        if workload.data is None and subject.prepare is None and uses(subject, "data"):
            why = f"{subject.name} reads @data@, and the workload {workload.name} has neither data nor file."
            remedy = "Write one of them in the workload, or give it an interface of its own, for subjects without data."
            raise place.at("workload").wrong("no data to read", why=why, remedy=remedy)
        if workload.data is None and subject.prepare and (subject.prepare.load or subject.prepare.check):
            why = f"{subject.name} loads a data set, but the workload {workload.name} has none."
            remedy = "Write data = { ... } in the workload, or choose another workload."
            raise place.at("workload").wrong("no data to prepare", why=why, remedy=remedy)


def _check_templates(subjects: Mapping[str, Subject], workload: Workload, *, load: Load, home: Home) -> None:
    for subject in subjects.values():
        works = is_work(workload.asks)
        names = {*subject.factors, *workload.factors, *HOST_FACTORS, *(load.settings if works else ())}
        check_templates(subject, names, home=home, of_cases=load.cases if works else ())


def _varying(factors: tuple[Factor, ...], subjects: Mapping[str, Subject]) -> tuple[str, ...]:
    """Return the factors with more than one level to compare; a floor is not compared with other subjects."""
    all_floors = all(subject.floor for subject in subjects.values())
    varying = []
    for factor in factors:
        compared = [
            level
            for level in factor.levels
            if factor.name != "subject" or all_floors or not subjects[str(level.value)].floor
        ]
        several = factor.name in COUNTABLE and any(level.value == SEVERAL for level in compared)
        several |= factor.name == SERVER and any(level.value == EACH for level in compared)
        if len(compared) > 1 or several:
            varying.append(factor.name)
    return tuple(varying)


def _choose_compare(
    name: str | None, factors: tuple[Factor, ...], *, subjects: Mapping[str, Subject], place: Place
) -> str | None:
    """Return the factor whose levels are compared: the one named, or the only one that varies."""
    varying = _varying(factors, subjects)
    where = place.at("compare")
    if name is None:
        if len(varying) > 1:
            why = f"More than one factor varies: {', '.join(varying)}."
            remedy = f'Name the factor whose levels to compare: compare = "{varying[0]}".'
            raise where.wrong("missing", why=why, remedy=remedy)
        return varying[0] if varying else None
    if name not in [factor.name for factor in factors]:
        raise where.unknown("factor", name, known=[factor.name for factor in factors])
    if name not in varying:
        why = f"It has one level to compare. Factors that vary: {', '.join(varying) or 'none'}."
        raise where.wrong(f'"{name}" does not vary', why=why, remedy="Give it more levels, or compare another factor.")
    return name


def _read_looks(table: Mapping[str, Any], place: Place) -> tuple[int, ...]:
    looks = tuple(table.get("looks", LOOKS))
    for earlier, later in itertools.pairwise(looks):
        if later <= earlier:
            why = f"Each interim analysis has more blocks than the one before, but {later} follows {earlier}."
            remedy = f"Write looks = {toml_text(sorted(set(looks)))}."
            raise place.at("looks").wrong(f"{toml_text(looks)} does not increase", why=why, remedy=remedy)
    return looks
