"""The load: the keys of each loop, the cases that lists make, and the changes by a study."""

from collections.abc import Iterator, Mapping
from typing import Any

from headtohead.describe.factors.counted_words import check_cases, is_count
from headtohead.describe.interfaces import is_work, kind_of
from headtohead.describe.toml.position import Place, toml_text
from headtohead.describe.workload.objective import read_objective
from headtohead.model.quantity import Scalar
from headtohead.model.study.session import Session
from headtohead.model.study.size_words import SIZE, TWICE_MEMORY, is_size
from headtohead.model.study.workload import SEARCH, Load, Loop

_TIMES = ("warm_up_s", "settle_s", "measure_s", "timeout_s")
_OF_ANY_LOOP = (*_TIMES, "poll")
_ARRIVE = ("rate_per_s", "arrivals", "connections", "objective")
_OF_HTTP: Mapping[Loop, tuple[str, ...]] = {
    "closed": ("loop", "connections", "streams_per_connection", "calls", "think_s", "requests", *_OF_ANY_LOOP),
    "open": ("loop", *_ARRIVE, "streams_per_connection", *_OF_ANY_LOOP),
    "sessions": ("loop", *_ARRIVE, "calls", "think_s", *_OF_ANY_LOOP),
}
"""The keys of each loop for http/ interfaces."""

_ALONE = ("query", "in_memory")
_LASTING: tuple[Loop, ...] = ("closed", "open")
_OF_SQL: Mapping[Loop, tuple[str, ...]] = {
    loop: (*(word for word in _OF_HTTP[loop] if word not in ("calls", "streams_per_connection")), *_ALONE)
    for loop in _LASTING
}
"""The keys of each loop for sql/ interfaces. Their connections last and are not shared: no sessions, calls, streams."""

_NOTHING = (("think_s", 0), ("streams_per_connection", 1), ("in_memory", False))
"""Keys with values that change nothing."""

_REQUIRED: Mapping[Loop, Mapping[str, str]] = {
    "closed": {"connections": "the number of users", "measure_s": "the measured time"},
    "open": {"rate_per_s": "the requests that arrive per second", "measure_s": "the measured time"},
    "sessions": {
        "rate_per_s": "the sessions that arrive per second",
        "calls": "the calls of each session",
        "measure_s": "the measured time",
    },
}
"""The required keys of each loop, and their meaning."""

_CONNECTIONS_AT_MOST = 1000
"""The limit of connections in a load with arrivals, if the file sets none."""

_TRIAL_S = 2.0
"""The shortest trial of a search: DESIGN.md section 8, *Capacity*."""


def known_words(kind: str) -> Mapping[Loop, tuple[str, ...]]:
    """Return the keys of each loop for a kind of interface, ``http`` or ``sql``."""
    return _OF_SQL if kind == "sql" else _OF_HTTP


def loop_of(asks: str, load: Mapping[str, Any]) -> Loop:
    """Return the loop of a load: ``batch`` if a program does the work itself, else the named loop or ``closed``."""
    if is_work(asks):
        return "batch"
    loop: Loop = load.get("loop", "closed")
    return loop


def read_load(table: Mapping[str, Any], *, asks: str, session: Session | None = None, place: Place) -> Load:
    """Return the load of a ``[load]`` table; raises WordsError for a key that is missing or unknown to its loop.

    The steps of a ``session`` are the calls on its connection.
    """
    loop = loop_of(asks, table)
    if loop == "batch":
        return _batch(table, place)
    if session is not None:
        table = _with_steps(table, loop, session, place=place)
    searches = table.get("rate_per_s") == SEARCH
    _check_known(table, loop, kind=kind_of(asks), place=place)
    _check_words(table, loop, searches=searches, place=place)
    cases = {} if searches else _cases(table, loop)
    return Load(
        loop=loop,
        cases=cases,
        settings=_settings(table, loop, cases=cases),
        warm_up_s=float(table.get("warm_up_s", 0)),
        measure_s=float(table.get("measure_s", _TRIAL_S)),
        timeout_s=float(table.get("timeout_s", Load.timeout_s)),
        objective=read_objective(table.get("objective"), searches=searches, place=place),
        poll=table.get("poll"),
        settle_s=float(table["settle_s"]) if "settle_s" in table else None,
    )


def _with_steps(table: Mapping[str, Any], loop: Loop, session: Session, *, place: Place) -> Mapping[str, Any]:
    if "calls" in table:
        why = "Each session takes all of its steps, on one connection."
        raise place.at("load.calls").wrong("calls with [[step]]", why=why, remedy="Remove it.")
    if loop == "open":
        why = "Requests that arrive by themselves belong to no session."
        remedy = 'Write loop = "sessions", or "closed".'
        raise place.at("load.loop").wrong("the loop open for [[step]]", why=why, remedy=remedy)
    return {**table, "calls": len(session.steps)}


def _cases(table: Mapping[str, Any], loop: Loop) -> dict[str, tuple[Scalar, ...]]:
    """Return the values that vary from case to case."""
    # One number is a case too: the driver runs by cases, and files name all cases the same way.
    varied = "connections" if loop == "closed" else "rate_per_s"
    written = table[varied]
    cases: dict[str, tuple[Scalar, ...]] = {varied: tuple(written) if isinstance(written, list) else (written,)}
    if isinstance(table.get("query"), list):
        cases["query"] = tuple(table["query"])
    return cases


def _check_known(table: Mapping[str, Any], loop: Loop, *, kind: str, place: Place) -> None:
    known = known_words(kind)
    if loop not in known:
        why = f"Connections to a database last; the loops for {kind}/ interfaces are {' and '.join(known)}."
        raise place.at("load.loop").wrong(f"the loop {loop} for queries", why=why, remedy='Write loop = "open".')
    for word in table:
        if word not in known[loop]:
            raise _unknown(word, loop, kind=kind, place=place)


def _check_words(table: Mapping[str, Any], loop: Loop, *, searches: bool, place: Place) -> None:
    for word in _REQUIRED[loop]:
        if word not in table and not (searches and word == "measure_s"):
            meanings = list(_REQUIRED[loop].values())
            why = f"The {loop} loop requires {', '.join(meanings[:-1])} and {meanings[-1]}."
            raise place.at("load").wrong(f'"{word}" is missing', why=why, remedy=f"Write {word} = ...")
    where, connections = place.at("load.connections"), table.get("connections")
    if loop != "closed" and isinstance(connections, list):
        why = "With arrivals, connections is the limit of open connections; it makes no cases."
        remedy = "Write one number; a list of rate_per_s makes cases."
        raise where.wrong(f"{toml_text(connections)} is a list", why=why, remedy=remedy)
    most = max(connections) if isinstance(connections, list) else connections
    if most is not None and table.get("requests", most) < most:
        why = f"With {table['requests']} requests, some of the {most} users would send none."
        raise place.at("load.requests").wrong("fewer requests than users", why=why, remedy=f"Write at least {most}.")
    if searches and isinstance(table.get("query"), list):
        why = "One run is one whole search: its only cases are its trials."
        raise place.at("load.query").wrong("a list in a search", why=why, remedy="Write one query, or remove it.")


def _unknown(word: str, loop: Loop, *, kind: str, place: Place) -> Exception:
    """Return the error for a key that the loop does not know: of another interface, of another loop, or unknown."""
    known = known_words(kind)
    others = [each for each, words in known.items() if word in words]
    if not others and any(word in words for words in _of_all()):
        why = f"A load for {kind}/ interfaces has the keys {', '.join(known[loop][1:])}."
        return place.at("load").wrong(f'"{word}" for an {kind}/ interface', why=why, remedy="Remove it.")
    if not others:
        return place.at("load").unknown("field", word, known=known[loop], owner=f"the {loop} loop")
    whose = f"loop{'s' if len(others) > 1 else ''} {' and '.join(others)}"
    why = f"It is a key of the {whose}; the {loop} loop has the keys {', '.join(known[loop][1:])}."
    remedy = f'Remove it, or write loop = "{others[0 if loop == "closed" else -1]}".'
    return place.at("load").wrong(f'"{word}" in the {loop} loop', why=why, remedy=remedy)


def _settings(table: Mapping[str, Any], loop: Loop, *, cases: Mapping[str, object]) -> Mapping[str, Scalar]:
    """Return the settings besides cases, times and ``poll``, with defaults, so that equal loads compare equal."""
    standard: Mapping[str, Scalar] = (
        {} if loop == "closed" else {"arrivals": "poisson", "connections": _CONNECTIONS_AT_MOST}
    )
    apart = ("loop", "objective", *_OF_ANY_LOOP, *cases)
    settings = {**standard, **{word: value for word, value in table.items() if word not in apart}}
    return {word: value for word, value in settings.items() if (word, value) not in _NOTHING}


def _batch(table: Mapping[str, Any], place: Place) -> Load:
    for word in ("loop", *_OF_ANY_LOOP, "rate_per_s", "arrivals", "objective"):
        if word in table:
            raise _of_no_loop(word, place)
    # A count word may mean several numbers, so it makes cases even without a list.
    listed = {field: [value] if is_count(field, value) else value for field, value in table.items()}
    cases = {field: tuple(value) for field, value in listed.items() if isinstance(value, list)}
    for field, values in cases.items():
        check_cases(field, values, place=place.at(f"load.{field}"))
    settings: dict[str, Scalar] = {field: value for field, value in table.items() if field not in cases}
    _check_size(settings.get(SIZE), place.at(f"load.{SIZE}"))
    return Load(loop="batch", cases=cases, settings=settings)


def _check_size(size: Scalar | None, place: Place) -> None:
    """Raise WordsError for a size that is a text, unless it is the word for twice the memory."""
    if isinstance(size, str) and not is_size(SIZE, size):
        why = f'A size is a number of MiB, or "{TWICE_MEMORY}", which no page cache holds.'
        raise place.wrong(f"{toml_text(size)} is not a size", why=why, remedy=f"For example {SIZE} = 20480.")


def _of_no_loop(word: str, place: Place) -> Exception:
    why = "Batch work drives and times itself; it has no loop."
    return place.at(f"load.{word}").wrong(f'unknown field "{word}"', why=why, remedy="Remove it.")


def _of_all() -> Iterator[tuple[str, ...]]:
    """Yield the keys of every loop, for every kind of interface."""
    yield from (*_OF_HTTP.values(), *_OF_SQL.values())


def merged(workload: Mapping[str, Any], study: Mapping[str, Any], *, asks: str, place: Place) -> Mapping[str, Any]:
    """Return the workload's ``[load]`` with the study's changes.

    If the study sets another loop, only the times and ``poll`` stay. If the workload has a list, the study's single
    value becomes a list of one, so that cases keep their fields.
    """
    loop = loop_of(asks, {**workload, **study})
    if loop == "batch":
        for field in study:
            if field in workload:
                continue
            if any(field in known for known in _of_all()):
                raise _of_no_loop(field, place)
            raise place.at("load").unknown("field", field, known=workload, owner="this workload's load")
    same = loop == loop_of(asks, workload)
    changed = {word: value for word, value in workload.items() if same or word in _OF_ANY_LOOP}
    searches = study.get("rate_per_s", changed.get("rate_per_s")) == SEARCH
    for field, value in study.items():
        listed = same and not searches and isinstance(workload.get(field), list) and not isinstance(value, list)
        changed[field] = [value] if listed else value
    for word in _pointless(workload, study, searches=searches):
        changed.pop(word, None)
    return changed


def _pointless(workload: Mapping[str, Any], study: Mapping[str, Any], *, searches: bool) -> Iterator[str]:
    """Yield the workload's keys that mean nothing with the study's changes."""
    if not searches and "objective" not in study:
        yield "objective"
    if searches and workload.get("rate_per_s") != SEARCH and "measure_s" not in study:
        yield "measure_s"  # it is for a case, not for a trial
    if "measure_s" in study and "requests" not in study:
        yield "requests"  # the study sets the time, not the number
