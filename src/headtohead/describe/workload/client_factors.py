"""Factors that a driver asks by, and whether they and the loop can be had together."""

from collections.abc import Iterator, Mapping

from headtohead.describe.interfaces import is_work, kind_of, over_tls
from headtohead.describe.toml.position import Place, toml_text
from headtohead.describe.workload.write_queries import SHARE, check_alone, check_share
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.study import Factor
from headtohead.model.study.subject import Range, SubjectFactor
from headtohead.model.study.workload import Load, Workload

_LEVELS: Mapping[str, tuple[str, ...]] = {
    "connection": ("keep-alive", "per-request"),
    "gzip": ("off", "on"),
    "handshake": ("keep-alive", "resumed", "full"),
}
"""The factors of workloads that ask an http/ interface, and all the levels that the driver can ask by."""

_ONE_REQUEST = {"connection": ("per-request",), "handshake": ("resumed", "full")}
"""The levels at which every request has a connection of its own."""


def check_known(factors: Mapping[str, SubjectFactor], *, asks: str, place: Place) -> None:
    """Raise WordsError for a workload's factor that its interface is not asked by, and for two that say one thing."""
    if is_work(asks):
        _check_batch(factors, place)
    elif kind_of(asks) == "sql":
        _check_sql(factors, place)
    else:
        _check_http(factors, asks=asks, place=place)
    limited = [name for name, factor in factors.items() if factor.timeout_s]
    if len(limited) > 1:
        why = f"{' and '.join(limited)} both set timeouts, and a request has one."
        raise place.at("factors").wrong("two factors with timeouts", why=why, remedy="Keep those of one factor.")


def _check_sql(factors: Mapping[str, SubjectFactor], place: Place) -> None:
    for name, factor in factors.items():
        if name != SHARE:
            raise place.at("factors").unknown("factor", name, known=[SHARE], owner="workloads that ask sql/ interfaces")
        check_share(factor, place)


def _check_http(factors: Mapping[str, SubjectFactor], *, asks: str, place: Place) -> None:
    for name, factor in factors.items():
        _check_factor(name, factor, place=place)
    if "handshake" in factors and not over_tls(asks):
        why = f"{asks} is asked without TLS."
        remedy = "Remove it, or ask an interface whose name ends in -tls-v1 or later."
        raise place.at("factors.handshake").wrong("no handshake to vary", why=why, remedy=remedy)
    if {"handshake", "connection"} <= factors.keys():
        why = "Each says how long a connection lives: handshake does where connections begin with one."
        raise place.at("factors.connection").wrong("connection beside handshake", why=why, remedy="Keep handshake.")


def _check_batch(factors: Mapping[str, SubjectFactor], place: Place) -> None:
    for name, factor in factors.items():
        if factor.timeout_s:
            why = "Batch work times itself; nothing waits for answers."
            raise place.at(f"factors.{name}.timeout_s").wrong("a timeout of batch work", why=why, remedy="Remove it.")


def _check_factor(name: str, factor: SubjectFactor, *, place: Place) -> None:
    if name not in _LEVELS:
        raise place.at("factors").unknown("factor", name, known=_LEVELS, owner="workloads that ask http/ interfaces")
    where, known = place.at(f"factors.{name}.levels"), _LEVELS[name]
    if isinstance(factor.levels, Range):
        why = f"The driver asks by {', '.join(known)}."
        raise where.wrong("a range", why=why, remedy=f"Write levels = {toml_text(known)}.")
    for level in factor.levels:
        if level not in known:
            raise where.unknown("level", scalar_text(level), known=known, owner=name)


def check_asked(workload: Workload, factors: tuple[Factor, ...], *, load: Load, place: Place) -> None:
    """Raise WordsError where a level of an experiment and its load cannot be had together."""
    if load.loop == "batch":
        return
    check_alone(workload, load, shares=_in_force(SHARE, workload, factors), place=place)
    carries = f"a connection carries {load.settings['calls']} calls" if "calls" in load.settings else None
    for name, levels in _ONE_REQUEST.items():
        in_force = [level for level in _in_force(name, workload, factors) if level in levels]
        if carries and in_force:
            why = f"There each request has a connection of its own; in this load {carries}."
            remedy = f'Write {name} = ["keep-alive"] under factors, or a load without calls.'
            raise place.at(f"factors.{name}").wrong(f'"{in_force[0]}" beside calls', why=why, remedy=remedy)
    _check_limits(workload, factors, load=load, place=place)


def _check_limits(workload: Workload, factors: tuple[Factor, ...], *, load: Load, place: Place) -> None:
    """Raise WordsError where an objective's limit is beyond what a request may take at all."""
    limits = {name: limit for name, limit in load.objective.items() if name != "error_share"}
    timeout_s = min(_timeouts(workload, factors, load))
    for name, limit_ns in limits.items():
        if limit_ns >= timeout_s * 1e9:
            why = f"A request that takes {timeout_s:g} s has timed out: it is an error, never a late answer."
            remedy = "Write a smaller limit, or a longer timeout_s."
            raise place.at(f"load.objective.{name}").wrong("a limit beyond the timeout", why=why, remedy=remedy)


def _timeouts(workload: Workload, factors: tuple[Factor, ...], load: Load) -> Iterator[float]:
    """Yield the timeouts in force: of the levels that set one in the load's place, else the load's."""
    limited = [name for name, factor in workload.factors.items() if factor.timeout_s]
    for name in limited:
        for level in _in_force(name, workload, factors):
            yield workload.factors[name].timeout_s.get(scalar_text(level), load.timeout_s)
    if not limited:
        yield load.timeout_s


def _in_force(name: str, workload: Workload, factors: tuple[Factor, ...]) -> tuple[Scalar, ...]:
    """Return the levels that an experiment has of a workload's factor: those written, else the default."""
    if name not in workload.factors:
        return ()
    written = [level.value for factor in factors if factor.name == name for level in factor.levels]
    return tuple(written) or (workload.factors[name].default,)
