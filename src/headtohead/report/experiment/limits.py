"""What limited each treatment: cases with the same limit in one sentence, and every single case below it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from headtohead.model.analysis.limit import Limit
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Fold, Heading, Row, RowGroup, Table, with_heading
from headtohead.report.text.names import capital, case_title, listed

_RESOURCES = {
    "cpu": "its CPU",
    "driver": "the driver",
    "cpu-quota": "its CPU quota",
    "parallelism": "its parallelism",
    "link": "the link",
    "disk": "the disk",
    "environment": "the environment",
    "unknown": "unknown",
}

_SHORT = {"unknown": "not known"}
"""The names of resources on page one, if they differ from those in the tables."""
_MOST_NAMED = 6
"""The most treatments named on page one; of more only the number is given."""

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")

_MOST = 12
_FEW = 3
"""The most cases, or rows of at most ``_MOST`` cases, that are named; of more only the number is given."""


def limits_blocks(context: ExperimentContext) -> Blocks:
    """Yield what limited each treatment, and every case by itself, folded; nothing if nothing is known."""
    yield from with_heading("What limited it", limits_table(context.result))
    each = each_limit_table(context.result)
    if each:
        yield Fold("What limited it, case by case", (each,), unfolded=(Heading(each.caption, 4), each))


def limits_table(result: ExperimentResult) -> Table | None:
    """Return what limited each treatment; cases whose reasons differ only in numbers share a row.

    None if nothing is known.
    """
    groups = []
    for treatment in result.treatments:
        alike = _alike(treatment.limits)
        rows = tuple(
            Row(_which(limits, len(treatment.limits)), (_resource(limits[0]), Entry(merged(_reasons(limits)))))
            for limits in alike
        )
        if rows:
            groups.append(RowGroup(treatment.label, rows))
    return _table("What limited each treatment", groups)


def limited_sentence(result: ExperimentResult) -> str:
    """Return what limited the treatments in one sentence, with the treatments of each limit; empty if nothing is known.

    The harness's own limit is left out.
    """
    told: dict[str, list[str]] = {}
    for each in result.treatments:
        if each.limits and not each.floor:
            told.setdefault(_in_short(each.limits), []).append(each.label)
    parts = [f"{what} ({_whose(labels)})" for what, labels in told.items()]
    return f"{capital('; '.join(parts))}." if parts else ""


def _in_short(limits: Sequence[Limit]) -> str:
    """Return the resources that limited one treatment; of several in how many cases each did."""
    counts = Counter(each.resource for each in limits)
    names = {resource: _SHORT.get(resource, _RESOURCES.get(resource, resource)) for resource in counts}
    if len(counts) == 1:
        return next(iter(names.values()))
    return listed([f"{names[each]} in {number} of {len(limits)} cases" for each, number in counts.most_common()])


def _whose(labels: list[str]) -> str:
    return listed(labels) if len(labels) <= _MOST_NAMED else f"{len(labels)} treatments"


def each_limit_table(result: ExperimentResult) -> Table | None:
    """Return what limited each treatment in every single case; None if the other table has it all."""
    told = any(
        len(set(_reasons(alike))) > 1
        or (len(alike) < len(treatment.limits) and not _readable(_named(_cases(alike)), alike))
        for treatment in result.treatments
        for alike in _alike(treatment.limits)
    )
    groups = [
        RowGroup(
            treatment.label,
            tuple(Row(case_title(each.case), (_resource(each), Entry(each.because))) for each in treatment.limits),
        )
        for treatment in result.treatments
        if treatment.limits
    ]
    return _table("What limited each treatment, case by case", groups) if told else None


def _table(caption: str, groups: Sequence[RowGroup]) -> Table | None:
    return Table(caption, "Case", ("Limited by", "Because"), tuple(groups), headed=True) if groups else None


def _alike(limits: Iterable[Limit]) -> list[list[Limit]]:
    """Return the limits grouped by resource and reason, regardless of numbers."""
    found: dict[tuple[str, str], list[Limit]] = {}
    for each in limits:
        found.setdefault((each.resource, _NUMBER.sub("", each.because)), []).append(each)
    return list(found.values())


def _which(limits: Sequence[Limit], every: int) -> str:
    """Return the cases as text: all, some by name, or the number of them."""
    if len(limits) == every:
        return "all cases" if every <= _FEW else f"all {every} cases"
    named = _named(_cases(limits))
    return "; ".join(named) if _readable(named, limits) else f"{len(limits)} of {every} cases"


def _readable(named: Sequence[str], limits: Sequence[Limit]) -> bool:
    """Return whether the cases are few enough to be named in a narrow column."""
    return len(named) <= _FEW and len(limits) <= _MOST


def _named(cases: Sequence[Case]) -> list[str]:
    """Return the names of cases: those that differ in only one field as one, with the levels of that field.

    >>> _named([Case({"clients": 1, "kind": "read"}), Case({"clients": 2, "kind": "read"}), Case({"kind": "write"})])
    ['kind read, clients 1 and 2', 'kind write']
    """
    ways = [_by_level(cases, field) for field in dict.fromkeys(name for case in cases for name in case.levels)]
    return min(ways, key=len) if all(cases) else [case_title(each) for each in cases]


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


def _cases(limits: Iterable[Limit]) -> list[Case]:
    return [each.case for each in limits]


def _resource(limit: Limit) -> Entry:
    return Entry(_RESOURCES.get(limit.resource, limit.resource))


def _reasons(limits: Iterable[Limit]) -> list[str]:
    return [each.because for each in limits]


def merged(sentences: Sequence[str]) -> str:
    """Return one sentence for several that differ only in numbers: each number as a range.

    >>> merged(["used 0.97 of its 1 CPU", "used 1.00 of its 1 CPU", "used 0.99 of its 1 CPU"])
    'used 0.97 to 1.00 of its 1 CPU'
    """
    columns = zip(*(_NUMBER.findall(each) for each in sentences), strict=True)
    ranges = iter([_range(sorted(set(column), key=float)) for column in columns])
    return _NUMBER.sub(lambda _: next(ranges), sentences[0])


def _range(rising: Sequence[str]) -> str:
    return rising[0] if len(rising) == 1 else f"{rising[0]} to {rising[-1]}"
