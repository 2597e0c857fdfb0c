"""How far one run is from the mean of its treatment."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Residual:
    """How far one run's primary value is from its treatment's mean, as a difference of logarithms.

    ``after`` is the treatment of the run made just before it, in the same block or in the one before; None if unknown.
    """

    block: int
    place: int
    label: str
    log: float
    after: str | None = None
