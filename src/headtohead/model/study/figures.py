"""The figures of a study that decide how its verdicts are reached, as its file has them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ExperimentFigures:
    """Those of one experiment, with the default if the file has none; None if the workload decides."""

    name: str
    looks: tuple[int, ...]
    matters: float
    within_min: float | None
    share_driver: bool
    orders: str
    compare: str | None
    primary: str | None


@dataclass(frozen=True)
class StudyFigures:
    """Those of a whole study."""

    title: str
    seed: int
    within_min: float | None
    experiments: tuple[ExperimentFigures, ...]
