"""The version of HTTP of an experiment: where it is 2, users share connections, which are encrypted and kept."""

from collections.abc import Iterator, Mapping

from headtohead.describe.interfaces import over_tls
from headtohead.describe.toml.position import Place
from headtohead.model.study.study import HTTP_VERSION, Factor
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Load, Workload

TWO = "2"
"""The level at which the driver speaks HTTP/2. All others are HTTP/1.1."""

STREAMS = "streams_per_connection"

_OF_ONE_REQUEST = {"connection": ("per-request",), "handshake": ("full", "resumed")}
"""The levels at which every request has its own connection."""


def check_http_version(
    workload: Workload, factors: tuple[Factor, ...], subjects: Mapping[str, Subject], *, load: Load, place: Place
) -> None:
    """Raise WordsError if HTTP/2 does not fit interface, load or another factor, or if users share one of HTTP/1.1."""
    versions = set(_versions(workload, factors, subjects))
    if STREAMS in load.settings and versions - {TWO}:
        why = "With HTTP/1.1 a connection carries one request at a time, and some setup here speaks it."
        remedy = f'Write {HTTP_VERSION} = "2" for every subject, or remove {STREAMS}.'
        raise place.at(f"load.{STREAMS}").wrong(f"{STREAMS} with HTTP/1.1", why=why, remedy=remedy)
    if TWO not in versions:
        return
    where = place.at(f"factors.{HTTP_VERSION}")
    if not over_tls(workload.asks):
        why = f"HTTP/2 is spoken over TLS only, as browsers do, and {workload.asks} does not use TLS."
        raise where.wrong("HTTP/2 without TLS", why=why, remedy="Choose a workload whose interface ends in -tls-v1.")
    if workload.session is not None:
        why = "Each session has a connection of its own, and over HTTP/2 users share connections that are kept."
        raise where.wrong("HTTP/2 with [[step]]", why=why, remedy=f'Write {HTTP_VERSION} = "1.1".')
    if "calls" in load.settings:
        why = "Over HTTP/2 users share connections that are kept."
        raise where.wrong("HTTP/2 with calls", why=why, remedy="Write a load without calls.")
    for name, levels in _OF_ONE_REQUEST.items():
        in_force = [each for each in _levels(name, workload, factors) if each in levels]
        if in_force:
            why = f"At {name} = {in_force[0]} each request has its own connection; over HTTP/2 connections are kept."
            raise where.wrong(f"HTTP/2 with {name}", why=why, remedy=f'Write {name} = ["keep-alive"] under factors.')


def _versions(workload: Workload, factors: tuple[Factor, ...], subjects: Mapping[str, Subject]) -> Iterator[str]:
    """Yield the versions of HTTP of an experiment's setups: the workload's own, else those of each subject."""
    written = _levels(HTTP_VERSION, workload, factors)
    if written:
        yield from written
        return
    levels = [level for factor in factors if factor.name == "subject" for level in factor.levels]
    for level in levels:
        factor = subjects[str(level.value)].factors.get(HTTP_VERSION)
        yield str(level.sets.get(HTTP_VERSION, "1.1" if factor is None else factor.default))


def _levels(name: str, workload: Workload, factors: tuple[Factor, ...]) -> tuple[str, ...]:
    """Return the levels of a factor: those in the study, else the workload's default, if it has the factor."""
    written = [str(level.value) for factor in factors if factor.name == name for level in factor.levels]
    own = (str(workload.factors[name].default),) if name in workload.factors else ()
    return tuple(written) or own
