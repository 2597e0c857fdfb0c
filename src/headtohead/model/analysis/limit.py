"""What limited a treatment."""

from dataclasses import dataclass

from headtohead.model.case import Case


@dataclass(frozen=True)
class Limit:
    """What limited a treatment in a case (cpu, driver, cpu-quota, link, disk, environment, unknown) and why so."""

    case: Case
    resource: str
    because: str
