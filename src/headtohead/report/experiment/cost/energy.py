"""Energy: a table if it was read or power was given, and one sentence on its source."""

from collections.abc import Sequence

from headtohead.model.analysis.results import Analysis, ExperimentResult, TreatmentResult
from headtohead.model.case import Case
from headtohead.model.external.prices import Stated, Tariff
from headtohead.report.document import Row, RowGroup, Table
from headtohead.report.experiment.values.cells import estimate_entry, level_text
from headtohead.report.text.names import work_unit
from headtohead.report.text.numbers.dates_and_durations import day
from headtohead.report.text.numbers.prices import price_text
from headtohead.report.text.numbers.values_with_units import Scale, quantity, scale_for
from headtohead.report.text.wording import listed

_W = Scale(1.0, "W")
RATE = "rate_per_s"
NOTHING_GIVEN = "Power cannot be read here, and none was given, so energy is not shown."


def power_sentence(analysis: Analysis) -> str:
    """Return the source of the energy shown, or why none is shown."""
    every = (each for one in analysis.experiments for arm in one.treatments for each in arm.energy)
    kinds = {each.kind for each in every}
    if "read" in kinds:
        return (
            "Energy was read from the counters of the processor packages: what they draw idle is in it, the rest of "
            "the machine is not."
        )
    powers = [each.power for each in analysis.stated.systems if each.power]
    if not powers:
        return NOTHING_GIVEN
    if len(analysis.stated.systems) > 1:
        return _of_each(analysis.stated)
    power = powers[0]
    said = f"by {power.by}, {day(power.date)}, {power.how}"
    if power.load_w is None:
        return f"Power cannot be read here, and none under load was given ({said}); energy is not shown."
    watts = quantity(power.load_w, "W")
    return f"Power cannot be read here: energy rests on {watts} of the whole machine under load, as given ({said})."


def _of_each(stated: Stated) -> str:
    """Return the source of the energy on a bench, where each server has a power of its own."""
    given = [
        f"{quantity(each.power.load_w, 'W')} of {name} (by {each.power.by}, {day(each.power.date)}, {each.power.how})"
        for name, each in stated.servers.items()
        if each.power and each.power.load_w is not None
    ]
    none = [name for name, each in stated.servers.items() if each.power is None or each.power.load_w is None]
    rests = f"Power cannot be read here: energy rests on what was given under load: {listed(given)}." if given else ""
    return f"{rests}{f' None was given of {listed(none)}.' if none else ''}".strip()


def energy_table(result: ExperimentResult, stated: Stated, tariff: Tariff) -> Table | None:
    """Return the energy of a unit of work, in the cases in which it is known; None if in none."""
    arms = [each for each in result.treatments if each.energy and not each.floor]
    every = [each for arm in arms for each in arm.energy]
    if not every:
        return None
    scale, unit = scale_for("J", [each.joules.value for each in every]), work_unit(result.metric)
    money = Scale(1.0, tariff.currency)
    read, priced = any(each.kind == "read" for each in every), tariff.per_kwh is not None
    cases = tuple(dict.fromkeys(each.case for each in every))
    groups = tuple(
        RowGroup(
            f"{case.text.replace('=', ' ')}{_of_highest(case, cases)}",
            tuple(_row(each, case, (scale, money), read=read, priced=priced) for each in arms),
        )
        for case in cases
    )
    columns = (
        *(("Power, W",) if read else ()),
        f"Energy per unit, {scale.unit}",
        *((f"A million, {tariff.currency}",) if priced else ()),
    )
    kwh = stated.prices.kwh if stated.prices else None
    paid = f" A kWh costs {price_text(kwh)} ({kwh.source})." if kwh else ""
    level = level_text(each.joules for each in every)
    intervals = f" Intervals{level}." if level else ""
    caption = f"Energy, counted in {unit}; each number with its interval"
    return Table(caption, "Setup", columns, groups, note=f"{_READ if read else _GIVEN}{paid}{intervals}")


def _of_highest(case: Case, cases: Sequence[Case]) -> str:
    """Return a rate as a share of the highest requested rate; empty if the cases do not differ by rate.

    >>> _of_highest(Case({RATE: 250}), [Case({RATE: 250}), Case({RATE: 1000})])
    ', 25 % of the highest'
    """
    rates = {each: float(each[RATE]) for each in cases if [*each] == [RATE]}
    if len(rates) < len(cases) or len(rates) < 2:
        return ""
    return f", {100 * rates[case] / max(rates.values()):.0f} % of the highest"


def _row(treatment: TreatmentResult, case: Case, scales: tuple[Scale, Scale], *, read: bool, priced: bool) -> Row:
    own = next((each for each in treatment.energy if each.case == case), None)
    cells = (
        *((estimate_entry(own.watts if own else None, _W),) if read else ()),
        estimate_entry(own.joules if own else None, scales[0]),
        *((estimate_entry(own.per_million if own else None, scales[1]),) if priced else ()),
    )
    return Row(treatment.label, cells)


_READ = (
    "Read from the counters of the processor packages while each case was measured: all that they drew, idle share and "
    "other CPUs included; memory, disks, fans and losses of the supply are not included."
)
_GIVEN = (
    "Not read: the power of the whole machine under load, as it was given, over the rate that was measured. It was not "
    "measured while this work was done, so it is as good as the work is like theirs."
)
