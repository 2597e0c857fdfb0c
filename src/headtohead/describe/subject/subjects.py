"""Subjects: ``subjects/<name>/subject.toml``."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from headtohead.describe.factors.levels import read_factors
from headtohead.describe.home import SUBJECT_FILE, Home, find_home
from headtohead.describe.interfaces import kind_of
from headtohead.describe.subject.needs import check_factors, check_needs
from headtohead.describe.subject.reach import check_reach
from headtohead.describe.toml.document import read_toml
from headtohead.describe.toml.folder_paths import check_inside, existing_file
from headtohead.describe.toml.position import Place, clipped
from headtohead.describe.toml.typed import typed
from headtohead.model.study.subject import BUILD, Batch, Client, Install, Native, Prepare, Start, Step, Stop, Subject

T = TypeVar("T")


def read_all(home: Home) -> Mapping[str, Subject]:
    """Return every subject by its name; raises WordsError for the first wrong one."""
    subjects = {name: read_subject(folder, home=home) for name, folder in home.known_subjects().items()}
    for subject in subjects.values():
        check_needs(subject, subjects, home=home)
    return subjects


def read_subject(folder: Path, *, home: Home | None = None) -> Subject:
    """Return the subject that a folder describes.

    Raises WordsError if subject.toml is wrong, or names a file that is not in the folder. Its templates are checked
    later, with a workload, because only the workload knows the case fields.
    """
    written = read_toml(folder / SUBJECT_FILE, "subject", home=home or find_home())
    data, place = written.data, written.place
    _check_whole(data, folder, place=place)
    native = typed(data["native"], Native) if "native" in data else None
    factors = {**read_factors(data.get("factors", {}), place), **({} if native is None else {BUILD: native.factor})}
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
        native=native,
        prepare=table("prepare", Prepare),
        reach=data.get("reach", {}),
        floor=data.get("floor", False),
        warm_up_s=float(data.get("warm_up_s", 0)),
        settle_s=float(data.get("settle_s", 0)),
        needs=data.get("needs", {}),
        client=table("client", Client),
        driver=table("driver", Batch),
        usual_rate_per_s={name: float(rate) for name, rate in data.get("usual_rate_per_s", {}).items()},
    )
    _check_files(subject, folder, place=place)
    return subject


def _check_whole(data: Mapping[str, Any], folder: Path, *, place: Place) -> None:
    """Raise WordsError for errors that the schema cannot find: tables that do not go together."""
    if data["name"] != folder.name:
        why = f"Its folder is named {folder.name}."
        raise place.at("name").wrong(
            f'"{data["name"]}" is not the name of the folder', why=why, remedy="Make the two names equal."
        )
    kinds = {kind_of(interface) for interface in data["serves"]}
    if "batch" in kinds and len(kinds) > 1:
        why = "A program without a server serves only batch/ interfaces."
        raise place.at("serves").wrong("batch/ interfaces and others", why=why, remedy="Make two subjects of it.")
    if "net" in kinds and len(kinds) > 1:
        why = "A subject with net/ interfaces has its own network, which only its own client program reaches."
        raise place.at("serves").wrong("net/ interfaces and others", why=why, remedy="Make two subjects of it.")
    if "client" in data:
        _check_in_process(data, kinds - {"sql"}, place=place)
    elif kinds == {"sql"} and "start" not in data:
        why = (
            f"A subject that serves {data['serves'][0]} has [start] for a server, or [client] for an engine in process."
        )
        raise place.wrong("[start] is missing", why=why, remedy="Write one of the two.")
    else:
        _check_tables(data, _TABLES.get(min(kinds), ("start",)), place=place)
    _check_attach(data, place)
    _check_ready(data.get("start", {}).get("ready", {"http": ""}), place)
    check_reach(data, place)
    _check_prepare(data, place)


_TABLES: Mapping[str, tuple[str, ...]] = {"batch": ("batch",), "net": ("start", "driver")}
"""The tables of a subject, by its kind of interface; the other kinds have [start]."""


def _check_tables(data: Mapping[str, Any], required: tuple[str, ...], *, place: Place) -> None:
    """Raise WordsError unless exactly the required tables exist, of [start], [batch] and [driver]."""
    others = [each for each in ("start", "batch", "driver") if each not in required]
    missing = [each for each in required if each not in data]
    extra = [each for each in others if each in data]
    has = " and ".join(f"[{each}]" for each in required)
    if missing or extra:
        why = f"A subject that serves {data['serves'][0]} has {has} and no [{(extra or others)[0]}]."
        problem = f"[{missing[0]}] is missing" if missing else f"[{extra[0]}] does not belong here"
        raise place.wrong(problem, why=why, remedy=f"Write {has} only.")
    if "driver" in required and "http" in data["start"]["ready"]:
        why = "The subject has its own network, and the request for the page comes from outside it."
        remedy = "Write ready = { argv = [...] }: that program runs in the driver's network."
        raise place.at("start.ready.http").wrong("a page that cannot be reached", why=why, remedy=remedy)
    if "driver" in required and "counters" in data["start"]:
        why = "Counters go with the records of h2h-load; a subject's own client program writes other records."
        raise place.at("start.counters").wrong("counters that are never read", why=why, remedy="Remove it.")


def _check_in_process(data: Mapping[str, Any], others: Collection[str], *, place: Place) -> None:
    """Raise WordsError for server tables or needs next to [client], and for ``others`` than sql interfaces."""
    for kind in sorted(others):
        why = "An engine that runs inside its client program serves only sql/ interfaces."
        remedy = f"Remove [client], or the {kind}/ interfaces."
        raise place.at("client").wrong(f"[client] with an {kind}/ interface", why=why, remedy=remedy)
    for word in ("start", "stop", "batch", "driver", "needs"):
        if word in data:
            why = "A subject with [client] runs inside its client program: nothing starts before it or stays after it."
            raise place.at(word).wrong(f"{word} does not go with [client]", why=why, remedy="Keep one of the two.")


def _check_attach(data: Mapping[str, Any], place: Place) -> None:
    """Raise WordsError unless the server is started, or already runs."""
    start, where = data.get("start", {"argv": ()}), place.at("start")
    if ("argv" in start) == ("attach" in start):
        why = "A server is started by its argv, or it already runs and attach names its processes."
        raise where.wrong("not exactly one of argv and attach", why=why, remedy="Give either argv or attach.")
    others = [each for each in ("files", "directory") if each in start and "attach" in start]
    others += [each for each in ("build", "prepare", "stop", "driver") if each in data and "attach" in start]
    if others:
        why = "Nothing starts, prepares or stops a server that already runs."
        raise where.wrong(f"{others[0]} does not go with attach", why=why, remedy=f"Remove {others[0]}.")


def _check_ready(ready: Mapping[str, Any], place: Place) -> None:
    """Raise WordsError unless ``ready`` has either a page or a program."""
    where = place.at("start.ready")
    if ("http" in ready) == ("argv" in ready):
        why = "A server is ready when a page comes, or when a program succeeds."
        raise where.wrong("not exactly one of http and argv", why=why, remedy="Give either http or argv.")
    if "any_status" in ready and "argv" in ready:
        why = "Only a response has a status."
        raise where.wrong("any_status without http", why=why, remedy="Remove it.")


def _check_prepare(data: Mapping[str, Any], place: Place) -> None:
    table = data.get("prepare", {})
    for step in ("load", "check"):
        if step in table and "batch" in data:
            why = "It runs while the subject serves, and a program without a server never serves."
            raise place.at(f"prepare.{step}").wrong("nothing serves", why=why, remedy="Do it in prepare.init.")
        if step in table and "driver" in data:
            why = "It runs while the subject serves, and a subject with [driver] serves only in runs, over their link."
            raise place.at(f"prepare.{step}").wrong("nothing serves", why=why, remedy="Do it in prepare.init.")
    if "check" in table and "load" not in table and "init" not in table:
        why = "A check compares the data that init and load made."
        raise place.at("prepare").wrong("nothing is prepared", why=why, remedy="Write load = ..., or remove check.")


def _check_files(subject: Subject, folder: Path, *, place: Place) -> None:
    """Raise WordsError unless the folder holds every file that the subject names, and no name leaves the folder."""

    def check(name: str, where: Place) -> None:
        """Check a file, for each interface if its name holds ``@interface@``; a file name has - for / there."""
        for interface in subject.serves:
            existing_file(folder, name.replace("@interface@", interface.replace("/", "-")), place=where)

    for source, name in (subject.start.files if subject.start else {}).items():
        check(source, place.at("start.files"))
        check_inside(name, place.at("start.files"))
        if "/" in name:  # a program of the run could make that folder a link, which root would follow
            why = "These files are written next to each other, into a directory that is empty before."
            raise place.at("start.files").wrong(
                f'"{clipped(name)}" is in a folder', why=why, remedy="Give a name without a slash."
            )
    if subject.prepare and subject.prepare.check:
        check_inside(subject.prepare.check.expect, place.at("prepare.check.expect"))
    for where, step in _steps(subject):
        if step is not None and step.input is not None:
            check(step.input, place.at(f"{where}.input"))


def _steps(subject: Subject) -> Iterator[tuple[str, Step | None]]:
    """Yield each step that may have an input, with the name of its table."""
    if subject.start:
        yield "start.warm", subject.start.warm
    for table, server in (("start", subject.start), ("client", subject.client)):
        if server:
            yield f"{table}.configuration", server.configuration
            yield f"{table}.counters", server.counters
    if subject.prepare:
        yield "prepare.init", subject.prepare.init
        yield "prepare.load", subject.prepare.load
        yield "prepare.check", subject.prepare.check.step if subject.prepare.check else None
