"""What limited a treatment."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    """What limited a treatment in a case (cpu, driver, cpu-quota, link, disk, environment, unknown) and why so."""

    case: str
    resource: str
    because: str
