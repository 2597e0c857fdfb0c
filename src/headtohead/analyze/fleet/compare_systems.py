"""Results folders of several machines compared with one of them: never interleaved.

Treatments of equal ``same_test`` and equal levels share a table. What cannot be compared with the baseline is refused,
with what differs.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from headtohead.analyze.fleet.machine_sessions import (
    Gathered,
    Machine,
    day_of,
    described,
    gather,
    machines_of,
    plans_of,
)
from headtohead.analyze.fleet.overall_mean import overall_of
from headtohead.analyze.fleet.price_and_energy_of_work import with_worth
from headtohead.analyze.fleet.ratios_and_ranks_of_systems import Column, standings_of
from headtohead.analyze.fleet.same_test import ComparedTreatment, refusals
from headtohead.analyze.fleet.systems_by_case import grids_of
from headtohead.model.analysis.systems import (
    Broken,
    FactDifference,
    FactValue,
    Refusal,
    System,
    SystemResults,
    SystemsComparison,
    SystemsTable,
)


def compare_systems(
    systems: Sequence[SystemResults], baseline: int, *, differ: Collection[str] = (), broken: Sequence[Broken] = ()
) -> SystemsComparison:
    """Compare two or more systems with the one at place ``baseline``, test by test and over all tests.

    Folders of one machine are sessions of one system. Verdicts and ranks rest on sessions, or on the spread that was
    recorded between them; a system measured once has neither (docs/adr/0023). A table's values have simultaneous t
    intervals on the logarithms, at 0.05 over the number of systems; ranks follow from these. Ratios have Welch's t on
    the logarithms, at 0.05 over the number of ratios of the experiment. ``differ`` names host facts (or groups of
    them) that are meant to differ.
    """
    machines = machines_of(systems)
    first = machines[baseline]
    order = [first, *(each for place, each in enumerate(machines) if place != baseline)]
    gathered = gather(order)
    shown = [each for each in gathered if len(each.places) > 1]
    ratios = _ratios_by_test(shown)
    names = [each.name for each in order]
    columns = [_column(each, order, ratios=ratios[_test_of(each.arm)]) for each in shown]
    known = {each.name: each for each in map(described, order)}
    lone = [_lone(each, names) for each in gathered if len(each.places) < 2 and len(each.planned) > 1]
    return SystemsComparison(
        baseline=first.name,
        says=_says(order),
        systems=tuple(known.values()),
        overall=overall_of(columns, names),
        tables=tuple(_table(each, names, known) for each in columns),
        facts=tuple(_facts(order, differ=differ)),
        refused=(*refusals(plans_of(order)), *lone),
        broken=tuple(broken),
        unsealed=tuple(folder.name for each in order for folder in each.folders if not folder.sealed),
        grids=tuple(grid for each in shown for grid in grids_of(each.arm, order)),
    )


def _column(gathered: Gathered, machines: Sequence[Machine], *, ratios: int) -> Column:
    spreads = [machines[place].spread_of(gathered.arm) for place in gathered.places]
    cpus = [tuple(sorted(each)) for each in gathered.cpus]
    return Column(gathered.arm, gathered.places, gathered.sessions, cpus=cpus, spreads=spreads, ratios=ratios)


def _ratios_by_test(shown: Sequence[Gathered]) -> Mapping[tuple[str, str], int]:
    """Return the number of ratios to the baseline in each experiment, over all treatments: they share one error."""
    counts: dict[tuple[str, str], int] = {}
    for each in shown:
        key = _test_of(each.arm)
        counts[key] = counts.get(key, 0) + len(each.places) - 1
    return counts


def _test_of(arm: ComparedTreatment) -> tuple[str, str]:
    return arm.experiment.name, arm.experiment.same_test


def _table(column: Column, names: Sequence[str], systems: Mapping[str, System]) -> SystemsTable:
    experiment = column.arm.experiment
    present = set(column.places)
    return SystemsTable(
        experiment=experiment.name,
        treatment=column.arm.label,
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


def _lone(gathered: Gathered, names: Sequence[str]) -> Refusal:
    """Return why a treatment that several systems planned has no table."""
    having = tuple(names[place] for place in gathered.places)
    who = f"{having[0]} alone has" if having else "no system has"
    return Refusal(gathered.arm.experiment.name, "values", f"{who} values of {gathered.arm.label}.", having)


def _says(machines: Sequence[Machine]) -> str:
    names = [folder.name for each in machines for folder in each.folders]
    days = sorted(day for day in set(map(day_of, names)) if day is not None)
    when = f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}" if days else "on unknown days"
    return f"not interleaved: other machines, or the same one at other times ({when})"


def _facts(systems: Sequence[Machine], *, differ: Collection[str]) -> Iterator[FactDifference]:
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


def _by_fact(systems: Sequence[Machine]) -> Iterator[tuple[tuple[str, str], Sequence[FactValue]]]:
    """Yield each fact with its value in every system; systems with the same facts, the usual case, take a shortcut."""
    facts = [each.folders[0].facts for each in systems]
    first = list(facts[0])
    if all(list(each) == first for each in facts):
        yield from zip(first, zip(*(each.values() for each in facts), strict=True), strict=True)
        return
    for key in dict.fromkeys(key for each in facts for key in each):
        yield key, [each.get(key, (None, None)) for each in facts]
