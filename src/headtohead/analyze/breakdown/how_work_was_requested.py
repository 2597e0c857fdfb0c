"""How the work of a treatment was requested: the loop, its connections, and what joined driver and subject."""

from collections.abc import Iterator, Sequence

from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.model.machine.link import SOCKET, link_text
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.study import HTTP_VERSION
from headtohead.model.study.subject import BATCH_RACE, REPEATED
from headtohead.model.study.workload import Load

KEEPS_CONNECTIONS = ("http/",)
"""Interfaces whose driver keeps its connections from one request to the next."""


def loop_text(experiment: PlannedExperiment, runs: Sequence[RunSeen]) -> str:
    """Return how the work was requested: "closed loop, 10 and 100 connections, keep-alive, loopback, co-located"."""
    load = experiment.load
    if experiment.over_link:
        return f"a client program of its own, timed from inside it; {', '.join(_path(runs))}"
    if experiment.asks == BATCH_RACE:
        return REPEATED
    if load.loop == "batch":
        return "batch work, timed from inside the program"
    parts = [*_asked(load), *_connections(load)]
    if experiment.asks.startswith(KEEPS_CONNECTIONS):
        parts.append(_kept(load, runs[0].treatment))
    if runs[0].run.in_process:
        parts.append("in process")
    elif runs[0].treatment.drivers:
        parts.append(f"from {_listed(runs[0].treatment.drivers)}, over a network")
    elif all(_co_located(each) for each in runs):
        parts += _path(runs)
    return ", ".join(parts)


def _path(runs: Sequence[RunSeen]) -> tuple[str, ...]:
    """Return what joins driver and subject on one machine: a link with its congestion control, or a local way."""
    link = runs[0].treatment.link
    if link is None:
        return "Unix socket" if runs[0].treatment.reach == SOCKET else "loopback", "co-located"
    congestion = runs[0].run.read_back.get("link_congestion")
    return (link_text(link), *([str(congestion)] if congestion else []), "co-located")


def _asked(load: Load) -> Iterator[str]:
    """Yield the loop, and when it sends: by arrivals, or after a user's pause."""
    calls, think = load.settings.get("calls"), load.settings.get("think_s")
    yield f"sessions of {calls} calls" if load.loop == "sessions" else f"{load.loop} loop"
    if load.loop != "closed":
        yield f"{'even' if load.settings.get('arrivals') == 'uniform' else 'Poisson'} arrivals"
        counted = "sessions/s" if load.loop == "sessions" else "requests/s"
        rates = [scalar_text(each) for each in _levels(load, "rate_per_s")]
        yield "rate searched for" if load.searches else f"{_listed(rates)} {counted}"
    if think:
        yield f"{scalar_text(think)} s between calls"


def _connections(load: Load) -> Iterator[str]:
    counts = [scalar_text(each) for each in _levels(load, "connections")]
    if counts:
        most = "" if load.loop == "closed" else "at most "
        yield f"{most}{_listed(counts)} connection{'' if counts == ['1'] else 's'}"
    if streams := load.settings.get("streams_per_connection"):
        yield f"{scalar_text(streams)} requests at once on each"


def _kept(load: Load, treatment: Treatment) -> str:
    """Return how long a connection lasts: the driver keeps it unless the treatment or the load sets something else."""
    asked = {**treatment.settings, **treatment.levels}
    if asked.get(HTTP_VERSION) == "2":
        return "HTTP/2, keep-alive"
    if asked.get("connection") == "per-request":
        return "a connection a request"
    if load.loop == "closed" and (calls := load.settings.get("calls")):
        return f"a connection for {scalar_text(calls)} requests"
    return "a connection a session" if load.loop == "sessions" else "keep-alive"


def _levels(load: Load, name: str) -> tuple[Scalar, ...]:
    return load.cases.get(name) or ((load.settings[name],) if name in load.settings else ())


def _co_located(seen: RunSeen) -> bool:
    drivers = seen.run.hosts.get("drivers")
    return drivers is None or set(drivers) <= {seen.run.hosts.get("sut")}


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
