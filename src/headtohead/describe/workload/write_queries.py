"""Queries that write: how many of all they are, and on which data."""

from collections.abc import Mapping, Sequence

from headtohead.describe.toml.position import Place
from headtohead.model.case import WHOLE_RUN
from headtohead.model.study.subject import Range, SubjectFactor
from headtohead.model.study.workload import DataSet, Load, Query, Workload

SHARE = "write_share"
"""The factor of workloads that ask sql/ interfaces: the share of all requests that write."""

SHARE_AT_MOST = 0.5
"""With more of them a workload is one of writing, which asks for other data than those that are read here."""

_RIGHT = f'levels = {{ from = 0, to = {SHARE_AT_MOST:g} }}, default = 0, state = "fresh"'


def check_share(factor: SubjectFactor, place: Place) -> None:
    """Raise WordsError unless the levels of ``write_share`` are shares from 0, the default, to at most half."""
    levels, where = factor.levels, place.at(f"factors.{SHARE}.levels")
    remedy = f"Write {_RIGHT}."
    if not isinstance(levels, Range):
        why = "How much of all is written is a number between the ends of a range."
        raise where.wrong("a list", why=why, remedy=remedy)
    if levels.low != 0 or levels.high > SHARE_AT_MOST:
        why = f"The share goes from 0, where nothing is written, to at most {SHARE_AT_MOST:g}."
        raise where.wrong("another range", why=why, remedy=remedy)
    if factor.default != 0:
        why = "Where a study says nothing, nothing is written."
        raise place.at(f"factors.{SHARE}.default").wrong(f"{factor.default} is not 0", why=why, remedy=remedy)


def check_writes(workload: Workload, place: Place) -> None:
    """Raise WordsError where queries of a workload write, and nothing says how many or on which data."""
    factor, data = workload.factors.get(SHARE), workload.data
    writing = [each for each in workload.queries if each.writes]
    if factor is None:
        if writing:
            why = f"The factor {SHARE} says how many of all requests write; without it none does."
            where = place.at(f'query "{writing[0].name}"')
            raise where.wrong("it would never be asked", why=why, remedy=f"Write [factors.{SHARE}] with {_RIGHT}.")
        return
    where = place.at(f"factors.{SHARE}")
    if not writing or len(writing) == len(workload.queries):
        lacking = "reads" if writing else "writes"
        why = "It says how many of all requests write; the others read." if writing else "It says how many write."
        raise where.wrong(f"no query {lacking}", why=why, remedy=f"Add one, or remove [factors.{SHARE}].")
    if data and "fresh" not in (data.state, factor.state):
        why = "What one run wrote would be there in the next: the data are kept."
        raise where.wrong("writing on data that are kept", why=why, remedy='Write state = "fresh" beside its levels.')


def check_states(factors: Mapping[str, SubjectFactor], data: DataSet | None, *, place: Place) -> None:
    """Raise WordsError for a factor's state of data that there are not."""
    for name, factor in factors.items():
        if factor.state and data is None:
            why = "It is the state of the data set, and this workload has none."
            raise place.at(f"factors.{name}.state").wrong("a state without data", why=why, remedy="Remove it.")


def check_alone(workload: Workload, load: Load, *, shares: Sequence[object], place: Place) -> None:
    """Raise WordsError where the load asks a query alone that there is not, or that cannot be alone.

    ``shares`` are the levels of ``write_share`` in force.
    """
    known = {each.name: each for each in workload.queries}
    where = place.at("load.query")
    for name in _alone(load):
        if name not in known:
            raise where.unknown("query", name, known=known, owner=workload.name)
        _check_reading(known[name], workload.data, place=where)
        if any(share != 0 for share in shares):
            why = f"Where {name} is asked alone no share of the requests is of other queries."
            raise where.wrong(f"query beside {SHARE}", why=why, remedy=f"Remove it, or write {SHARE} = [0].")


def _check_reading(query: Query, data: DataSet | None, *, place: Place) -> None:
    if query.writes and data and data.state == "kept":
        why = "What one run wrote would be there in the next: the data are kept."
        raise place.wrong(f'"{query.name}" alone writes', why=why, remedy="Name queries that read.")


def _alone(load: Load) -> tuple[str, ...]:
    """Return the names of the queries that are asked alone, each in a case of its own or one in all cases."""
    listed = load.cases.get("query", ())
    one = load.query_of(WHOLE_RUN)
    return tuple(map(str, listed)) if one is None else (one,)
