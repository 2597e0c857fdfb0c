"""Queries that write: their share of all requests, and the data that they change."""

from collections.abc import Mapping, Sequence

from headtohead.describe.toml.position import Place
from headtohead.model.case import WHOLE_RUN
from headtohead.model.study.subject import Range, SubjectFactor
from headtohead.model.study.workload import DataSet, Load, Query, Workload

SHARE = "write_share"
"""The factor of workloads for sql/ interfaces: the share of all requests that write."""

SHARE_AT_MOST = 0.5
"""A workload with more writes is a writing workload, which needs other data."""

_RIGHT = f'levels = {{ from = 0, to = {SHARE_AT_MOST:g} }}, default = 0, state = "fresh"'


def check_share(factor: SubjectFactor, place: Place) -> None:
    """Raise WordsError unless the levels of ``write_share`` are shares from 0 (the default) to at most a half."""
    levels, where = factor.levels, place.at(f"factors.{SHARE}.levels")
    remedy = f"Write {_RIGHT}."
    if not isinstance(levels, Range):
        why = "The share of requests that write is a number in a range."
        raise where.wrong("a list is not allowed", why=why, remedy=remedy)
    if levels.low != 0 or levels.high > SHARE_AT_MOST:
        why = f"The range of the share is from 0, without writes, to at most {SHARE_AT_MOST:g}."
        raise where.wrong("a wrong range", why=why, remedy=remedy)
    if factor.default != 0:
        why = "Without a level in the study, no request writes."
        raise place.at(f"factors.{SHARE}.default").wrong(f"{factor.default} is not 0", why=why, remedy=remedy)


def check_writes(workload: Workload, place: Place) -> None:
    """Raise WordsError if queries of a workload write, but no share or fresh data are given for them."""
    factor, data = workload.factors.get(SHARE), workload.data
    writing = [each for each in workload.queries if each.writes]
    if factor is None:
        if writing:
            why = f"The factor {SHARE} sets the share of requests that write; without it none writes."
            where = place.at(f'query "{writing[0].name}"')
            raise where.wrong("the query would never run", why=why, remedy=f"Write [factors.{SHARE}] with {_RIGHT}.")
        return
    where = place.at(f"factors.{SHARE}")
    if not writing or len(writing) == len(workload.queries):
        lacking = "reads" if writing else "writes"
        why = (
            "It sets the share of requests that write; the others read."
            if writing
            else "It sets the share of requests that write."
        )
        raise where.wrong(f"no query {lacking}", why=why, remedy=f"Add one, or remove [factors.{SHARE}].")
    if data and "fresh" not in (data.state, factor.state):
        why = "The data are kept, so the next run would see what a run wrote."
        raise where.wrong("writes on data that are kept", why=why, remedy='Write state = "fresh" next to the levels.')


def check_states(factors: Mapping[str, SubjectFactor], data: DataSet | None, *, place: Place) -> None:
    """Raise WordsError for a factor that sets the state of data that do not exist."""
    for name, factor in factors.items():
        if factor.state and data is None:
            why = "It is the state of the data set, but this workload has none."
            raise place.at(f"factors.{name}.state").wrong("a state without data", why=why, remedy="Remove it.")


def check_alone(workload: Workload, load: Load, *, shares: Sequence[object], place: Place) -> None:
    """Raise WordsError if ``query`` of the load names an unknown query, or one that cannot run alone.

    ``shares`` are the levels of ``write_share`` in use.
    """
    known = {each.name: each for each in workload.queries}
    where = place.at("load.query")
    for name in _alone(load):
        if name not in known:
            raise where.unknown("query", name, known=known, owner=workload.name)
        _check_reading(known[name], workload.data, place=where)
        if any(share != 0 for share in shares):
            why = f"If {name} runs alone, no other query has a share."
            raise where.wrong(f"both query and {SHARE}", why=why, remedy=f"Remove it, or write {SHARE} = [0].")


def _check_reading(query: Query, data: DataSet | None, *, place: Place) -> None:
    if query.writes and data and data.state == "kept":
        why = "The data are kept, so the next run would see what a run wrote."
        raise place.wrong(f'"{query.name}" alone writes', why=why, remedy="Name queries that read.")


def _alone(load: Load) -> tuple[str, ...]:
    """Return the names of the queries that run alone, each in its own case or one in all cases."""
    listed = load.cases.get("query", ())
    one = load.query_of(WHOLE_RUN)
    return tuple(map(str, listed)) if one is None else (one,)
