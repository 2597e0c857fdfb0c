"""Why something was the limit: a sentence with the figures that show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.model.analysis.limit import Limit
from headtohead.model.machine.link import CEILING
from headtohead.model.rules import FULL_SHARE


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
    figures = (cpus_used(limit.subject_cpus, limit.subject_cpus_allotted), f"{limit.subject_cpus_allotted:g}")
    return Reason(f"the program used {{}} of its {{}} {cpus}", figures)


def cpus_used(used: float, allotted: float) -> str:
    """Return CPUs that a program used with two decimals, or as many as show whether it used ``FULL_SHARE`` of its own.

    >>> cpus_used(1.903, 2), cpus_used(1.897, 2)
    ('1.90', '1.897')
    """
    full = used / allotted >= FULL_SHARE
    texts = [f"{used:.{places}f}" for places in range(2, 7)]
    return next((each for each in texts if (float(each) / allotted >= FULL_SHARE) == full), texts[-1])


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
