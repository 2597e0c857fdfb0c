"""How long runs took on a machine (``durations.json``): a forecast takes that in place of what it would assume."""

from dataclasses import dataclass

from headtohead.model.machine.host import Fact


@dataclass(frozen=True)
class RecordedDuration:
    """The median duration of the valid runs of a treatment, in seconds, without waits for quiet.

    ``key`` identifies the test and the treatment, ``alike`` the treatment of a workload whatever its load is.
    ``planned_s`` is what was assumed without earlier runs, ``runs`` the number of runs.
    """

    key: str
    alike: str
    experiment: str
    treatment: str
    runs: int
    seconds: float
    planned_s: float


@dataclass(frozen=True)
class RecordedDurations:
    """What earlier studies of a machine show, the newest first; ``facts`` describe the machine."""

    tests: tuple[RecordedDuration, ...]
    facts: tuple[Fact, ...]
