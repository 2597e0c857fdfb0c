"""The tables of a rising load: every load offered, the goodput past the capacity, the cost of a response."""

from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.external.prices import COMPRESSES
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, folded, with_heading
from headtohead.report.experiment.load.steps_and_capacity import LoadStep, capacity_of, load_steps
from headtohead.report.experiment.values.cells import NOTHING, estimate_entry
from headtohead.report.text.names import case_title, objective_text
from headtohead.report.text.numbers import NOT_VISIBLE, bracketed, quantity, scale_for, share, times

OVERLOAD = "overload_goodput_share"
SHRUNK = 0.5
"""Below this a ratio is also shown inverted: fifteen to one."""


def overload_blocks(context: ExperimentContext) -> Blocks:
    """Yield the goodput past the capacity."""
    return with_heading("Past the capacity", _overload_table(context))


def cost_blocks(context: ExperimentContext) -> Blocks:
    """Yield what an answer costs in CPU and bytes."""
    return with_heading("What an answer costs", _cost_table(context))


def curve_blocks(context: ExperimentContext) -> Blocks:
    """Yield every load offered, folded."""
    return folded("Every load offered", _curve_table(context))


def search_blocks(context: ExperimentContext) -> Blocks:
    """Yield what the search of each run found, folded."""
    return folded("Each search", _searches_table(context))


def _curve_table(context: ExperimentContext) -> Table | None:
    groups = []
    for treatment in context.result.treatments:
        found = capacity_of(treatment)
        rows = tuple(_step_row(each, found) for each in load_steps(treatment))
        if rows:
            groups.append(RowGroup(treatment.label, rows))
    if not groups:
        return None
    columns = ("Response rate, /s", "Goodput, /s", "Response time p50", "p99", "Errors", "Trials that held")
    note = (
        "Medians over trials at like loads, which each search chose for itself; so they decide nothing, and a p99 of a "
        "trial of 2,000 requests rests on its 20 longest. A timeout counts as an error and as the longest of times."
    )
    caption = f"How each setup fared as the load rose ({context.titled('response_time_ns')})"
    return Table(caption, "Offered load", columns, tuple(groups), note=note)


def _step_row(step: LoadStep, found: Estimate | None) -> Row:
    past = f"{step.overload_percent:g} % of the capacity" if step.overload_percent is not None else ""
    below = share(step.offered_load_per_s / found.value) if found and not past else ""
    held = "not judged" if step.held is None else f"{step.held} of {step.trials}"
    cells = (
        _rate(step.response_rate_per_s),
        _rate(step.goodput_per_s),
        _time(step.response_time_p50_ns),
        _time(step.response_time_p99_ns),
        NOTHING if step.error_share is None else Entry(share(step.error_share), number=True),
        Entry(held, number=True),
    )
    return Row(quantity(step.offered_load_per_s, "1/s"), cells, small=past or below)


def _rate(value: float | None) -> Entry:
    return NOTHING if value is None else Entry(quantity(value, "1/s").removesuffix(" /s"), number=True)


def _time(value: float | None) -> Entry:
    return NOTHING if value is None else Entry(quantity(value, "ns"), number=True)


def _overload_table(context: ExperimentContext) -> Table | None:
    """Return the goodput past the capacity as a share of it: some servers hold it, others collapse."""
    treatments = [each for each in context.result.treatments if each.searches]
    cases = [case for case in context.cases_of(OVERLOAD) if case]
    if not treatments or not cases:
        return None
    rows = [
        Row(
            case_title(case),
            tuple(_share_entry(context, each, case) for each in treatments),
        )
        for case in cases
    ]
    rows.append(Row("the worst of them", tuple(_share_entry(context, each, WHOLE_RUN) for each in treatments)))
    note = (
        "100 % holds: what cannot be carried is turned away or waits at no cost to the rest. Less gives in: work goes "
        "into answers that come too late. Measured once each load has lasted for a timeout; the interval is over "
        "runs. Not offered: the load generator could not keep to that load, or a rule discarded it each time."
    )
    caption = "Correct responses past the capacity, as a share of it"
    labels = tuple(each.label for each in treatments)
    return Table(caption, "Offered load", labels, (RowGroup("", tuple(rows)),), note=note)


def _share_entry(context: ExperimentContext, treatment: TreatmentResult, case: Case) -> Entry:
    cell = context.cell(treatment, case=case, metric=OVERLOAD)
    if cell is None:
        return Entry("not offered", number=True)
    ends = cell.estimate.interval
    small = bracketed(share(ends.low), share(ends.high)) if ends else ""
    return Entry(share(cell.estimate.value), small, number=True)


def _cost_table(context: ExperimentContext) -> Table | None:
    """Return CPU against bandwidth, if compression is a factor or the experiment searches; else None."""
    result = context.result
    compresses = any(name in COMPRESSES for pair in result.comparisons for name in (pair.factor, *pair.fixed))
    costly = [each for each in result.treatments if each.costs]
    if not costly or not (compresses or any(each.searches for each in costly)):
        return None
    groups = []
    for case in dict.fromkeys(cost.case for each in costly for cost in each.costs):
        rows = tuple(_cost_row(context, each, case) for each in costly)
        groups.append(RowGroup(case.text.replace("=", " "), rows))
    note = (
        "CPU is all that the program used while it was measured, over the answers that it gave; bytes are those on the "
        "wire, heads included. Each as many times that of the baseline it is compared with."
    )
    where = " at the highest load that held in each run" if any(each.searches for each in costly) else ""
    columns = ("CPU per answer", "against its baseline", "Bytes per answer", "against its baseline")
    caption = f"CPU against bandwidth{where}; each number with its interval"
    return Table(caption, "Setup", columns, tuple(groups), note=note)


def _cost_row(context: ExperimentContext, treatment: TreatmentResult, case: Case) -> Row:
    own = _cost(treatment, case)
    label = next((pair.baseline for pair in context.result.comparisons if pair.other == treatment.label), None)
    baseline = next((_cost(each, case) for each in context.result.treatments if each.label == label), None)
    cpu, sent = (
        (cost.subject_cpu_ns_per_answer, cost.received_bytes_per_answer) if cost else (None, None)
        for cost in (own, baseline)
    )
    return Row(
        treatment.label,
        (_with_unit(cpu[0], "ns"), _times(cpu[0], sent[0]), _with_unit(cpu[1], "B"), _times(cpu[1], sent[1])),
    )


def _cost(treatment: TreatmentResult, case: Case) -> Cost | None:
    return next((each for each in treatment.costs if each.case == case), None)


def _with_unit(estimate: Estimate | None, unit: str) -> Entry:
    if estimate is None:
        return Entry(NOT_VISIBLE, number=True)
    scale = scale_for(unit, [estimate.value])
    entry = estimate_entry(estimate, scale)
    return Entry(f"{entry.text} {scale.unit}", entry.small, number=True)


def _times(own: Estimate | None, baseline: Estimate | None) -> Entry:
    if own is None or baseline is None or baseline.value <= 0:
        return NOTHING
    ratio = own.value / baseline.value
    return Entry(f"{times(ratio)} times", f"{times(1 / ratio)} to 1" if ratio < SHRUNK else "", number=True)


def _searches_table(context: ExperimentContext) -> Table | None:
    """Return the result of each run's search: its capacity, and the interval from its own trials."""
    found = [(each, one) for each in context.result.treatments for one in each.searches]
    if not found:
        return None
    scale = scale_for("1/s", [one.capacity_per_s for _, one in found])
    rows = tuple(
        Row(
            str(one.run),
            (
                Entry(treatment.label),
                Entry(scale.full(one.capacity_per_s), number=True),
                Entry(bracketed(scale.bare(one.interval.low), scale.bare(one.interval.high)), number=True),
                Entry(str(one.trials), number=True),
            ),
        )
        for treatment, one in sorted(found, key=lambda pair: pair[1].run)
    )
    columns = ("Setup", "Capacity", "Credible interval", "Trials")
    note = "Each search rests on its own trials; the comparison above takes its capacity as one value of one run."
    return Table(
        f"The capacity that each run found ({objective_text(context.objective)})",
        "Run",
        columns,
        (RowGroup("", rows),),
        note=note,
    )
