"""``@name@`` and products (``@a*b@``) in argv and in ``*.in`` files: the known names, and the check of a subject."""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from headtohead.describe.home import Home
from headtohead.describe.toml.position import Place
from headtohead.model.study.subject import PROGRAMS, Step, Subject, reached_names

PLACES = frozenset({"run", "data", "dataset", "build", "source", "port", "interface", "cpus", "user"})
"""The names that every subject may use: directories, the free port, the interface, the number of CPUs, its user."""

PASSWORD = "password"
OF_PREPARED = frozenset({PASSWORD})
"""For a subject with [prepare]: the password of its prepared copy."""

OF_NATIVE = frozenset({PROGRAMS})
"""For a subject with [native]: the folder of its program, the distribution's or the one compiled here."""

UNPACKED = "unpacked"
"""The unpacked source of the Debian package that [native] compiles."""

OF_BATCH = frozenset({"cases"})
OF_PARSE = frozenset({"stdout", "stderr", "workload"})
ADDRESS = "address"
OF_SERVER = frozenset({ADDRESS})
"""For a subject with [start]: the address at which the driver reaches it: its end of a link, or the loopback."""

OF_LINK = frozenset({"driver_address"})
"""For a subject with [driver]: the driver's address on the link."""

OF_READY = frozenset({"url", "path"})
"""The URL that the interface uses (``url`` or ``tls_url`` of [reach]), and the path of the workload's first request."""

RESERVED = PLACES | OF_PREPARED | OF_NATIVE | {UNPACKED} | OF_BATCH | OF_PARSE | OF_READY | OF_SERVER | OF_LINK
"""No factor or case field may have one of these names, except ``cpus``."""

_NATIVE = "native.argv"
_OF_PLACE = {
    "batch.parse": OF_BATCH | OF_PARSE,
    "driver.argv": OF_BATCH,
    "driver.parse": OF_BATCH | OF_PARSE,
    _NATIVE: frozenset({UNPACKED, "build", "source", "run", "compiler", "flags"}),
    "start.ready": OF_READY,
}
_VERSION = "install.version"
_NAME = re.compile(r"@([a-z][a-z0-9_]*(?:\*[a-z][a-z0-9_]*)*)@")


def names_in(texts: Iterable[str]) -> Iterator[str]:
    """Yield the names between ``@`` signs, in the order of the texts."""
    for text in texts:
        for found in _NAME.findall(text):
            yield from found.split("*")


def uses(subject: Subject, name: str) -> bool:
    """Return whether a subject has ``@name@`` in any of its texts."""
    return any(name in names_in(texts) for _, texts in _texts(subject))


def check_templates(
    subject: Subject, names: Collection[str], *, home: Home, of_cases: Collection[str] = frozenset()
) -> None:
    """Raise WordsError if a subject uses an ``@name@`` that has no value.

    ``names`` are the factors and, if the subject does the work of cases itself, the single values of the load.
    ``of_cases`` are the load's case fields; a server starts before the cases, so it cannot use them.
    """
    place = Place(home.shown(Path(subject.folder) / "subject.toml"))
    reached = [name for factor in subject.needs for name in reached_names(factor)]
    places = PLACES | (OF_PREPARED if subject.prepare else frozenset()) | (OF_NATIVE if subject.native else frozenset())
    known = {*places, *names, *reached} | (OF_BATCH | {*of_cases} if subject.batch else set())
    known |= (OF_SERVER if subject.start else set()) | (OF_LINK if subject.driver else set())
    prepared = {name for name, factor in subject.factors.items() if factor.prepares}
    inputs = _inputs(subject)
    for where, texts in _texts(subject):
        prepares = where.startswith("prepare.") or where in inputs
        given = {*places, *prepared, *reached} if prepares else known | _OF_PLACE.get(where, frozenset())
        if where.startswith("driver."):
            given |= {*of_cases}
        if where == _VERSION:  # runs before anything else is built, prepared or started
            given = {*subject.factors, *(OF_NATIVE if subject.native else ())}
        if where == _NATIVE:
            given = set(_OF_PLACE[where])
        for name in names_in(texts):
            if name in given:
                _check_hidden(name, where, place=place)
            if name not in given and prepares and name in known:
                why = f"All levels of {name} share the prepared data, because the factor is not marked with prepares."
                remedy = "Write prepares = true next to the levels, or remove the name here."
                raise place.at(where).wrong(f"@{name}@ in a step that prepares data", why=why, remedy=remedy)
            if name not in given:
                raise place.at(where).unknown("template", f"@{name}@", known=[f"@{each}@" for each in given])


def _check_hidden(name: str, where: str, *, place: Place) -> None:
    """Raise WordsError for a password in the command line of a program."""
    if name.endswith(PASSWORD) and where != "reach" and not where.endswith(".in"):
        why = "Every user of the machine can read the command lines of programs."
        remedy = "Write it in a file of [start.files], or in the input of a step."
        raise place.at(where).wrong(f"@{name}@ in a command line", why=why, remedy=remedy)


def _inputs(subject: Subject) -> frozenset[str]:
    """Return the names of the input files of the steps that prepare data, for each interface."""
    if subject.prepare is None:
        return frozenset()
    check = subject.prepare.check.step if subject.prepare.check else None
    steps = [step for step in (subject.prepare.init, subject.prepare.load, check) if step and step.input]
    return frozenset(
        (step.input or "").replace("@interface@", interface.replace("/", "-"))
        for step in steps
        for interface in subject.serves
    )


def _texts(subject: Subject) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each key of subject.toml that may hold templates, and each file named ``*.in``, with its texts."""
    yield _VERSION, subject.install.version or ()
    yield "build.argv", subject.build or ()
    if subject.native:
        yield _NATIVE, subject.native.argv
    if subject.prepare:
        yield from _step("prepare.init", subject.prepare.init)
        yield from _step("prepare.load", subject.prepare.load)
        yield from _step("prepare.check", subject.prepare.check.step if subject.prepare.check else None)
    if subject.start:
        yield "start.argv", subject.start.argv
        yield "start.ready", (*(subject.start.ready.argv or ()), subject.start.ready.http or "")
        yield from _step("start.warm", subject.start.warm)
        yield from _step("start.configuration", subject.start.configuration)
        yield from _step("start.counters", subject.start.counters)
    if subject.client:
        yield "client.argv", subject.client.argv
        yield from _step("client.configuration", subject.client.configuration)
        yield from _step("client.counters", subject.client.counters)
    for name, work in (("batch", subject.batch), ("driver", subject.driver)):
        if work:
            yield f"{name}.argv", work.argv
            yield f"{name}.parse", work.parse or ()
            yield f"{name}.moves_mib", tuple(f"@{each}@" for each in work.moves_mib if isinstance(each, str))
    yield "reach", tuple(subject.reach.values())
    folder = Path(subject.folder)
    for file in sorted(folder.glob("*.in")):
        yield file.name, (file.read_text("utf-8", errors="replace"),)


def _step(where: str, step: Step | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    if step:
        yield where, (*step.argv, step.input or "")
