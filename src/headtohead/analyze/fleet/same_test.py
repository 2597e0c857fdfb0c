"""Which treatments of several results folders are the same test, and why others are not."""

import hashlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product

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

    The key holds the experiment's name and ``same_test``, and the treatment's label, subject, levels and settings, with
    a count word in place of the number that it stands for: "all" of one machine is compared with "all" of another.
    ``label`` is the treatment's label with these words.
    """

    experiment: PlannedExperiment
    treatment: Treatment
    key: Hashable
    label: str


def key_text(arm: ComparedTreatment) -> str:
    """Return a text that identifies the test and the treatment in files: equal for equal keys, and for no others."""
    return hashlib.sha256(repr(arm.key).encode()).hexdigest()


def arms_of(plan: Plan) -> list[ComparedTreatment]:
    """Return the treatments of a plan that can be compared: all but floors; one of two meanings is there twice."""
    return [
        ComparedTreatment(experiment, treatment, (experiment.name, experiment.same_test, *identity), str(identity[0]))
        for experiment in plan.experiments
        for treatment in experiment.treatments
        if not treatment.floor
        for identity in _identities(treatment)
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
                {_identities(arm): arm.label for arm in each.treatments if not arm.floor} for each in (experiment, twin)
            )
            for label in _only(ours, theirs):
                yield experiment.name, "levels", f"{first_name} has {label}, these have nothing of equal levels."
            for label in _only(theirs, ours):
                yield experiment.name, "levels", f"these have {label}, {first_name} has nothing of equal levels."
    for name in others:
        yield name, "experiment", f"these have it, {first_name} has not."


def _otherwise_polled(first: PlannedExperiment, other: PlannedExperiment) -> bool:
    """Return whether a treatment of both has a driver that polls in one only."""
    polls = {each[:-1]: _polls(arm) for arm in first.treatments for each in _identities(arm)}
    return any(
        polls.get(each[:-1], _polls(arm)) != _polls(arm) for arm in other.treatments for each in _identities(arm)
    )


def _only(have: Mapping[tuple[_Identity, ...], str], lack: Mapping[tuple[_Identity, ...], str]) -> list[str]:
    """Return the labels of which no meaning is among the others."""
    others = set(chain.from_iterable(lack))
    return [label for identities, label in have.items() if others.isdisjoint(identities)]


def _differing(first: PlannedExperiment, other: PlannedExperiment) -> tuple[str, str, str]:
    fields = [name for name in TEST_FIELDS if getattr(first, name) != getattr(other, name)]
    if not fields:
        return first.name, "same_test", "the files of the workload or its data differ."
    why = "; ".join(f"{name}: {getattr(first, name)} against {getattr(other, name)}" for name in fields)
    return first.name, ", ".join(fields), f"{why[:MOST_LETTERS]}."


def _identities(treatment: Treatment) -> tuple[_Identity, ...]:
    """Return what must be equal in two treatments, for each meaning of its numbers; the label comes first."""
    meanings = product(*([(name, text) for text in texts] for name, texts in treatment.words.items()))
    return tuple(_identity(treatment, dict(each)) for each in meanings)


def _identity(treatment: Treatment, words: Mapping[str, str]) -> _Identity:
    """Return label, subject, levels and settings as texts, with ``words`` for their numbers, and the polling."""
    label = treatment.label
    for name, word in words.items():
        if name in treatment.levels:
            label = label.replace(f" {name}={scalar_text(treatment.levels[name])}", f" {name}={word}")
    levels, settings = (
        {**_texts(each), **{name: word for name, word in words.items() if name in each}}
        for each in (treatment.levels, treatment.settings)
    )
    return label, treatment.subject, _sorted(levels), _sorted(settings), _polls(treatment)


def _polls(treatment: Treatment) -> bool:
    """Return whether the load generator polled; in older plans it did not."""
    return treatment.poll == "busy"


def _texts(levels: Mapping[str, Scalar]) -> dict[str, str]:
    return {name: scalar_text(value) for name, value in levels.items()}


def _sorted(texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(texts.items()))
