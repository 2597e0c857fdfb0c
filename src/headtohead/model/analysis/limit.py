"""What limited a treatment."""

from dataclasses import dataclass
from typing import Literal

from headtohead.model.case import Case

AT_CAPACITY = Case({"highest load that held": ""})
"""The case of the capacity of a search, whose rates differ from run to run."""

Resource = Literal["cpu", "driver", "cpu-quota", "parallelism", "link", "disk", "environment", "unknown"]


@dataclass(frozen=True)
class Limit:
    """What limited a treatment in a case, and the figures that show it: medians over its valid runs.

    A figure is None if it was not read, or has no part in the reason. Shares are fractions of 1.
    """

    case: Case
    resource: Resource
    subject_cpus: float | None = None
    """The CPUs that the subject used on average."""
    subject_cpus_allotted: float | None = None
    """The CPUs that the subject may use at once; None if the subject's use has no part in the reason."""
    driver_share: float | None = None
    """The share of its own CPUs that the driver used."""
    driver_delay_share: float | None = None
    """The share of the time for which the driver's threads waited for a CPU."""
    cpu_quota: float | None = None
    """The CPUs that the quota allows."""
    throttled_share: float | None = None
    """The share of the quota's periods that were throttled."""
    steal_share: float | None = None
    """The share of the time of the CPUs in use that the hypervisor took away."""
    foreign_cpus: float | None = None
    """The CPUs that other processes used."""
    at_once: int | None = None
    """How many copies, threads or processes of the subject worked at once."""
    link_share: float | None = None
    """The share of the link's rate that its busier direction carried."""
    disk_wait_share: float | None = None
    """The share of the time in which everything that could run waited for a disk."""
    disk_bytes_per_s: float | None = None
    """What the machine's disks read and wrote while they were waited for."""
    disk_requests: float | None = None
    """The requests to the machine's disks that were under way on average."""
