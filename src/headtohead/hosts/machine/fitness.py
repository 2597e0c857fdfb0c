"""Whether this machine is fit to measure on: what affects its numbers, and what to do about it."""

from collections.abc import Callable, Iterator

from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.settings import HALT_POLL_DEFAULT_NS, HALT_POLL_FILE
from headtohead.model.quantity import Scalar

SWAPPED_BYTES = 64 * 1024 * 1024
GOOD_CLOCKS = frozenset({"tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page", "xen"})


def fit(facts: HostFacts) -> tuple[Finding, ...]:
    """Return notes and doubts about this machine, nothing for a fit one; no machine is refused."""
    known = {(fact.group, fact.name): fact.value for fact in facts.facts if fact.value is not None}
    return tuple(finding for look in LOOKS_FOR for finding in look(Known(known)))


class Known:
    """The facts that could be read."""

    def __init__(self, facts: dict[tuple[str, str], Scalar]) -> None:
        self._facts = facts

    def text(self, name: str, *, group: str = "passport") -> str | None:
        """Return a fact as text, None if it is not visible."""
        value = self._facts.get((group, name))
        return None if value is None else str(value)

    def yes(self, name: str, *, group: str) -> bool:
        """Return whether a fact is visible and true."""
        return self._facts.get((group, name)) is True

    def number(self, name: str, *, group: str = "passport") -> float | None:
        """Return a fact as a number, None if it is not visible or is none."""
        value = self._facts.get((group, name))
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def load_of_others(known: Known) -> Iterator[Finding]:
    """Yield a doubt when something else uses the CPUs now."""
    cpus = known.number("CPU used by others now")
    if cpus is not None and cpus > rules.FOREIGN_CPU.limit:
        yield Finding(
            id="foreign-load",
            severity=Severity.DOUBT,
            says=f"Other programs use {cpus:g} CPUs now: {known.text('busiest other processes')}.",
            advice="Stop them, or wait; runs that they disturb are invalid.",
            evidence={"foreign_cpus": cpus},
        )


def stolen_time(known: Known) -> Iterator[Finding]:
    """Yield a doubt when the hypervisor gave this machine's time to others."""
    percent = known.number("steal since boot")
    if percent is not None and percent > 100 * rules.STEAL.limit:
        yield Finding(
            id=rules.STEAL.id,
            severity=Severity.DOUBT,
            says=f"The hypervisor gave {percent:g} % of this machine's CPU time since boot to others.",
            advice="Measure on a machine of your own, or on CPUs that are not shared.",
            evidence={"steal_percent": percent},
        )


def one_cpu(known: Known) -> Iterator[Finding]:
    """Yield a doubt when driver and subject cannot have CPUs of their own."""
    threads = known.number("threads", group="cpu")
    if threads == 1:
        yield Finding(
            id="one-cpu",
            severity=Severity.DOUBT,
            says="There is one CPU only: a driver cannot have one of its own.",
            advice="Measure batch work here, or say share_driver = true and read its share next to every number.",
            evidence={"cpus": 1},
        )


def virtual_machine(known: Known) -> Iterator[Finding]:
    """Yield a note when the machine is a guest."""
    hypervisor = known.text("hypervisor", group="virtualization")
    if hypervisor not in {None, "none"}:
        yield Finding(
            id="virtual-machine",
            severity=Severity.NOTE,
            says=f"This is a virtual machine ({hypervisor}): the host's speed may change without being seen here.",
            advice="Rely on comparisons within blocks; do not compare single numbers of different hours.",
        )


def halts_at_once(known: Known) -> Iterator[Finding]:
    """Yield a doubt when an idle CPU of a guest halts at once, and the hypervisor wakes it for each piece of work."""
    if known.text("idle governor") == "haltpoll" and known.number("halt polling") == 0:
        yield Finding(
            id="halts-at-once",
            severity=Severity.DOUBT,
            says="An idle CPU of this guest halts at once (guest_halt_poll_ns = 0): the hypervisor wakes it late, "
            "which is counted as steal.",
            advice=f"Write the kernel's default, {HALT_POLL_DEFAULT_NS}, or more to /{HALT_POLL_FILE} for the study.",
            evidence={"halt_poll_ns": 0},
        )


def memory_taken_back(known: Known) -> Iterator[Finding]:
    """Yield a note when the hypervisor takes back memory that is free."""
    if known.yes("free memory taken back", group="virtualization"):
        yield Finding(
            id="memory-taken-back",
            severity=Severity.NOTE,
            says="The hypervisor takes free memory back after seconds: who fills it again first is slower.",
            advice="Let a warm-up touch what will be used; doubt what writes files or fills memory after a pause.",
        )


def container(known: Known) -> Iterator[Finding]:
    """Yield a note when the machine is a container."""
    kind = known.text("container", group="virtualization")
    if kind not in {None, "none seen"}:
        yield Finding(
            id="container",
            severity=Severity.NOTE,
            says=f"This looks like a container ({kind}): limits may be set from outside, and neighbors are not seen.",
            advice="What limits reach a subject is read back before each run; measure on the host itself if you can.",
        )


def governor(known: Known) -> Iterator[Finding]:
    """Yield a doubt when the clock follows the load."""
    name = known.text("governor")
    if name not in {None, "performance"}:
        yield Finding(
            id="governor",
            severity=Severity.DOUBT,
            says=f"The frequency governor is {name}: the CPUs' clock follows the load.",
            advice="Set it to performance (cpupower frequency-set --governor performance) for the study.",
        )


def clock_source(known: Known) -> Iterator[Finding]:
    """Yield a doubt when reading the clock is slow."""
    name = known.text("clock source")
    if name is not None and name not in GOOD_CLOCKS:
        yield Finding(
            id="clock-source",
            severity=Severity.DOUBT,
            says=f"The clock source is {name}: reading the time costs much, for the driver and for many servers.",
            advice="Find out why the kernel rejected tsc (dmesg); on a guest ask for the paravirtual clock.",
        )


def swapping(known: Known) -> Iterator[Finding]:
    """Yield a doubt when memory has been swapped out."""
    used = known.number("swap in use")
    if used is not None and used > SWAPPED_BYTES:
        yield Finding(
            id="swap-in-use",
            severity=Severity.DOUBT,
            says=f"{used / 1024**2:.0f} MiB are swapped out: what comes back does so during a measurement.",
            advice="Free memory, then swapoff --all and swapon --all, before the study.",
            evidence={"swap_used_bytes": int(used)},
        )


def throttled(known: Known) -> Iterator[Finding]:
    """Yield a note when heat has slowed the CPUs since boot."""
    count = known.number("times throttled by heat since boot")
    if count:
        yield Finding(
            id="throttled-by-heat",
            severity=Severity.NOTE,
            says=f"Heat has slowed the CPUs {count:g} times since boot.",
            advice="Look after the cooling; runs that are throttled say so.",
            evidence={"throttle_count": int(count)},
        )


def no_randomization(known: Known) -> Iterator[Finding]:
    """Yield a note when every run would get the same addresses."""
    value = known.text("address space randomization")
    if value not in {None, "2"}:
        yield Finding(
            id="no-randomization",
            severity=Severity.NOTE,
            says="Addresses are not randomized: every run has the same lucky or unlucky layout.",
            advice="Set kernel.randomize_va_space = 2, so that restarts average over layouts.",
        )


LOOKS_FOR: tuple[Callable[[Known], Iterator[Finding]], ...] = (
    load_of_others,
    stolen_time,
    one_cpu,
    governor,
    clock_source,
    swapping,
    throttled,
    no_randomization,
    virtual_machine,
    halts_at_once,
    memory_taken_back,
    container,
)
