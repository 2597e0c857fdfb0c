"""Which treatments of several results folders are the same test, and why others are not."""

import hashlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.systems import Refusal
from headtohead.model.plan import Plan, PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text

TEST_FIELDS = (
    "workload",
    "workload_version",
    "asks",
    "data",
    "load",
    "cases",
    "primary",
    "summaries",
    "metrics",
    "compare",
)
"""The fields that same_test hashes. If all are equal and the hash is not, the workload's files differ."""

MOST_LETTERS = 400
_Identity = tuple[Hashable, ...]


@dataclass(frozen=True)
class ComparedTreatment:
    """A treatment of an experiment; systems whose treatments have equal keys share a table.

    The key holds the experiment's name and ``same_test``, and the treatment's label, subject, levels and settings.
    """

    experiment: PlannedExperiment
    treatment: Treatment
    key: Hashable


def key_text(arm: ComparedTreatment) -> str:
    """Return a text that identifies the test and the treatment in files: equal for equal keys, and for no others."""
    return hashlib.sha256(repr(arm.key).encode()).hexdigest()


def arms_of(plan: Plan) -> list[ComparedTreatment]:
    """Return the treatments of a plan that can be compared: all but floors."""
    return [
        ComparedTreatment(experiment, treatment, (experiment.name, experiment.same_test, *_identity(treatment)))
        for experiment in plan.experiments
        for treatment in experiment.treatments
        if not treatment.floor
    ]


def refusals(planned: Sequence[tuple[str, Plan]]) -> list[Refusal]:
    """Return what cannot be compared with the first of several systems, each with the systems concerned."""
    named: dict[int, list[str]] = {}
    plans = {id(plan): plan for _, plan in planned}
    for name, plan in planned:
        named.setdefault(id(plan), []).append(name)
    first_name, first = planned[0]
    found: dict[tuple[str, str, str], list[str]] = {}
    for key, plan in plans.items():
        for refusal in _refusals(first, plan, first_name=first_name):
            found.setdefault(refusal, []).extend(named[key])
    return [Refusal(*refusal, tuple(systems)) for refusal, systems in found.items()]


def _refusals(first: Plan, other: Plan, *, first_name: str) -> Iterator[tuple[str, str, str]]:
    """Yield experiment, field and reason of each difference between two plans."""
    others = {each.name: each for each in other.experiments}
    for experiment in first.experiments:
        twin = others.pop(experiment.name, None)
        if twin is None:
            yield experiment.name, "experiment", f"{first_name} has it, these have not."
        elif experiment.same_test != twin.same_test:
            yield _differing(experiment, twin)
        else:
            if _otherwise_polled(experiment, twin):
                why = "the driver of one polled its connections, that of the other slept: throughput differs by that."
                yield experiment.name, "poll", why
                continue
            ours, theirs = (
                {_identity(arm): arm.label for arm in each.treatments if not arm.floor} for each in (experiment, twin)
            )
            for label in _only(ours, theirs):
                yield experiment.name, "levels", f"{first_name} has {label}, these have nothing of equal levels."
            for label in _only(theirs, ours):
                yield experiment.name, "levels", f"these have {label}, {first_name} has nothing of equal levels."
    for name in others:
        yield name, "experiment", f"these have it, {first_name} has not."


def _otherwise_polled(first: PlannedExperiment, other: PlannedExperiment) -> bool:
    """Return whether a treatment of both has a driver that polls in one only."""
    polls = {_identity(arm)[:-1]: _polls(arm) for arm in first.treatments}
    return any(polls.get(_identity(arm)[:-1], _polls(arm)) != _polls(arm) for arm in other.treatments)


def _only(have: Mapping[_Identity, str], lack: Mapping[_Identity, str]) -> list[str]:
    return [label for identity, label in have.items() if identity not in lack]


def _differing(first: PlannedExperiment, other: PlannedExperiment) -> tuple[str, str, str]:
    fields = [name for name in TEST_FIELDS if getattr(first, name) != getattr(other, name)]
    if not fields:
        return first.name, "same_test", "the files of the workload or its data differ."
    why = "; ".join(f"{name}: {getattr(first, name)} against {getattr(other, name)}" for name in fields)
    return first.name, ", ".join(fields), f"{why[:MOST_LETTERS]}."


def _identity(treatment: Treatment) -> _Identity:
    """Return what must be equal in two treatments: label, subject, levels and settings as written, and the polling."""
    return treatment.label, treatment.subject, _texts(treatment.levels), _texts(treatment.settings), _polls(treatment)


def _polls(treatment: Treatment) -> bool:
    """Return whether the load generator polled; in older plans it did not."""
    return treatment.poll == "busy"


def _texts(levels: Mapping[str, Scalar]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, scalar_text(value)) for name, value in levels.items()))
