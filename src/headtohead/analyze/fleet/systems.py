"""Results folders of several machines compared with one of them: never interleaved.

Treatments of equal ``same_test`` and equal levels share a table. What cannot be compared with the baseline is refused,
with what differs.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from headtohead.analyze.fleet.cost import with_worth
from headtohead.analyze.fleet.same_test import ComparedTreatment, arms_of, refusals
from headtohead.analyze.fleet.tables import Column, overall_of, standings_of
from headtohead.analyze.references.reference_machine import DAY
from headtohead.model.analysis.systems import (
    ArmKey,
    Broken,
    FactDifference,
    Refusal,
    System,
    SystemResults,
    SystemsComparison,
    SystemsTable,
    Told,
)
from headtohead.model.quantity import Scalar


@dataclass
class _Gathered:
    """One treatment: the places of the systems that have values of it, the values, and how many systems planned it."""

    arm: ComparedTreatment
    places: list[int] = field(default_factory=list)
    samples: list[tuple[float, ...]] = field(default_factory=list)
    planned: int = 0


def compare_systems(
    systems: Sequence[SystemResults], baseline: int, *, differ: Collection[str] = (), broken: Sequence[Broken] = ()
) -> SystemsComparison:
    """Compare two or more systems with the one at place ``baseline``, test by test and over all tests.

    A table's values have simultaneous t intervals on the logarithms of the valid runs, at 0.05 over the number of
    systems; ranks follow from these. Ratios have Welch's t on the logarithms, at 0.05 over the number of ratios of the
    experiment. ``differ`` names host facts (or groups of them) that are meant to differ.
    """
    first = systems[baseline]
    order = [first, *(each for place, each in enumerate(systems) if place != baseline)]
    gathered = list(_gather(order).values())
    shown = [each for each in gathered if len(each.places) > 1]
    ratios = _ratios_by_test(shown)
    named = {each.name: each for each in order}
    columns = [Column(each.arm, each.places, each.samples, ratios=ratios[_test_of(each.arm)]) for each in shown]
    names = [each.name for each in order]
    lone = [_lone(each, names) for each in gathered if len(each.places) < 2 and each.planned > 1]
    return SystemsComparison(
        baseline=first.name,
        says=_says(order),
        systems=tuple(map(_system, order)),
        overall=overall_of(columns, names),
        tables=tuple(_table(each, names, named) for each in columns),
        facts=tuple(_facts(order, differ=differ)),
        refused=(*refusals([(each.name, each.plan) for each in order]), *lone),
        broken=tuple(broken),
        unsealed=tuple(each.name for each in order if not each.sealed),
    )


def _gather(systems: Sequence[SystemResults]) -> dict[object, _Gathered]:
    """Return every treatment that any system planned, those of the baseline first."""
    found: dict[object, _Gathered] = {}
    kinds: dict[int, Sequence[ComparedTreatment]] = {}
    for place, system in enumerate(systems):
        arms = kinds.get(id(system.plan))
        if arms is None:
            arms = kinds[id(system.plan)] = arms_of(system.plan)
        for arm in arms:
            own = found.get(arm.key)
            if own is None:
                own = found[arm.key] = _Gathered(arm)
            own.planned += 1
            values = system.values.get(ArmKey(arm.experiment.name, arm.treatment.label))
            if values:
                own.places.append(place)
                own.samples.append(values)
    return found


def _ratios_by_test(shown: Sequence[_Gathered]) -> Mapping[tuple[str, str], int]:
    """Return the number of ratios to the baseline in each experiment, over all treatments: they share one error."""
    counts: dict[tuple[str, str], int] = {}
    for each in shown:
        key = _test_of(each.arm)
        counts[key] = counts.get(key, 0) + len(each.places) - 1
    return counts


def _test_of(arm: ComparedTreatment) -> tuple[str, str]:
    return arm.experiment.name, arm.experiment.same_test


def _table(column: Column, names: Sequence[str], systems: Mapping[str, SystemResults]) -> SystemsTable:
    experiment = column.arm.experiment
    present = set(column.places)
    return SystemsTable(
        experiment=experiment.name,
        treatment=column.arm.treatment.label,
        workload=experiment.workload,
        workload_title=experiment.workload_title,
        workload_version=experiment.workload_version,
        same_test=experiment.same_test,
        primary=experiment.primary,
        metric=column.metric,
        matters=experiment.matters,
        standings=with_worth(standings_of(column, names), column.metric, systems),
        missing=tuple(name for place, name in enumerate(names) if place not in present),
    )


def _lone(gathered: _Gathered, names: Sequence[str]) -> Refusal:
    """Return why a treatment that several systems planned has no table."""
    having = tuple(names[place] for place in gathered.places)
    who = f"{having[0]} alone has" if having else "no system has"
    return Refusal(gathered.arm.experiment.name, "values", f"{who} values of {gathered.arm.treatment.label}.", having)


def _says(systems: Sequence[SystemResults]) -> str:
    days = sorted(day for day in {_day(each.name) for each in systems} if day is not None)
    told = f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}" if days else "on days not told"
    return f"not interleaved: other machines, or the same one at other times ({told})"


def _day(name: str) -> str | None:
    found = DAY.match(name.rpartition("/")[2])
    return found.group() if found else None


def _system(system: SystemResults) -> System:
    def told(group: str, name: str) -> Scalar | None:
        return system.facts.get((group, name), (None, None))[0]

    return System(
        name=system.name,
        day=_day(system.name),
        cpu=told("cpu", "model"),
        cpus=told("cpu", "threads"),
        memory_bytes=told("memory", "total"),
        kernel=told("software", "kernel"),
        distribution=told("software", "distribution"),
        price=system.price,
        power=system.power,
    )


def _facts(systems: Sequence[SystemResults], *, differ: Collection[str]) -> Iterator[FactDifference]:
    """Yield the facts that differ between systems, in reading order; an absent fact is not visible."""
    for (group, name), column in _by_fact(systems):
        if len(set(column)) > 1 and len({value for value, _ in column}) > 1:
            yield FactDifference(
                group=group,
                name=name,
                unit=next((unit for _, unit in column if unit is not None), None),
                intended=name in differ or group in differ,
                values=tuple(value for value, _ in column),
            )


def _by_fact(systems: Sequence[SystemResults]) -> Iterator[tuple[tuple[str, str], Sequence[Told]]]:
    """Yield each fact with its value in every system; systems with the same facts, the usual case, take a shortcut."""
    first = list(systems[0].facts)
    if all(list(each.facts) == first for each in systems):
        yield from zip(first, zip(*(each.facts.values() for each in systems), strict=True), strict=True)
        return
    for key in dict.fromkeys(key for each in systems for key in each.facts):
        yield key, [each.facts.get(key, (None, None)) for each in systems]
