"""``@name@`` in argv and in files named ``*.in``: which names there are, and whether only those are used."""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from headtohead.describe.home import Home
from headtohead.describe.toml.position import Place
from headtohead.model.study.subject import Step, Subject, reached_names

PLACES = frozenset({"run", "data", "dataset", "build", "source", "port", "interface", "cpus"})
"""What every subject may use: directories, the free port, the interface, the number of CPUs."""

OF_BATCH = frozenset({"cases"})
OF_PARSE = frozenset({"stdout", "stderr", "workload"})
OF_LINK = frozenset({"address", "driver_address"})
"""Of a subject with [driver]: where it stands in the network that it shares with its driver, and where that stands."""

OF_READY = frozenset({"url"})
"""Of the two ways that a server may be reached, the one that the interface is asked by."""

RESERVED = PLACES | OF_BATCH | OF_PARSE | OF_READY | OF_LINK
"""No factor or case field may have one of these names, ``cpus`` aside."""

_OF_PLACE = {
    "batch.parse": OF_BATCH | OF_PARSE,
    "driver.argv": OF_BATCH,
    "driver.parse": OF_BATCH | OF_PARSE,
    "start.ready": OF_READY,
}
_VERSION = "install.version"
_NAME = re.compile(r"@([a-z][a-z0-9_]*)@")


def names_in(texts: Iterable[str]) -> Iterator[str]:
    """Yield the names between ``@`` signs, in the order of the texts."""
    for text in texts:
        yield from _NAME.findall(text)


def check_templates(
    subject: Subject, names: Collection[str], *, home: Home, of_cases: Collection[str] = frozenset()
) -> None:
    """Raise WordsError where a subject uses an ``@name@`` that nothing gives.

    ``names`` are the factors, and for work of cases the scalars of the load; ``of_cases`` its case fields, which a
    server that is started before them does not know.
    """
    place = Place(home.shown(Path(subject.folder) / "subject.toml"))
    reached = [name for factor in subject.needs for name in reached_names(factor)]
    known = {*PLACES, *names, *reached} | (OF_BATCH | {*of_cases} if subject.batch else set())
    known |= OF_LINK if subject.driver else set()
    prepared = {name for name, factor in subject.factors.items() if factor.prepares}
    inputs = _inputs(subject)
    for where, texts in _texts(subject):
        prepares = where.startswith("prepare.") or where in inputs
        given = {*PLACES, *prepared, *reached} if prepares else known | _OF_PLACE.get(where, frozenset())
        if where.startswith("driver."):
            given |= {*of_cases}
        if where == _VERSION:  # asked for before anything is built, prepared or started
            given = set(subject.factors)
        for name in names_in(texts):
            if name not in given and prepares and name in known:
                why = (
                    f"What is prepared is shared by all levels of {name}: it is no factor marked as one that prepares."
                )
                remedy = "Write prepares = true beside its levels, or do without it here."
                raise place.at(where).wrong(f"@{name}@ where data are prepared", why=why, remedy=remedy)
            if name not in given:
                raise place.at(where).unknown("template", f"@{name}@", known=[f"@{each}@" for each in given])


def _inputs(subject: Subject) -> frozenset[str]:
    """Return the names of the files that are read while data are prepared, for each interface."""
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
    """Yield each place of subject.toml that is filled in, and each file named ``*.in``, with its texts."""
    yield _VERSION, subject.install.version or ()
    yield "build.argv", subject.build or ()
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
    yield "reach", tuple(subject.reach.values())
    folder = Path(subject.folder)
    for file in sorted(folder.glob("*.in")):
        yield file.name, (file.read_text("utf-8", errors="replace"),)


def _step(where: str, step: Step | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    if step:
        yield where, (*step.argv, step.input or "")
