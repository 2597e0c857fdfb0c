"""Systems to compare, from plain numbers: in memory, and as results folders on disk."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from headtohead.model.analysis.estimates import Measurement
from headtohead.model.analysis.systems import ArmKey, SystemResults
from headtohead.model.case import WHOLE_RUN
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.quantity import Scalar
from headtohead.store import durable, write
from headtohead.store.layout import Layout
from headtohead.store.measurements import to_csv
from headtohead.store.proof import seal
from tests.analyze.building import experiment, plan, treatment

Facts = Mapping[tuple[str, str], Scalar | None]
Values = Mapping[tuple[str, str], Sequence[float]]
HERE: Facts = {("cpu", "model"): "Some CPU", ("cpu", "threads"): 8, ("software", "kernel"): "6.1"}


def lone(name: str = "static-page", **changes: object) -> PlannedExperiment:
    """Return an experiment of one treatment, nginx."""
    return experiment(**({"name": name, "treatments": (treatment("nginx"),), "comparisons": ()} | changes))


def system(
    name: str, values: Values | Sequence[float] = (), *, of: Plan | None = None, facts: Facts = HERE
) -> SystemResults:
    """Return a system with these values by experiment and treatment; bare ones are of nginx on the static page."""
    told = values if isinstance(values, Mapping) else {("static-page", "nginx"): values}
    return SystemResults(
        name=name,
        plan=of or plan(lone()),
        facts={key: (value, None) for key, value in facts.items()},
        values={ArmKey(*key): tuple(each) for key, each in told.items() if each},
    )


def days(
    name: str, *sessions: Values | Sequence[float], of: Plan | None = None, facts: Facts = HERE
) -> list[SystemResults]:
    """Return the sessions of one machine, a day each."""
    return [
        replace(system(f"2026-11-{day}-{name}", values, of=of, facts=facts), machine=name)
        for day, values in enumerate(sessions, start=10)
    ]


def folder(root: Path, values: Values | Sequence[float], *, of: Plan | None = None, facts: Facts = HERE) -> Path:
    """Write what ``compare`` reads of a results folder, one line a run, blocks from 1."""
    chosen = of or plan(lone())
    told = values if isinstance(values, Mapping) else {("static-page", "nginx"): values}
    primaries = {each.name: each.primary.name for each in chosen.experiments}
    numbered = [(key, block, value) for key, each in told.items() for block, value in enumerate(each, start=1)]
    lines = [
        Measurement(name, run, block, label, "valid", WHOLE_RUN, primaries[name], value)
        for run, ((name, label), block, value) in enumerate(numbered, start=1)
    ]
    hosts = HostFacts("local", tuple(Fact(*key, value, None, "told") for key, value in facts.items()))
    layout = Layout(root)
    write.begin(layout, study=b"", plan=chosen, hosts=(hosts,))
    durable.whole(layout.measurements, to_csv(lines))
    seal.keep(layout, layout.measurements.name)
    return root
