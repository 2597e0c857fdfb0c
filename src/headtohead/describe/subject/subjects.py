"""Subjects: ``subjects/<name>/subject.toml``."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from headtohead.describe.factors.levels import read_factors
from headtohead.describe.home import Home, find_home
from headtohead.describe.interfaces import kind_of
from headtohead.describe.subject.needs import check_factors, check_needs
from headtohead.describe.subject.reach import check_reach
from headtohead.describe.toml.document import read_written
from headtohead.describe.toml.inside import check_inside, existing, folders
from headtohead.describe.toml.position import Place
from headtohead.describe.toml.typed import typed
from headtohead.model.study.subject import Batch, Client, Install, Prepare, Start, Step, Stop, Subject

FILE = "subject.toml"
T = TypeVar("T")


def read_all(home: Home) -> Mapping[str, Subject]:
    """Return every subject by its name; raises WordsError for the first that is wrong."""
    subjects = {name: read_subject(home.subjects / name, home=home) for name in folders(home.subjects, FILE)}
    for subject in subjects.values():
        check_needs(subject, subjects, home=home)
    return subjects


def read_subject(folder: Path, *, home: Home | None = None) -> Subject:
    """Return the subject that a folder describes.

    Raises WordsError where subject.toml is wrong, or names a file that is not in the folder. What its templates use
    is checked with the workload that it is to serve: only that one knows the case fields.
    """
    written = read_written(folder / FILE, "subject", home=home or find_home())
    data, place = written.data, written.place
    _check_whole(data, folder, place=place)
    factors = read_factors(data.get("factors", {}), place)
    check_factors(data.get("needs", {}), factors, place=place)

    def table(name: str, kind: type[T]) -> T | None:
        return typed(data[name], kind) if name in data else None

    subject = Subject(
        name=data["name"],
        title=data["title"],
        serves=tuple(data["serves"]),
        folder=str(folder.resolve()),
        install=table("install", Install) or Install(),
        factors=factors,
        start=table("start", Start),
        stop=table("stop", Stop) or Stop(),
        batch=table("batch", Batch),
        build=tuple(data["build"]["argv"]) if "build" in data else None,
        prepare=table("prepare", Prepare),
        reach=data.get("reach", {}),
        floor=data.get("floor", False),
        warm_up_s=float(data.get("warm_up_s", 0)),
        needs=data.get("needs", {}),
        client=table("client", Client),
        driver=table("driver", Batch),
    )
    _check_files(subject, folder, place=place)
    return subject


def _check_whole(data: Mapping[str, Any], folder: Path, *, place: Place) -> None:
    """Raise WordsError for what the schema cannot see: the tables that belong together."""
    if data["name"] != folder.name:
        why = f"Its folder is named {folder.name}."
        raise place.at("name").wrong(f'"{data["name"]}" is another name', why=why, remedy="Make the two equal.")
    kinds = {kind_of(interface) for interface in data["serves"]}
    if "batch" in kinds and len(kinds) > 1:
        why = "A program without a server serves nothing but batch/ interfaces."
        raise place.at("serves").wrong("a server and a program", why=why, remedy="Make two subjects of it.")
    if "net" in kinds and len(kinds) > 1:
        why = "What stands in a network of its own is reached by its own client program alone, over net/ interfaces."
        raise place.at("serves").wrong("two ways of asking", why=why, remedy="Make two subjects of it.")
    if "client" in data:
        _check_in_process(data, kinds - {"sql"}, place=place)
    elif kinds == {"sql"} and "start" not in data:
        why = f"What serves {data['serves'][0]} is a server with [start], or works in process with [client]."
        raise place.wrong("[start] is missing", why=why, remedy="Write one of the two.")
    else:
        _check_tables(data, _TABLES.get(min(kinds), ("start",)), place=place)
    check_reach(data, place)
    _check_prepare(data, place)


_TABLES: Mapping[str, tuple[str, ...]] = {"batch": ("batch",), "net": ("start", "driver")}
"""The tables of what serves a kind of interface; of the other kinds it is [start]."""


def _check_tables(data: Mapping[str, Any], wanted: tuple[str, ...], *, place: Place) -> None:
    """Raise WordsError unless of [start], [batch] and [driver] those are there that are wanted, and no other."""
    others = [each for each in ("start", "batch", "driver") if each not in wanted]
    missing = [each for each in wanted if each not in data]
    beside = [each for each in others if each in data]
    has = " and ".join(f"[{each}]" for each in wanted)
    if missing or beside:
        why = f"What serves {data['serves'][0]} has {has} and no [{(beside or others)[0]}]."
        problem = f"[{missing[0]}] is missing" if missing else f"[{beside[0]}] does not belong here"
        raise place.wrong(problem, why=why, remedy=f"Write {has} alone.")
    if "driver" in wanted and "http" in data["start"]["ready"]:
        why = "It stands in a network of its own, and is asked for pages from outside."
        remedy = "Write ready = { argv = [...] }: that program runs where the driver does."
        raise place.at("start.ready.http").wrong("a page that cannot be reached", why=why, remedy=remedy)
    if "driver" in wanted and "counters" in data["start"]:
        why = "Counters are told beside the records of h2h-load, and a client program of its own leaves others."
        raise place.at("start.counters").wrong("counters that nobody reads", why=why, remedy="Remove it.")


def _check_in_process(data: Mapping[str, Any], others: Collection[str], *, place: Place) -> None:
    """Raise WordsError for a table, or a need, of a server beside [client], and for ``others`` than sql interfaces."""
    for kind in sorted(others):
        why = "What works in the program that asks is asked in SQL alone."
        remedy = f"Remove [client], or what serves {kind}/ interfaces."
        raise place.at("client").wrong(f"[client] of an {kind}/ interface", why=why, remedy=remedy)
    for word in ("start", "stop", "batch", "driver", "needs"):
        if word in data:
            why = "What has [client] works in the program that asks: nothing is started before it, and none left over."
            raise place.at(word).wrong(f"{word} beside [client]", why=why, remedy="Keep one of the two.")


def _check_prepare(data: Mapping[str, Any], place: Place) -> None:
    table = data.get("prepare", {})
    for step in ("load", "check"):
        if step in table and "batch" in data:
            why = "It runs while the subject serves, and a program without a server never does."
            raise place.at(f"prepare.{step}").wrong("nothing serves", why=why, remedy="Do it in prepare.init.")
        if step in table and "driver" in data:
            why = "It runs while the subject serves, and one with [driver] does so in runs alone, over their link."
            raise place.at(f"prepare.{step}").wrong("nothing serves", why=why, remedy="Do it in prepare.init.")
    if "check" in table and "load" not in table and "init" not in table:
        why = "A check is of what init and load made."
        raise place.at("prepare").wrong("nothing is prepared", why=why, remedy="Write load = ..., or remove check.")


def _check_files(subject: Subject, folder: Path, *, place: Place) -> None:
    """Raise WordsError unless the folder holds every file that the subject names, and no name leads out of it."""

    def check(name: str, where: Place) -> None:
        """Check a file, for each interface where its name holds ``@interface@``; there ``/`` is written ``-``."""
        for interface in subject.serves:
            existing(folder, name.replace("@interface@", interface.replace("/", "-")), place=where)

    for source, name in (subject.start.files if subject.start else {}).items():
        check(source, place.at("start.files"))
        check_inside(name, place.at("start.files"))
    if subject.prepare and subject.prepare.check:
        check_inside(subject.prepare.check.expect, place.at("prepare.check.expect"))
    for where, step in _steps(subject):
        if step is not None and step.input is not None:
            check(step.input, place.at(f"{where}.input"))


def _steps(subject: Subject) -> Iterator[tuple[str, Step | None]]:
    """Yield the steps of a subject that may have an input, each with its table's name."""
    if subject.start:
        yield "start.warm", subject.start.warm
    for table, asked in (("start", subject.start), ("client", subject.client)):
        if asked:
            yield f"{table}.configuration", asked.configuration
            yield f"{table}.counters", asked.counters
    if subject.prepare:
        yield "prepare.init", subject.prepare.init
        yield "prepare.load", subject.prepare.load
        yield "prepare.check", subject.prepare.check.step if subject.prepare.check else None
