"""A first study on a restless machine: every kind of doubt that its three questions can have together."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from headtohead.analyze.study import analyze
from headtohead.model.machine.host import Fact
from headtohead.model.proof import Proof
from headtohead.model.record import BatchRecord, CaseRecord, LoadRecord, Recorded, Recording, Repeat
from headtohead.model.rules import FOREIGN_CPU, STEAL
from tests.report.plans import PLAN
from tests.report.sample import RECORDING as CALM

SECOND = 1_000_000_000
FALLING = (1.0, 0.94, 0.88, 0.83, 0.78, 0.73)
TWO_SPEEDS = (1.0, 0.68, 0.67, 1.0, 0.69, 1.01)
STEPPED = (1.0, 1.01, 1.0, 0.9, 0.89, 0.9)
FAR_OFF = (1.0, 1.01, 0.7, 1.0, 1.01, 1.0)
SPEEDS: Mapping[str, tuple[float, ...]] = {
    "apache-httpd": FALLING,
    "noop": (1.0, 0.6, 1.3, 0.7, 1.2, 0.8),
    "openssl cpus=1": STEPPED,
    "openssl cpus=2": TWO_SPEEDS,
    "c-kernels copies=1": FAR_OFF,
    "c-kernels copies=2": TWO_SPEEDS[::-1],
}
"""What each setup's value is multiplied by, in each block."""
AGAIN = ("nginx", "openssl cpus=2", "c-kernels copies=2")
"""The setups whose cases were measured again in some blocks."""
BUSY = (
    Fact("load", "load of the last minute", 3.4, None, "/proc/loadavg"),
    Fact("load", "CPU used by others now", 0.8, None, "/proc/stat, 1 s"),
    Fact("load", "busiest other processes", "cc1plus 0.7", None, "/proc"),
)


RECORDED = ("apache-httpd", "openssl cpus=1", "openssl cpus=2")
"""The setups that varied in the first study that was recorded on such a machine."""
LOST = ("nginx", (1, 2, 3, 4, 5))
"""The setup, and its blocks, whose first attempts were discarded: far more often than those of the others."""


def recorded(*, worst: bool = True) -> Recording:
    """Return a recording of three questions with everything that went wrong, its folder without a seal.

    If not the ``worst``, runs vary, move over time, were partly repeated and are longer than they lasted, and that is
    all: as in the first study that was recorded on such a machine.
    """
    static, rsa, kernels = PLAN.experiments[:3]
    asked = replace(rsa, question="What does a third CPU buy in RSA signing?") if worst else rsa
    plan = replace(PLAN, experiments=(static, asked, kernels))
    names = {each.name for each in plan.experiments}
    own = [each for each in CALM.runs if each.run.experiment in names and each.run.status == "valid"]
    runs = [_changed(each, worst=worst) for each in own]
    runs = [attempt for each in runs for attempt in _attempts(each)] if worst else runs
    hosts = tuple(replace(each, facts=(*each.facts, *BUSY)) for each in CALM.hosts) if worst else CALM.hosts
    return replace(CALM, plan=plan, hosts=hosts, runs=tuple(runs), proof=Proof(seal="" if worst else "5e41"))


def _attempts(each: Recorded) -> Iterator[Recorded]:
    label, blocks = LOST
    if each.run.label == label and each.run.block in blocks:
        lost = replace(each.run, run=each.run.run + 1000, status="invalid", reasons=(f"{STEAL.id}: 3.1 %",), repeats=())
        yield replace(each, run=lost)
        each = replace(each, run=replace(each.run, attempt=2))
    yield each


def _changed(each: Recorded, *, worst: bool) -> Recorded:
    run = each.run
    again = (Repeat(each.records[0].case, (f"{STEAL.id}: 3.1 %", f"{FOREIGN_CPU.id}: 0.4 CPU")),)
    changed = replace(
        run,
        repeats=again if run.label in AGAIN and run.block in (2, 5) else (),
        gates=({"quiet": False, "foreign_cpus": 0.6, "waited_s": 30.0},) if worst and run.block == 3 else (),
        versions={} if worst and run.label == "nginx" and run.block == 1 else run.versions,
    )
    speeds = SPEEDS if worst or run.label in RECORDED else {}
    factor = speeds.get(run.label, (1.0,) * 6)[run.block - 1]
    return replace(each, run=changed, records=tuple(_scaled(record, factor) for record in each.records))


def _scaled(record: CaseRecord, factor: float) -> CaseRecord:
    if isinstance(record, BatchRecord):
        return replace(record, work=record.work * factor)
    assert isinstance(record, LoadRecord)
    values = {**record.values, "goodput_per_s": (record.values["goodput_per_s"] or 0.0) * factor}
    return replace(record, values=values, elapsed_ns=8 * SECOND)


RECORDING = recorded()
ANALYSIS = analyze(RECORDING)
