"""What happened: one run as recorded in its folder, unprocessed."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from headtohead.model.case import Case
from headtohead.model.external.prices import Stated
from headtohead.model.external.reported import Given
from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.noise import NoiseFloor
from headtohead.model.plan import Plan
from headtohead.model.proof import Proof
from headtohead.model.quantity import Scalar
from headtohead.model.readings import Readings

Status = Literal["valid", "invalid", "failed"]
REPLACED = "-replaced"
"""What ends the name of a phase whose case was measured again."""
REPLACEMENT = 3
"""The attempt of every run of a block that is measured again as a whole."""
NOT_STATED = "not stated"
"""The version of a subject that has no command for it, or whose command prints nothing."""


@dataclass(frozen=True)
class Phase:
    """A stretch of a run, in ns from the run's start on its host's monotonic clock."""

    name: str
    case: Case | None
    from_ns: int
    to_ns: int


@dataclass(frozen=True)
class Repeat:
    """A case that was measured again, and why rules had excluded its measurement before."""

    case: Case
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class BatchRecord:
    """The record of a batch program about one case: the amount of work, its unit, its time, and its answer.

    ``from_ns`` and ``to_ns`` are given if the program stamps its own cases; otherwise the times of its phase apply.
    ``why_not`` is why figures that the case should have were not obtained; empty if all were.
    """

    case: Case
    work: float
    work_in: str
    elapsed_ns: int
    answer: Scalar
    metrics: Mapping[str, float]
    from_ns: int | None = None
    to_ns: int | None = None
    why_not: str = ""


@dataclass(frozen=True)
class RefusedRecord:
    """A case that a batch program refused, and why: there is no work, and no answer."""

    case: Case
    reason: str


WRONG_ANSWERS = (
    "wrong-status",
    "wrong-length",
    "wrong-body",
    "wrong-value",
    "not-inflated",
    "malformed",
    "error-answer",
    "wrong-rows",
    "wrong-checksum",
)
"""The load generator's kinds of error for responses that came and were not correct."""


@dataclass(frozen=True)
class LoadRecord:
    """A record of the load generator about one case; ``values`` holds its other figures by name (None: not applicable).

    For a load of queries, ``queries`` holds by name how many of each were ``sent`` and ``right`` and how long they took
    (``response_time_p99_ns``). ``counters`` holds what the subject itself counted from before the load program began
    until after it had ended (``buffer_requests``, ``buffer_reads``), its warm-up included. ``drivers`` holds the
    figures of each driver by its name if several drove; ``driver`` is then their names joined by commas.
    """

    driver: str
    case: Case
    loop: str
    elapsed_ns: int
    from_ns: int
    to_ns: int
    sent: int
    right: int
    errors: Mapping[str, int]
    values: Mapping[str, float | None]
    queries: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    counters: Mapping[str, float] = field(default_factory=dict)
    drivers: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)

    @property
    def wrong(self) -> Mapping[str, int]:
        """The incorrect responses by kind; empty if every response was correct."""
        return {kind: count for kind in WRONG_ANSWERS if (count := self.errors.get(kind, 0))}


CaseRecord = BatchRecord | LoadRecord | RefusedRecord


@dataclass(frozen=True)
class CpuUse:
    """CPU seconds over the measured time of a run, by user; None if they could not be read."""

    subject: float | None
    driver: float | None
    harness: float | None
    foreign: float | None
    steal: float | None


@dataclass(frozen=True)
class Run:
    """One run (``run.json``): what was done, its result, and whether it counts."""

    run: int
    experiment: str
    block: int
    place: int
    attempt: int
    treatment: Mapping[str, Scalar]
    label: str
    status: Status
    reasons: tuple[str, ...]
    started_at: str
    phases: tuple[Phase, ...]
    read_back: Mapping[str, Scalar | tuple[int, ...] | None]
    versions: Mapping[str, str]
    data: Mapping[str, Scalar] | None
    hosts: Mapping[str, str | tuple[str, ...]]
    cpu_s: CpuUse
    subject_memory_peak_bytes: int | None
    usage: Mapping[str, float | None] = field(default_factory=dict)
    """Other figures of the subject's whole tree: ``throttled_periods``, ``oom_kills``, ``processes``, ``threads``."""
    gates: tuple[Mapping[str, Scalar], ...] = ()
    """One for each gate: the case as text, ``quiet``, ``waited_s``, ``foreign_cpus``, ``apart_cpus``."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The sums (``sha256:...``) of all other files of the run's folder by name; older runs lack those in folders."""
    follows: str = ""
    """The link of the chain before this run (``seal.json``); empty in a folder without a seal."""
    in_process: bool = False
    """Whether driver and subject were one program: the client's work counts as the subject's."""
    prepared: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    """By a subject's name, how its copy of the data was made: ``load_s``, and when (``made_at``)."""
    repeats: tuple[Repeat, ...] = ()
    """The cases that were measured again, in order; only their last measurement counts."""
    clocks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """On a bench, by a machine's label: how far its monotonic clock was ahead of headtohead's before and after the run
    (``offset_before_ns``, ``offset_after_ns``), the ``uncertainty_ns`` of both, and the number of ``exchanges``. Empty,
    and absent from run.json, on one machine."""

    @property
    def repeated(self) -> bool:
        """Whether a case was measured again; of older runs only the names of phases show it."""
        return bool(self.repeats) or any(each.name.endswith(REPLACED) for each in self.phases)


@dataclass(frozen=True)
class Setting:
    """A setting in force while the subject ran, and its default; that is empty if unknown."""

    name: str
    value: str
    default: str = ""

    @property
    def differs(self) -> bool:
        """Whether it is known to differ from the default."""
        return bool(self.default) and self.value != self.default


@dataclass(frozen=True)
class Image:
    """A PNG that a run kept: its name, its size in pixels, and the bytes needed to show it."""

    name: str
    width: int
    height: int
    png: bytes


SHARES_BEYOND = (
    0.99,
    0.95,
    *(each / 10 for each in range(9, 4, -1)),
    *(round(10 ** (-each / 10), 7) for each in range(4, 51)),
)
"""Shares of responses that took longer than a time: so finely a distribution is kept. p50 to p99.999 are among them."""


@dataclass(frozen=True)
class CaseTimes:
    """How long the responses of one case of a run took: their number, and shares that took longer, each with its ns."""

    case: Case
    responses: int
    beyond: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Recorded:
    """A run with the content of the other files of its folder.

    ``configuration`` is what the subject reported as in force (``configuration.tsv``), in its order; empty if it does
    not report it. ``images`` are those of one valid run of each treatment, by name; those of other runs are not read.
    ``times`` are those of some valid runs of each treatment (``times.hlog``); only a report reads them.
    """

    run: Run
    records: tuple[CaseRecord, ...]
    readings: Readings | None
    configuration: tuple[Setting, ...] = ()
    images: tuple[Image, ...] = ()
    times: tuple[CaseTimes, ...] = ()


def counting(runs: Iterable[Recorded], *, gone: Collection[str] = ()) -> dict[tuple[int, str], Recorded]:
    """Return the run of an experiment that counts in each block and treatment, by both: the latest valid one.

    A block that was measured again as a whole counts only as a whole: if a run of it is not valid, or was not made
    though its treatment was not dropped (``gone``), none of it does. So the runs of a pair are of one time.
    """
    blocks: dict[int, list[Recorded]] = {}
    for each in sorted(runs, key=lambda each: (each.run.block, each.run.attempt, each.run.run)):
        blocks.setdefault(each.run.block, []).append(each)
    found: dict[tuple[int, str], Recorded] = {}
    for block, made in blocks.items():
        again = [each for each in made if each.run.attempt == REPLACEMENT]
        meant = {each.run.label for each in made}.difference(gone).union(each.run.label for each in again)
        whole = bool(again) and meant == {each.run.label for each in again if each.run.status == "valid"}
        chosen = again if whole else [each for each in made if each.run.attempt != REPLACEMENT]
        found.update({(block, each.run.label): each for each in chosen if each.run.status == "valid"})
    return found


@dataclass(frozen=True)
class Recording:
    """A results folder, read."""

    name: str
    plan: Plan
    hosts: tuple[HostFacts, ...]
    runs: tuple[Recorded, ...]
    stopped: Mapping[str, str] | None = None
    """Why each experiment ended (``end.json``); None while the study is unfinished."""
    noise: NoiseFloor | None = None
    """The machine's noise floor when the study began; None if none had been measured."""
    given: tuple[Given, ...] = ()
    """Results that others report, shown next to these."""
    proof: Proof | None = None
    """The result of checking the files; None for results that were never in files."""
    stated: Stated = field(default_factory=Stated)
    """What people gave of the machine and of prices."""
    race: tuple[str, ...] | None = None
    """The options of the `headtohead race` that this was, as typed; None if it was no race, empty if they were not
    kept."""

    def runs_of(self, experiment: str) -> tuple[Recorded, ...]:
        """Return the runs of an experiment, in the order they were made."""
        return self._by_experiment.get(experiment, ())

    def without_readings(self) -> "Recording":
        """Return the same without the monitors' readings, which hold most of the memory; only analyses need them."""
        return replace(self, runs=tuple(replace(each, readings=None) for each in self.runs))

    @cached_property
    def _by_experiment(self) -> Mapping[str, tuple[Recorded, ...]]:
        found: dict[str, list[Recorded]] = {}
        for each in sorted(self.runs, key=lambda each: each.run.run):
            found.setdefault(each.run.experiment, []).append(each)
        return {name: tuple(runs) for name, runs in found.items()}
