"""The load: which words a loop knows, what a list makes cases of, and what a study changes."""

from collections.abc import Iterator, Mapping
from typing import Any

from headtohead.describe.factors.counted_words import check_cases, is_count
from headtohead.describe.interfaces import is_work, kind_of
from headtohead.describe.toml.position import Place, toml_text
from headtohead.describe.workload.objective import read_objective
from headtohead.model.quantity import Scalar
from headtohead.model.study.workload import SEARCH, Load, Loop

_TIMES = ("warm_up_s", "measure_s", "timeout_s")
_ARRIVE = ("rate_per_s", "arrivals", "connections", "objective")
_OF_HTTP: Mapping[Loop, tuple[str, ...]] = {
    "closed": ("loop", "connections", "calls", "think_s", "requests", *_TIMES),
    "open": ("loop", *_ARRIVE, *_TIMES),
    "sessions": ("loop", *_ARRIVE, "calls", "think_s", *_TIMES),
}
"""The words of each loop that asks an http/ interface."""

_ALONE = ("query", "in_memory")
_OF_SQL: Mapping[Loop, tuple[str, ...]] = {
    "closed": (*(word for word in _OF_HTTP["closed"] if word != "calls"), *_ALONE),
    "open": (*_OF_HTTP["open"], *_ALONE),
}
"""The words of each loop that asks an sql/ interface, whose connections last: there are no sessions and no calls."""

_NOTHING = (("think_s", 0), ("in_memory", False))
"""Words that say what holds without them."""

_REQUIRED: Mapping[Loop, Mapping[str, str]] = {
    "closed": {"connections": "how many users wait", "measure_s": "how long it measures"},
    "open": {"rate_per_s": "how many requests arrive a second", "measure_s": "how long it measures"},
    "sessions": {
        "rate_per_s": "how many sessions arrive a second",
        "calls": "how many calls each of them makes",
        "measure_s": "how long it measures",
    },
}
"""The words that a loop cannot do without, and what they tell it."""

_CONNECTIONS_AT_MOST = 1000
"""Where arrivals open connections as they need them and the words set no limit."""

_TRIAL_S = 2.0
"""The shortest trial of a search: DESIGN.md section 8, *Capacity*."""


def known_words(kind: str) -> Mapping[Loop, tuple[str, ...]]:
    """Return the words of each loop that asks an interface of a kind, ``http`` or ``sql``."""
    return _OF_SQL if kind == "sql" else _OF_HTTP


def loop_of(asks: str, load: Mapping[str, Any]) -> Loop:
    """Return the loop that asks: work of cases drives itself; else the one that the words name, or the closed one."""
    if is_work(asks):
        return "batch"
    loop: Loop = load.get("loop", "closed")
    return loop


def read_load(table: Mapping[str, Any], *, asks: str, place: Place) -> Load:
    """Return a load as written; raises WordsError for a word that its loop does not know, or lacks."""
    loop = loop_of(asks, table)
    if loop == "batch":
        return _batch(table, place)
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
    )


def _cases(table: Mapping[str, Any], loop: Loop) -> dict[str, tuple[Scalar, ...]]:
    """Return what varies from case to case."""
    # One number is a case too: the driver is asked by cases, and files name them alike.
    varied = "connections" if loop == "closed" else "rate_per_s"
    written = table[varied]
    cases: dict[str, tuple[Scalar, ...]] = {varied: tuple(written) if isinstance(written, list) else (written,)}
    if isinstance(table.get("query"), list):
        cases["query"] = tuple(table["query"])
    return cases


def _check_known(table: Mapping[str, Any], loop: Loop, *, kind: str, place: Place) -> None:
    known = known_words(kind)
    if loop not in known:
        why = f"Connections to a database last; {kind}/ interfaces are asked by the loops {' and '.join(known)}."
        raise place.at("load.loop").wrong(f"{loop} of queries", why=why, remedy='Write loop = "open".')
    for word in table:
        if word not in known[loop]:
            raise _unknown(word, loop, kind=kind, place=place)


def _check_words(table: Mapping[str, Any], loop: Loop, *, searches: bool, place: Place) -> None:
    for word in _REQUIRED[loop]:
        if word not in table and not (searches and word == "measure_s"):
            told = list(_REQUIRED[loop].values())
            why = f"The {loop} loop needs to know {', '.join(told[:-1])}, and {told[-1]}."
            raise place.at("load").wrong(f'"{word}" is missing', why=why, remedy=f"Write {word} = ...")
    where, connections = place.at("load.connections"), table.get("connections")
    if loop != "closed" and isinstance(connections, list):
        why = "Where requests arrive, connections are the most that may be open at once; they make no cases."
        remedy = "Write one number; a list of rate_per_s makes cases."
        raise where.wrong(f"{toml_text(connections)} is a list", why=why, remedy=remedy)
    most = max(connections) if isinstance(connections, list) else connections
    if most is not None and table.get("requests", most) < most:
        why = f"With {table['requests']} requests not every one of {most} users asks once."
        raise place.at("load.requests").wrong("fewer requests than users", why=why, remedy=f"Write at least {most}.")
    if searches and isinstance(table.get("query"), list):
        why = "One run is one whole search: it has no cases but its trials."
        raise place.at("load.query").wrong("a list beside a search", why=why, remedy="Write one query, or none.")


def _unknown(word: str, loop: Loop, *, kind: str, place: Place) -> Exception:
    """Return the error for a word that the loop does not know: another interface's, another loop's, or nobody's."""
    known = known_words(kind)
    others = [each for each, words in known.items() if word in words]
    if not others and any(word in words for words in _of_all()):
        why = f"What asks {kind}/ interfaces knows {', '.join(known[loop][1:])}."
        return place.at("load").wrong(f'"{word}" of an {kind}/ interface', why=why, remedy="Remove it.")
    if not others:
        return place.at("load").unknown("field", word, known=known[loop], owner=f"the {loop} loop")
    whose = f"loop{'s' if len(others) > 1 else ''} {' and '.join(others)}"
    why = f"It is a word of the {whose}; the {loop} loop knows {', '.join(known[loop][1:])}."
    remedy = f'Remove it, or write loop = "{others[0 if loop == "closed" else -1]}".'
    return place.at("load").wrong(f'"{word}" in the {loop} loop', why=why, remedy=remedy)


def _settings(table: Mapping[str, Any], loop: Loop, *, cases: Mapping[str, object]) -> Mapping[str, Scalar]:
    """Return what does not vary and is no time, defaults filled in: so equal loads are equal however written."""
    standard: Mapping[str, Scalar] = (
        {} if loop == "closed" else {"arrivals": "poisson", "connections": _CONNECTIONS_AT_MOST}
    )
    apart = ("loop", "objective", *_TIMES, *cases)
    settings = {**standard, **{word: value for word, value in table.items() if word not in apart}}
    return {word: value for word, value in settings.items() if (word, value) not in _NOTHING}


def _batch(table: Mapping[str, Any], place: Place) -> Load:
    for word in ("loop", *_TIMES, "rate_per_s", "arrivals", "objective"):
        if word in table:
            raise _of_no_loop(word, place)
    # A word for a number may come to several, so it makes cases even where it stands alone.
    listed = {field: [value] if is_count(field, value) else value for field, value in table.items()}
    cases = {field: tuple(value) for field, value in listed.items() if isinstance(value, list)}
    for field, values in cases.items():
        check_cases(field, values, place=place.at(f"load.{field}"))
    settings: dict[str, Scalar] = {field: value for field, value in table.items() if field not in cases}
    return Load(loop="batch", cases=cases, settings=settings)


def _of_no_loop(word: str, place: Place) -> Exception:
    why = "Batch work drives and times itself; no loop asks for it."
    return place.at(f"load.{word}").wrong(f'unknown field "{word}"', why=why, remedy="Remove it.")


def _of_all() -> Iterator[tuple[str, ...]]:
    """Yield the words of every loop, of every kind of interface."""
    yield from (*_OF_HTTP.values(), *_OF_SQL.values())


def merged(workload: Mapping[str, Any], study: Mapping[str, Any], *, asks: str, place: Place) -> Mapping[str, Any]:
    """Return the workload's ``[load]`` with what the study sets in its place.

    A study that sets another loop keeps only the times. A single value for a field that the workload lists is a list
    of one, so that cases keep their fields.
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
    changed = {word: value for word, value in workload.items() if same or word in _TIMES}
    searches = study.get("rate_per_s", changed.get("rate_per_s")) == SEARCH
    for field, value in study.items():
        listed = same and not searches and isinstance(workload.get(field), list) and not isinstance(value, list)
        changed[field] = [value] if listed else value
    for word in _pointless(workload, study, searches=searches):
        changed.pop(word, None)
    return changed


def _pointless(workload: Mapping[str, Any], study: Mapping[str, Any], *, searches: bool) -> Iterator[str]:
    """Yield the workload's words that mean nothing beside what the study sets."""
    if not searches and "objective" not in study:
        yield "objective"
    if searches and workload.get("rate_per_s") != SEARCH and "measure_s" not in study:
        yield "measure_s"  # it was meant for a case, not for a trial
    if "measure_s" in study and "requests" not in study:
        yield "requests"  # the study says how long, not how many
