"""Cases by name: those that differ in only one field as one, with the levels of that field."""

from collections.abc import Iterable, Sequence

from headtohead.model.analysis.limit import Limit, Resource
from headtohead.model.case import Case
from headtohead.report.text.names import case_phrase, case_title, counted, counted_many
from headtohead.report.text.wording import listed


def names_of_cases(cases: Sequence[Case]) -> list[str]:
    """Return the names of cases: those that differ in only one field as one, with the levels of that field.

    >>> few = [Case({"clients": 1, "kind": "read"}), Case({"clients": 2, "kind": "read"}), Case({"kind": "write"})]
    >>> names_of_cases(few)
    ['kind read, clients 1 and 2', 'kind write']
    """
    ways = [_by_level(cases, field) for field in dict.fromkeys(name for case in cases for name in case.levels)]
    return min(ways, key=len) if all(cases) else [case_title(each) for each in cases]


def where_cases(cases: Sequence[Case]) -> str:
    """Return where something holds, as a sentence goes on.

    >>> where_cases([Case({"connections": 10}), Case({"connections": 50})]), where_cases([Case({"kind": "read"})])
    ('with 10 and 50 connections', 'for kind read')
    """
    (field, *others) = dict.fromkeys(name for each in cases for name in each.levels) or [""]
    if others or counted(field) == field or not all(each.levels for each in cases):
        return f"for {listed(names_of_cases(cases))}"
    if len(cases) == 1:
        return case_phrase(cases[0])
    return f"with {listed([each.levels[field] for each in cases])} {counted_many(field)}"


def telling_cases(limits: Sequence[Limit], resource: Resource) -> list[Case]:
    """Return the cases that a resource limited, with no more fields than distinguish them."""
    fields = list(dict.fromkeys(name for each in limits for name in each.case))
    for name in list(fields):
        left = [each for each in fields if each != name]
        found = {(each.case.only(left), each.resource) for each in limits}
        if all(case for case, _ in found) and len(found) == len({case for case, _ in found}):
            fields = left
    return list(dict.fromkeys(each.case.only(fields) for each in limits if each.resource == resource))


def _by_level(cases: Iterable[Case], field: str) -> list[str]:
    """Return a line for each combination of the other fields: it, then the levels of this field."""
    found: dict[Case, list[Case]] = {}
    for case in cases:
        found.setdefault(case.without(field), []).extend([case.only([field])] if field in case else [])
    return [", ".join([*([case_title(rest)] if rest else []), *_levels(levels)]) for rest, levels in found.items()]


def _levels(alone: Sequence[Case]) -> list[str]:
    """Return the levels of one field as a list after its name; nothing if the cases have no such field."""
    named = [case_title(each) for each in alone[:1]] + [level for each in alone[1:] for level in each.levels.values()]
    return [listed(named)] if named else []
