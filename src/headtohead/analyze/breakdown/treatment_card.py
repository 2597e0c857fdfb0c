"""The card of a treatment: what ran, on which CPUs, and what it used, measured over its valid runs."""

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from headtohead.analyze.breakdown.how_work_was_requested import loop_text
from headtohead.analyze.runs.clock_of_cpus import clock_hz
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.runs.driver_cpu_use_and_delay import driver_of_subject_share
from headtohead.analyze.runs.has_driver import has_driver
from headtohead.analyze.runs.use_in_window import gauge, mean_peak
from headtohead.analyze.statistics.estimate import typical_error
from headtohead.model.analysis.card import Card, MeanPeak
from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar
from headtohead.model.record import CpuUse, LoadRecord, Setting

FEW = 2
"""The most values of one setting that are shown if they differ between runs."""


def card(
    treatment: Treatment, runs: Sequence[RunSeen], *, primary: Sequence[float], link_bytes_per_s: float | None
) -> Card | None:
    """Return the card of a treatment from its valid runs and primary values; None without runs.

    Figures are medians over the runs; flows of disk and network are their mean, and the peak of all.
    ``link_bytes_per_s`` is the speed of the host's links together; None if it is not visible.
    """
    if not runs:
        return None
    return Card(
        versions=_versions(runs),
        cpus=treatment.cpus,
        driver_cpus=treatment.driver_cpus,
        poll=treatment.poll,
        drivers=treatment.drivers,
        loop=loop_text(runs[0].experiment, runs),
        threads=_median(each.run.usage.get("threads") for each in runs),
        processes=_median(each.run.usage.get("processes") for each in runs),
        subject_memory_peak_bytes=_median(each.run.subject_memory_peak_bytes for each in runs),
        typical_error=typical_error(primary),
        subject_cpus_busy=_busy(runs, lambda use: use.subject),
        driver_cpus_busy=_busy(runs, lambda use: use.driver) if _driven(runs) else None,
        driver_memory_peak_bytes=_median(_driver_memory(each) for each in runs),
        harness_cpus_busy=_busy(runs, lambda use: use.harness),
        foreign_cpus_busy=_busy(runs, lambda use: use.foreign),
        interrupt_cpus_busy=_cpus(runs, "irq_ns"),
        kernel_cpus_busy=_cpus(runs, "kernel_cpu_ns"),
        disk_read_bytes_per_s=_rate(runs, "disk_read_bytes"),
        disk_written_bytes_per_s=_rate(runs, "disk_written_bytes"),
        network_sent_bytes_per_s=_rate(runs, "network_sent_bytes", of_bytes_per_s=link_bytes_per_s),
        network_received_bytes_per_s=_rate(runs, "network_received_bytes", of_bytes_per_s=link_bytes_per_s),
        clock_hz=_median(clock_hz(each) for each in runs),
        loopback_bytes_per_s=_rate(runs, "loopback_bytes"),
        link_sent_bytes_per_s=_rate(runs, "link_sent_bytes"),
        link_received_bytes_per_s=_rate(runs, "link_received_bytes"),
        link=treatment.link,
        reach=treatment.reach,
        in_process=runs[0].run.in_process,
        load_s=_load_s(runs),
        configuration=_configuration(runs),
        shares=treatment.shares,
        memory=treatment.memory,
        driver_of_subject_share=max(_driver_shares(runs), default=None),
    )


def _driver_shares(runs: Sequence[RunSeen]) -> Iterator[float]:
    """Yield the driver's CPU time over the subject's in each case of each run, if they shared CPUs."""
    for run in runs:
        shares = (driver_of_subject_share(each, run) for each in run.cases)
        yield from (share for share in shares if share is not None)


def _driven(runs: Sequence[RunSeen]) -> bool:
    return has_driver(runs[0].experiment, runs[0].run)


def _load_s(runs: Sequence[RunSeen]) -> dict[str, float]:
    """Return the seconds that loading the data took, by subject, for the copy that the first of these runs started on.

    A copy is made once and serves many runs; a later copy does not change this figure.
    """
    load_s = {name: made.get("load_s") for name, made in runs[0].run.prepared.items()}
    return {name: float(each) for name, each in load_s.items() if isinstance(each, int | float)}


def _configuration(runs: Sequence[RunSeen]) -> tuple[Setting, ...]:
    """Return the settings in force: those that differ from their defaults first, otherwise in the subject's order.

    Values that differ between runs (a port, a path) are listed, up to a few.
    """
    values: dict[str, dict[str, None]] = {}
    for each in runs:
        for setting in each.configuration:
            values.setdefault(setting.name, {})[setting.value] = None
    first = {each.name: each for run in reversed(runs) for each in run.configuration}
    merged = [replace(first[name], value=_few(list(several))) for name, several in values.items()]
    return tuple(sorted(merged, key=lambda each: not each.differs))


def _few(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{'; '.join(values[:FEW])}{'; ...' if len(values) > FEW else ''}"


def _versions(runs: Sequence[RunSeen]) -> dict[str, str]:
    found: dict[str, dict[str, None]] = {}
    for each in runs:
        for name, version in each.run.versions.items():
            found.setdefault(name, {})[version] = None
    return {name: "; ".join(versions) for name, versions in sorted(found.items())}


def _busy(runs: Sequence[RunSeen], who: Callable[[CpuUse], float | None]) -> float | None:
    """Return CPUs busy on average over the measured time, the median over runs."""

    def one(seen: RunSeen) -> float | None:
        used, seconds = who(seen.cpu_s), sum(each.seconds for each in seen.windows)
        return None if used is None or seconds <= 0 else used / seconds

    return _median(one(each) for each in runs)


def _cpus(runs: Sequence[RunSeen], column: str) -> float | None:
    """Return the CPUs that one kind of kernel work kept busy, for any process."""
    ns_per_s = _median(mean_peak(run.columns, column, windows=run.windows).mean for run in runs)
    return None if ns_per_s is None else ns_per_s / 1e9


def _rate(runs: Sequence[RunSeen], column: str, *, of_bytes_per_s: float | None = None) -> MeanPeak:
    each = [mean_peak(run.columns, column, windows=run.windows) for run in runs]
    known = [one.mean for one in each if one.mean is not None]
    mean = statistics.fmean(known) if known else None  # a median may be 0 although one run wrote
    share = mean / of_bytes_per_s if mean is not None and of_bytes_per_s else None
    return MeanPeak(mean=mean, peak=max((p for o in each if (p := o.peak) is not None), default=None), share=share)


def _driver_memory(seen: RunSeen) -> float | None:
    if seen.run.in_process:
        return None
    own = [
        each.record.values.get("driver_memory_peak_bytes") for each in seen.cases if isinstance(each.record, LoadRecord)
    ]
    known = [value for value in own if value is not None]
    read = gauge(seen.columns, "driver_memory_bytes", windows=seen.windows) if _driven([seen]) else []
    return max([*known, *read], default=None)


def _median(values: Iterable[Scalar | None]) -> float | None:
    known = [float(value) for value in values if value is not None]
    return statistics.median(known) if known else None
