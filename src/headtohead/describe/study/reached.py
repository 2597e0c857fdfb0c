"""Whether the servers of an experiment can be reached as its factors say: over a link, through a socket or over TCP."""

from collections.abc import Collection, Mapping

from headtohead.describe.factors.templates import ADDRESS
from headtohead.describe.interfaces import kind_of
from headtohead.describe.toml.position import Place
from headtohead.model.machine.link import FACTOR, REACH, SOCKET
from headtohead.model.quantity import Scalar
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Workload

LINKED_KINDS = ("http", "net", "sql")
"""The kinds of interfaces that a link can join: servers that are requested over TCP."""


def check_reached(
    levels: Mapping[str, Collection[Scalar]], subjects: Mapping[str, Subject], workload: Workload, place: Place
) -> None:
    """Raise WordsError unless every subject can be reached over each link, and in each way, that the factors name."""
    if FACTOR in levels:
        _check_linked(subjects, workload, place.at(f"factors.{FACTOR}"))
    if REACH in levels:
        _check_ways(subjects, workload, place.at(f"factors.{REACH}"))
    if FACTOR in levels and SOCKET in levels.get(REACH, ()):
        why = "A Unix socket is a file of one machine, and no link carries it."
        raise place.at(f"factors.{REACH}").wrong(
            f'"{SOCKET}" over a link', why=why, remedy=f'Write {REACH} = ["tcp"], or remove {FACTOR}.'
        )


def _check_linked(subjects: Mapping[str, Subject], workload: Workload, place: Place) -> None:
    kind = kind_of(workload.asks)
    if kind not in LINKED_KINDS:
        why = f"{workload.name} uses {workload.asks}, which is not requested over TCP."
        kinds = f"{'/, '.join(LINKED_KINDS[:-1])}/ and {LINKED_KINDS[-1]}/"
        raise place.wrong(
            f'"{FACTOR}" without a link', why=why, remedy=f"Remove it, or use a workload for {kinds} interfaces."
        )
    for name, subject in subjects.items():
        if subject.client is not None:
            why = "It works inside its client program, so there is no server to reach."
            raise place.wrong(
                f'"{name}" cannot be reached over a link', why=why, remedy=f"Remove {FACTOR}, or choose a server."
            )
        ready = subject.start.ready.http if subject.start else None
        fixed = {"url": subject.reach.get("url"), "host": subject.reach.get("host"), "ready": ready}
        for text in fixed.values() if kind != "net" else ():
            if text is not None and "127.0.0.1" in text:
                why = f"Its subject.toml has {text}, and over a link its address is another one."
                remedy = f'Let it listen on @{ADDRESS}@, and write @{ADDRESS}@ (or "@url@") there.'
                raise place.wrong(f'"{name}" cannot be reached over a link', why=why, remedy=remedy)


def _check_ways(subjects: Mapping[str, Subject], workload: Workload, place: Place) -> None:
    if kind_of(workload.asks) != "sql":
        why = f"{workload.name} uses {workload.asks}; only databases have a choice between a socket and TCP."
        raise place.wrong(f'"{REACH}" without a choice', why=why, remedy="Remove it.")
    for name, subject in subjects.items():
        if subject.client is not None or not {"socket", "host", "port"} <= subject.reach.keys():
            why = "Its [reach] does not have socket, host and port."
            remedy = f"Remove {REACH}, or choose a database server that has all three."
            raise place.wrong(f'"{name}" has no choice between a socket and TCP', why=why, remedy=remedy)
