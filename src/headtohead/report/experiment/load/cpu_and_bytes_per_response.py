"""What a response costs: CPU against bandwidth, next to the baseline's."""

from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.model.external.prices import COMPRESSES
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.values.cells import NOTHING, estimate_entry
from headtohead.report.text.numbers.ratios import times
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, scale_for

SHRUNK = 0.5
"""Below this a ratio is also shown inverted: fifteen to one."""


def cost_blocks(context: ExperimentContext) -> Blocks:
    """Yield what a response costs in CPU and bytes."""
    return with_heading("What a response costs", _cost_table(context))


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
        "CPU is all that the program used while it was measured, over its responses; bytes are those on the "
        "wire, heads included. Each as many times that of the baseline it is compared with."
    )
    where = " at the highest load that held in each run" if any(each.searches for each in costly) else ""
    columns = ("CPU per response", "against its baseline", "Bytes per response", "against its baseline")
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
