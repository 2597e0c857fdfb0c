"""What limited each treatment: cases with the same limit in one sentence, and every single case below it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.limit import Limit, Resource
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.model.machine.link import CEILING
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Fold, Heading, Row, RowGroup, Table, with_heading
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

    The harness's own limit is left out.
    """
    by_limit: dict[str, list[str]] = {}
    for each in result.treatments:
        if each.limits and not each.floor:
            by_limit.setdefault(_in_short(each.limits), []).append(each.label)
    if len(by_limit) == 1:
        what, labels = next(iter(by_limit.items()))
        who = {1: "", 2: "both were "}.get(len(labels), "all were ")
        if what == _SHORT["unknown"]:
            return f"What limited {'them' if who else 'it'} is not known."
        return f"{capital(f'{who}limited by {what}')}."
    parts = [f"{what} ({_whose(labels)})" for what, labels in by_limit.items()]
    return f"What limited each: {'; '.join(parts)}." if parts else ""


def _in_short(limits: Sequence[Limit]) -> str:
    """Return the resources that limited one treatment; of several in how many cases each did."""
    counts = Counter(each.resource for each in limits)
    names = {resource: in_short(resource) for resource in counts}
    if len(counts) == 1:
        return next(iter(names.values()))
    shares = [f"{names[each]} in {number} of {len(limits)} cases" for each, number in counts.most_common()]
    known = [text for text in shares if not text.startswith(_SHORT["unknown"])]
    return listed(known) if len(known) == len(shares) else f"{listed(known)}, otherwise {_SHORT['unknown']}"


def in_short(resource: Resource) -> str:
    """Return the name of a resource as page one has it."""
    return _SHORT.get(resource, _RESOURCES[resource])


def _whose(labels: list[str]) -> str:
    return listed(labels) if len(labels) <= _MOST_NAMED else f"{len(labels)} setups"


def each_limit_table(result: ExperimentResult) -> Table | None:
    """Return what limited each treatment in every single case; None if the other table has it all."""
    any_limit = any(
        len({reason(each) for each in alike}) > 1
        or (len(alike) < len(treatment.limits) and not _readable(_named(_cases(alike)), alike))
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
    return Entry(_RESOURCES[limit.resource])


@dataclass(frozen=True)
class Reason:
    """A sentence in two parts: its words, with ``{}`` in the place of each figure, and the figures as printed."""

    words: str
    figures: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the whole sentence."""
        return self.words.format(*self.figures)

    def then(self, separator: str, other: "Reason") -> "Reason":
        """Return this sentence with another one after it."""
        return Reason(f"{self.words}{separator}{other.words}", (*self.figures, *other.figures))


def reason(limit: Limit) -> Reason:
    """Return why this was the limit, from the figures that show it."""
    subject = _subject(limit)
    if limit.driver_delay_share is not None:
        return Reason(
            "the load generator was kept from its CPU for {} % of the time", (_percent(limit.driver_delay_share),)
        )
    if limit.steal_share is not None:
        return Reason("the hypervisor took {} % of the CPUs in use", (_percent(limit.steal_share),))
    if limit.foreign_cpus is not None:
        return Reason("others used {} CPU", (f"{limit.foreign_cpus:.2f}",))
    if limit.cpu_quota is not None:
        return Reason("throttled for a quota of {} CPU", (f"{limit.cpu_quota:g}",)).then("; ", subject)
    if limit.at_once is not None:
        return subject.then(", ", Reason(_at_once(limit.at_once), (str(limit.at_once),)))
    if limit.link_share is not None:
        return _link(limit.link_share).then("; ", subject).then("", _driver(limit))
    if limit.disk_wait_share is not None:
        return _disk(limit.disk_wait_share, limit.disk_bytes_per_s).then("; ", subject)
    if limit.disk_requests is not None:
        busy = Reason("{} requests to the disks were under way on average", (f"{limit.disk_requests:.1f}",))
        return busy.then("; ", subject)
    if limit.resource == "driver" and limit.driver_share is not None:
        return Reason("the load generator used {} % of its CPUs", (_percent(limit.driver_share),)).then(", ", subject)
    return subject.then("", _driver(limit))


def _at_once(threads: int) -> str:
    return f"all that {{}} {'thread' if threads == 1 else 'threads'} can use"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}" if abs(share) < 0.1 else f"{100 * share:.0f}"


def _subject(limit: Limit) -> Reason:
    if limit.subject_cpus is None or limit.subject_cpus_allotted is None:
        return Reason("what the program used could not be read")
    cpus = "CPU" if limit.subject_cpus_allotted == 1 else "CPUs"
    figures = (f"{limit.subject_cpus:.2f}", f"{limit.subject_cpus_allotted:g}")
    return Reason(f"the program used {{}} of its {{}} {cpus}", figures)


def _driver(limit: Limit) -> Reason:
    if limit.driver_share is None:
        return Reason("")
    return Reason(", the load generator {} % of its own", (_percent(limit.driver_share),))


def _link(share: float) -> Reason:
    words = "the link carried {} % of its rate, of which payload can have {} %"
    return Reason(words, (_percent(share), _percent(CEILING)))


def _disk(share: float, bytes_per_s: float | None) -> Reason:
    """Return how long everything waited for a disk, and what the disks moved meanwhile."""
    waited = Reason("all that could run waited for a disk for {} % of the time", (_percent(share),))
    if bytes_per_s is None:
        return waited
    return waited.then(", while ", Reason("the machine's disks moved {} MB/s", (f"{bytes_per_s / 1e6:.0f}",)))


def merged(reasons: Sequence[Reason]) -> str:
    """Return one sentence for several of the same words: each figure from its least to its greatest.

    >>> merged([Reason("used {} of its {} CPU", ("0.97", "1")), Reason("used {} of its {} CPU", ("1.00", "1"))])
    'used 0.97 to 1.00 of its 1 CPU'
    """
    columns = zip(*(each.figures for each in reasons), strict=True)
    return Reason(reasons[0].words, tuple(_range(sorted(set(column), key=float)) for column in columns)).text


def _range(rising: Sequence[str]) -> str:
    return rising[0] if len(rising) == 1 else f"{rising[0]} to {rising[-1]}"
