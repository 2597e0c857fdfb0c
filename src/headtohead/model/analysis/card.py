"""The card at the head of a treatment's result: versions, CPUs, load on the machine, settings in force."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from headtohead.model.machine.link import Link, Reach
from headtohead.model.machine.topology import MemoryFrom, Shares
from headtohead.model.record import Setting
from headtohead.model.study.workload import Poll


@dataclass(frozen=True)
class MeanPeak:
    """A rate over the measured time of all runs: its mean, its highest reading, the share of what the link can do."""

    mean: float | None
    peak: float | None
    share: float | None = None


@dataclass(frozen=True)
class Card:
    """The head of a result as the articles print it, as measured; None is "not visible", never zero."""

    versions: Mapping[str, str]
    cpus: tuple[int, ...]
    driver_cpus: tuple[int, ...]
    loop: str
    threads: float | None
    processes: float | None
    subject_memory_peak_bytes: float | None
    typical_error: float | None
    """Coefficient of variation of the primary value between valid runs (0.02 for 2 %)."""
    subject_cpus_busy: float | None
    driver_cpus_busy: float | None
    driver_memory_peak_bytes: float | None
    harness_cpus_busy: float | None
    foreign_cpus_busy: float | None
    disk_read_bytes_per_s: MeanPeak
    disk_written_bytes_per_s: MeanPeak
    network_sent_bytes_per_s: MeanPeak
    network_received_bytes_per_s: MeanPeak
    clock_hz: float | None
    loopback_bytes_per_s: MeanPeak = MeanPeak(None, None)
    """What passed between driver and subject where both are on one machine; the network's readings leave it out."""
    link_sent_bytes_per_s: MeanPeak = MeanPeak(None, None)
    """What the subject's end of a link sent, headers included; received likewise."""
    link_received_bytes_per_s: MeanPeak = MeanPeak(None, None)
    link: Link | None = None
    """What joined driver and subject if each was in a network of its own."""
    reach: Reach | None = None
    """How the driver reached a database server; None for others, and in older plans."""
    interrupt_cpus_busy: float | None = None
    """What the kernel did for interrupts, network packets above all: part of it within tasks, part of it in no task."""
    kernel_cpus_busy: float | None = None
    """What threads of the kernel did for whoever reads, writes and sends."""
    in_process: bool = False
    """Whether driver and subject were one program: what its client did counts as the subject's."""
    load_s: Mapping[str, float] = field(default_factory=dict)
    """From a subject's name to how long its data took to load, once, before any run."""
    configuration: tuple[Setting, ...] = ()
    """What was in force, that which differs from its default first; empty if the subject does not report it."""
    shares: Shares | None = None
    """What the subject's CPUs share; None if the plan does not record it."""
    memory: MemoryFrom | None = None
    """The NUMA nodes that the subject took memory from; None if that was left to the kernel."""
    driver_of_subject_share: float | None = None
    """CPU time of a driver on the subject's CPUs over the subject's, the most in any case; None if not shared."""
    poll: Poll | None = None
    """How the load generator waited for responses; None if it slept in an older plan, or there was none."""
    drivers: tuple[str, ...] = ()
    """The other machines that sent the requests; empty, and absent from analysis.json, if there were none."""
