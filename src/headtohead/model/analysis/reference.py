"""A reference machine: a results folder that others are held against, as far as three of its files tell."""

from dataclasses import dataclass

from headtohead.model.analysis.estimates import Measurement
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Plan


@dataclass(frozen=True)
class ReferenceMachine:
    """What plan.json, hosts.json and measurements.csv of a results folder hold; ``name`` is the folder's."""

    name: str
    plan: Plan
    hosts: tuple[HostFacts, ...]
    measurements: tuple[Measurement, ...]
    measurements_sha256: str
