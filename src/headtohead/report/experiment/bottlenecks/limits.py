"""What limited each treatment: cases with the same limit in one sentence, and every single case below it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from headtohead.model.analysis.limit import AT_CAPACITY, Limit, Resource
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.model.quantity import Summary
from headtohead.model.rules import FULL_SHARE
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Fold, Heading, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.bottlenecks.names_of_cases import names_of_cases, telling_cases, where_cases
from headtohead.report.experiment.bottlenecks.reasons import cpus_used, merged, reason
from headtohead.report.text.cases_of_primary_value import decides
from headtohead.report.text.names import case_title
from headtohead.report.text.wording import capital, listed

_RESOURCES: dict[Resource, str] = {
    "cpu": "its CPU",
    "driver": "the load generator",
    "cpu-quota": "its CPU quota",
    "parallelism": "too few busy threads",
    "link": "the link",
    "disk": "the disk",
    "environment": "the environment",
    "unknown": "unknown",
}

_SHORT: dict[Resource, str] = {
    "unknown": "not known",
    "cpu": "CPU",
    "driver": "the load generator",
    "cpu-quota": "the CPU quota",
    "parallelism": "a single busy thread",
}
"""The names of resources on page one, if they differ from those in the tables."""
_MOST_NAMED = 6
"""The most treatments named on page one; of more only the number is given."""

_NEARLY, _PROBABLY = 0.92, "probably "
"""CPUs that are busy by this share are nearly full: next to cases with full ones they are probably the limit too."""

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
            Row(
                _which(limits, len(treatment.limits)),
                (_resource(limits[0]), Entry(merged([reason(each) for each in limits]))),
            )
            for limits in alike
        )
        if rows:
            groups.append(RowGroup(treatment.label, rows))
    return _table("What limited each setup", groups)


def limited_sentence(result: ExperimentResult) -> str:
    """Return what limited the treatments in one sentence, with the treatments of each limit; empty if nothing is known.

    The harness's own limit is left out. Of a search, the answer is about the highest load that held.
    """
    if known := _at_capacity(result) or _where_it_decides(result):
        return known
    by_limit: dict[str, list[str]] = {}
    for each in result.treatments:
        if each.limits and not each.floor:
            by_limit.setdefault(_in_short(each.limits, result.primary), []).append(each.label)
    if len(by_limit) == 1:
        what, labels = next(iter(by_limit.items()))
        who = {1: "", 2: "both were "}.get(len(labels), "all were ")
        if what == _SHORT["unknown"]:
            return f"What limited {'them' if who else 'it'} is not known."
        surely = what.removeprefix(_PROBABLY)
        return f"{capital(f'{who}{_PROBABLY if surely != what else str()}limited by {surely}')}."
    one = {in_short(resource) for resource in _RESOURCES}
    plain = set(by_limit) <= one
    parts = [
        f"{what} ({_whose(labels)})" if plain else f"{_whose(labels)}: {what}" for what, labels in by_limit.items()
    ]
    return f"What limited each: {'; '.join(parts)}." if parts else ""


def _at_capacity(result: ExperimentResult) -> str:
    """Return what limited the treatments of a search at the highest load that held, and beyond it.

    Empty if it was no search, or if one of them was limited by something that is known.
    """
    shown = [each for each in result.treatments if each.limits and not each.floor]
    held = {each.label: limit for each in shown for limit in each.limits if limit.case == AT_CAPACITY}
    beyond = {limit.resource for each in shown for limit in each.limits if limit.case != AT_CAPACITY}
    cpus = {
        label: f"{cpus_used(each.subject_cpus, each.subject_cpus_allotted)} of {each.subject_cpus_allotted:g} ({label})"
        for label, each in held.items()
        if each.resource == "unknown" and each.subject_cpus and each.subject_cpus_allotted
    }
    if not shown or len(cpus) < len(shown):
        return ""
    overloaded = f" Overloaded, {_them(len(shown))} limited by CPU." if beyond == {"cpu"} else ""
    used = f"At the highest load that held, CPUs in use: {listed([*cpus.values()])}"
    if overloaded and all(map(_nearly, held.values())):
        return f"{used}, so CPU was probably the limit.{overloaded}"
    return f"{used}. What limited {'it' if len(shown) == 1 else 'them'} there is not known.{overloaded}"


def _nearly(limit: Limit) -> bool:
    """Return whether a program used all of its CPUs, or nearly all."""
    allotted = limit.subject_cpus_allotted or 0.0
    return bool(allotted) and (limit.subject_cpus or 0.0) >= _NEARLY * allotted


def _where_it_decides(result: ExperimentResult) -> str:
    """Return what limited all treatments in the answer's cases, if that is one resource, and too many cases are not."""
    shown = [each.limits for each in result.treatments if each.limits and not each.floor]
    deciding = [{each.resource for each in limits if decides(each.case, result.primary)} for limits in shown]
    if all(_few(limits) for limits in shown) or not result.primary.where or len(shown) < 2:
        return ""
    first, *others = deciding
    if len(first) != 1 or first == {"unknown"} or any(each != first for each in others):
        return ""
    return f"In the answer's cases {_them(len(shown))} limited by {in_short(first.pop())}."


def _them(count: int) -> str:
    return {1: "it was", 2: "both were"}.get(count, "all were")


def _in_short(limits: Sequence[Limit], primary: Summary) -> str:
    """Return the resources that limited one treatment; of several in which cases each did, or in how many.

    Of many cases that of the answer, if there is one, is marked.
    """
    if nearly := _nearly_full(limits):
        return nearly
    counts = Counter(each.resource for each in limits)
    order = sorted(counts, key=lambda each: (each == "unknown", -counts[each]))
    if len(order) == 1:
        return in_short(order[0])
    if _few(limits):
        named = {each: where_cases(telling_cases(limits, each)) for each in order}
        return ", ".join(f"{_or_uncertain(each)} {named[each]}{_used(limits, each)}" for each in order)
    answer = {each.resource for each in limits if decides(each.case, primary)} if primary.where else set()
    texts = [
        f"{_or_uncertain(each)} in {counts[each]} of {len(limits)} cases{' (as in the answer)' * (answer == {each})}"
        for each in order
    ]
    return ", ".join(texts)


def _nearly_full(limits: Sequence[Limit]) -> str:
    """Return that CPU probably limited a treatment whose CPUs were full in some cases and nearly so in all others."""
    if {each.resource for each in limits} != {"cpu", "unknown"}:
        return ""
    of_each = [(each.subject_cpus or 0.0, each.subject_cpus_allotted or 0.0) for each in limits]
    of = {allotted for _, allotted in of_each}
    if len(of) > 1 or not all(map(_nearly, limits)):
        return ""
    allotted = of.pop()
    ends = dict.fromkeys(cpus_used(each, allotted) for each in (min(of_each)[0], max(of_each)[0]))
    full = f"full from {FULL_SHARE * allotted:.2f}"
    return f"{_PROBABLY}{in_short('cpu')} ({' to '.join(ends)} of {allotted:g} busy; {full})"


def _few(limits: Sequence[Limit]) -> bool:
    """Return whether the cases of each limit are few enough to be named."""
    return all(len(telling_cases(limits, each.resource)) <= _FEW for each in limits)


def _or_uncertain(resource: Resource) -> str:
    return "not certain" if resource == "unknown" else in_short(resource)


def _used(limits: Sequence[Limit], resource: Resource) -> str:
    """Return how many of its CPUs the program used where CPU was the limit, or may have been: `` (1.90 of 2)``."""
    own = [each for each in limits if each.resource == resource and resource in ("cpu", "unknown")]
    used = [each.subject_cpus for each in own if each.subject_cpus is not None]
    allotted = {each.subject_cpus_allotted for each in own}
    if not used or len(used) < len(own) or len(allotted) != 1 or None in allotted:
        return ""
    of = allotted.pop() or 0.0
    ends = dict.fromkeys(cpus_used(each, of) for each in (min(used), max(used)))
    short = resource == "unknown" and max(used) < FULL_SHARE * of
    full = f"; full from {FULL_SHARE * of:.2f}" if short else ""
    return f" ({' to '.join(ends)} of {of:g}{full})"


def in_short(resource: Resource) -> str:
    """Return the name of a resource as page one has it."""
    return _SHORT.get(resource, _RESOURCES[resource])


def _whose(labels: list[str]) -> str:
    return listed(labels) if len(labels) <= _MOST_NAMED else f"{len(labels)} setups"


def each_limit_table(result: ExperimentResult) -> Table | None:
    """Return what limited each treatment in every single case; None if the other table has it all."""
    any_limit = any(
        len({reason(each) for each in alike}) > 1
        or (len(alike) < len(treatment.limits) and not _readable(names_of_cases(_cases(alike)), alike))
        for treatment in result.treatments
        for alike in _alike(treatment.limits)
    )
    groups = [
        RowGroup(
            treatment.label,
            tuple(Row(case_title(each.case), (_resource(each), Entry(reason(each).text))) for each in treatment.limits),
        )
        for treatment in result.treatments
        if treatment.limits
    ]
    return _table("What limited each setup, case by case", groups) if any_limit else None


def _table(caption: str, groups: Sequence[RowGroup]) -> Table | None:
    return Table(caption, "Case", ("Limited by", "Because"), tuple(groups), headed=True) if groups else None


def _alike(limits: Iterable[Limit]) -> list[list[Limit]]:
    """Return the limits by resource and by the words of their reason."""
    found: dict[tuple[Resource, str], list[Limit]] = {}
    for each in limits:
        found.setdefault((each.resource, reason(each).words), []).append(each)
    return list(found.values())


def _which(limits: Sequence[Limit], every: int) -> str:
    """Return the cases as text: all, some by name, or the number of them."""
    if len(limits) == every:
        return "all cases" if every <= _FEW else f"all {every} cases"
    named = names_of_cases(_cases(limits))
    return "; ".join(named) if _readable(named, limits) else f"{len(limits)} of {every} cases"


def _readable(named: Sequence[str], limits: Sequence[Limit]) -> bool:
    """Return whether the cases are few enough to be named in a narrow column."""
    return len(named) <= _FEW and len(limits) <= _MOST


def _cases(limits: Iterable[Limit]) -> list[Case]:
    return [each.case for each in limits]


def _resource(limit: Limit) -> Entry:
    return Entry(_RESOURCES[limit.resource])
