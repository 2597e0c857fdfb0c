"""Factors that change how a driver sends requests, and the check that they fit the loop."""

from collections.abc import Iterator, Mapping

from headtohead.describe.interfaces import is_work, kind_of, over_tls
from headtohead.describe.toml.position import Place, toml_text
from headtohead.describe.workload.write_queries import SHARE, check_alone, check_share
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.study import HTTP_VERSION, Factor
from headtohead.model.study.subject import Range, SubjectFactor
from headtohead.model.study.workload import Load, Workload

_LEVELS: Mapping[str, tuple[str, ...]] = {
    "connection": ("keep-alive", "per-request"),
    "gzip": ("off", "on"),
    "handshake": ("keep-alive", "resumed", "full"),
    HTTP_VERSION: ("1.1", "2"),
}
"""The factors of workloads for http/ interfaces, with all levels that the driver supports."""

_ONE_REQUEST = {"connection": ("per-request",), "handshake": ("resumed", "full")}
"""The levels at which every request has its own connection."""


def check_known(factors: Mapping[str, SubjectFactor], *, asks: str, place: Place) -> None:
    """Raise WordsError for a factor that the workload's interface does not support, and for two with timeouts."""
    if is_work(asks):
        _check_batch(factors, place)
    elif kind_of(asks) == "sql":
        _check_sql(factors, place)
    else:
        _check_http(factors, asks=asks, place=place)
    limited = [name for name, factor in factors.items() if factor.timeout_s]
    if len(limited) > 1:
        why = f"{' and '.join(limited)} both set timeouts, but a request has one timeout."
        raise place.at("factors").wrong("two factors with timeouts", why=why, remedy="Keep the timeouts of one factor.")


def _check_sql(factors: Mapping[str, SubjectFactor], place: Place) -> None:
    for name, factor in factors.items():
        if name != SHARE:
            raise place.at("factors").unknown("factor", name, known=[SHARE], owner="workloads for sql/ interfaces")
        check_share(factor, place)


def _check_http(factors: Mapping[str, SubjectFactor], *, asks: str, place: Place) -> None:
    for name, factor in factors.items():
        _check_factor(name, factor, place=place)
    if "handshake" in factors and not over_tls(asks):
        why = f"{asks} does not use TLS."
        remedy = "Remove it, or use an interface whose name ends in -tls-v1 or later."
        raise place.at("factors.handshake").wrong("no handshake to vary", why=why, remedy=remedy)
    if {"handshake", "connection"} <= factors.keys():
        why = "Both set how long a connection lasts; over TLS handshake does."
        raise place.at("factors.connection").wrong("both connection and handshake", why=why, remedy="Keep handshake.")


def _check_batch(factors: Mapping[str, SubjectFactor], place: Place) -> None:
    for name, factor in factors.items():
        if factor.timeout_s:
            why = "Batch work times itself, so no request can time out."
            raise place.at(f"factors.{name}.timeout_s").wrong("a timeout for batch work", why=why, remedy="Remove it.")


def _check_factor(name: str, factor: SubjectFactor, *, place: Place) -> None:
    if name not in _LEVELS:
        raise place.at("factors").unknown("factor", name, known=_LEVELS, owner="workloads for http/ interfaces")
    where, known = place.at(f"factors.{name}.levels"), _LEVELS[name]
    if isinstance(factor.levels, Range):
        why = f"The levels here: {', '.join(known)}."
        raise where.wrong("a range is not allowed", why=why, remedy=f"Write levels = {toml_text(known)}.")
    for level in factor.levels:
        if level not in known:
            raise where.unknown("level", scalar_text(level), known=known, owner=name)


def check_load_fits(workload: Workload, factors: tuple[Factor, ...], *, load: Load, place: Place) -> None:
    """Raise WordsError if a level of an experiment does not fit its load."""
    if load.loop == "batch":
        return
    check_alone(workload, load, shares=_in_force(SHARE, workload, factors), place=place)
    if workload.session is not None and _in_force("gzip", workload, factors)[:1] not in ((), ("off",)):
        why = "Values are looked for in the bodies of steps, which are not inflated."
        raise place.at("factors.gzip").wrong("gzip with [[step]]", why=why, remedy="Remove the factor.")
    carries = f"a connection carries {load.settings['calls']} calls" if "calls" in load.settings else None
    for name, levels in _ONE_REQUEST.items():
        in_force = [level for level in _in_force(name, workload, factors) if level in levels]
        if carries and in_force:
            why = f"At that level each request has its own connection; in this load {carries}."
            remedy = f'Write {name} = ["keep-alive"] under factors, or a load without calls.'
            raise place.at(f"factors.{name}").wrong(f'"{in_force[0]}" does not go with calls', why=why, remedy=remedy)
    _check_limits(workload, factors, load=load, place=place)


def _check_limits(workload: Workload, factors: tuple[Factor, ...], *, load: Load, place: Place) -> None:
    """Raise WordsError if a limit of the objective is not below the timeout of a request."""
    limits = {name: limit for name, limit in load.objective.items() if name != "error_share"}
    timeout_s = min(_timeouts(workload, factors, load))
    for name, limit_ns in limits.items():
        if limit_ns >= timeout_s * 1e9:
            why = f"A request times out after {timeout_s:g} s: it is then an error, not a late response."
            remedy = "Write a smaller limit, or a longer timeout_s."
            raise place.at(f"load.objective.{name}").wrong("the limit is not below the timeout", why=why, remedy=remedy)


def _timeouts(workload: Workload, factors: tuple[Factor, ...], load: Load) -> Iterator[float]:
    """Yield the timeouts in use: those of the levels that set one, else the load's."""
    limited = [name for name, factor in workload.factors.items() if factor.timeout_s]
    for name in limited:
        for level in _in_force(name, workload, factors):
            yield workload.factors[name].timeout_s.get(scalar_text(level), load.timeout_s)
    if not limited:
        yield load.timeout_s


def _in_force(name: str, workload: Workload, factors: tuple[Factor, ...]) -> tuple[Scalar, ...]:
    """Return the levels that an experiment uses of a workload's factor: those in the study, else the default."""
    if name not in workload.factors:
        return ()
    written = [level.value for factor in factors if factor.name == name for level in factor.levels]
    return tuple(written) or (workload.factors[name].default,)
