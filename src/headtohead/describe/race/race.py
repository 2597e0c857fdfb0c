"""The words of a race: what runs, what is requested, and how long."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from headtohead.describe.study.experiment import LOOKS
from headtohead.model.study.subject import BATCH_RACE, RACE, TLS_RACE

WORKLOAD = "race"
"""The name of the workload, and of the experiment."""

LOOKS_WITHIN_A_BUDGET = (*LOOKS, 36, 54, 80, 120)
"""The most interim analyses of a race with a time limit: METHOD.md section 11, line 1, and on, half as much again."""
_STARTED_S: Mapping[str, float] = {"batch": 0.5, "serve": 1.5, "url": 0.5}
"""What a run takes at least besides the times of its load: the gate, a start and a stop."""

Kind = Literal["serve", "url", "batch"]


@dataclass(frozen=True)
class Racer:
    """One of those that race: a server that is started for each run, one that already runs, or a program.

    ``argv`` may hold ``@port@`` and the other words of a subject. ``directory`` is where it works. A server that
    already runs has neither, but a ``url`` and its processes. ``values`` are those of the parameters of a program.
    """

    name: str
    argv: tuple[str, ...]
    directory: Path
    url: str = ""
    attach: Mapping[str, object] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    """What reports call it; empty for its name."""

    def alike(self, other: "Racer") -> bool:
        """Return whether two racers differ in nothing but their names: they are one setup twice."""
        return replace(self, name="", title="") == replace(other, name="", title="")


@dataclass(frozen=True)
class RaceRequest:
    """One request of the race, and what is known of its correct response.

    ``status`` is None for whichever all servers give below 400, until they have been tried. ``body`` is None unless
    every response to it was the same; ``length_bytes`` is None unless their length was.
    """

    path: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    sends: bytes | None = None
    status: int | None = None
    length_bytes: int | None = None
    body: bytes | None = None


@dataclass(frozen=True)
class BatchSteps:
    """The programs around the runs of a batch race (argv each), and what the output is compared with.

    ``answer`` is what every record must have; None until the programs have run once.
    """

    setup: tuple[str, ...] | None = None
    prepare: tuple[str, ...] | None = None
    cleanup: tuple[str, ...] | None = None
    expect: str | None = None
    compares: bool = True
    answer: str = "done"


@dataclass(frozen=True)
class RaceLoad:
    """How requests are sent: users (``connections``), or a rate, or the search for the highest rate.

    ``objective`` is for the search: a metric and its limit in ns. Times are in seconds.
    """

    connections: tuple[int, ...] = (10,)
    rate_per_s: float | None = None
    objective: Mapping[str, float] = field(default_factory=dict)
    warm_up_s: float = 1.2
    """A server with a short queue of connections loses some, which TCP tries again after 1 s."""
    measure_s: float = 3.0


@dataclass(frozen=True)
class Race:
    """A whole race. The first racer is the baseline. ``within_min`` is None for no time limit.

    ``ca`` holds the certificates to trust over TLS (PEM); None for those of the system. ``http`` is the version of
    HTTP, "1.1" or "2". Servers that are started use TLS if there are certificates.
    """

    kind: Kind
    racers: tuple[Racer, ...]
    requests: tuple[RaceRequest, ...] = ()
    steps: BatchSteps = field(default_factory=BatchSteps)
    load: RaceLoad = field(default_factory=RaceLoad)
    cpus: int | str = 1
    matters: float = 1.03
    within_min: float | None = None
    ca: bytes | None = None
    http: str = "1.1"
    ready_by_any_status: bool = True
    """Whether any response shows that a server is ready; false once all give 200 to a plain GET of the first path."""

    @property
    def setups(self) -> tuple[Racer, ...]:
        """The racers without those that are an earlier one again."""
        return tuple(each for each in self.racers if self.subject_of(each) == each.name)

    def subject_of(self, racer: Racer) -> str:
        """Return the name of the subject that a racer is: its own, or that of an earlier one that is the same."""
        return next(each.name for each in self.racers if each.alike(racer))

    @property
    def looks(self) -> tuple[int, ...] | None:
        """The interim analyses within a time limit, as many as its runs leave time for; None for those of any race.

        What is planned and not reached costs a little of each level. How long a program takes is not known yet.
        """
        if self.within_min is None or self.searches:
            return None
        batch = self.kind == "batch"
        case_s = self.load.measure_s + (0.0 if batch else self.load.warm_up_s)
        cases = 1 if batch or self.load.rate_per_s is not None else len(self.load.connections)
        most = 60 * self.within_min / (len(self.racers) * (cases * case_s + _STARTED_S[self.kind]))
        return tuple(each for each in LOOKS_WITHIN_A_BUDGET if each in LOOKS or each <= most)

    @property
    def interface(self) -> str:
        """The interface of its subjects and its workload."""
        if self.kind == "batch":
            return BATCH_RACE
        return TLS_RACE if self.over_tls else RACE

    @property
    def over_tls(self) -> bool:
        """Whether requests are encrypted."""
        if self.kind == "serve":
            return self.ca is not None
        return any(each.url.startswith("https:") for each in self.racers)

    @property
    def searches(self) -> bool:
        """Whether each run searches for the capacity."""
        return bool(self.load.objective)
