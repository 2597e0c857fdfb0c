"""A reference machine: a results folder with which others are compared, by three of its files."""

from dataclasses import dataclass

from headtohead.model.analysis import Measurement
from headtohead.model.host import HostFacts
from headtohead.model.plan import Plan


@dataclass(frozen=True)
class ReferenceMachine:
    """The content of plan.json, hosts.json and measurements.csv of a results folder; ``name`` is the folder's."""

    name: str
    plan: Plan
    hosts: tuple[HostFacts, ...]
    measurements: tuple[Measurement, ...]
    measurements_sha256: str
