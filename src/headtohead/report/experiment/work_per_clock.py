"""Work for each GHz of the clock under load, for experiments other than suites, which show it for each kernel."""

from headtohead.model.analysis.results import TreatmentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.values.cells import estimate_entry
from headtohead.report.text.numbers.values_with_units import Scale, quantity, scale_for, unit_words
from headtohead.report.text.wording import capital


def clock_blocks(context: ExperimentContext) -> Blocks:
    """Yield clock and work for each GHz."""
    return with_heading("Work for each GHz", clock_table(context))


def clock_table(context: ExperimentContext) -> Table | None:
    """Return clock and work per clock of each treatment; None if no clock was read, or for a suite."""
    result = context.result
    measured = [each for each in result.treatments if each.per_ghz and not each.floor]
    if result.suite or not measured:
        return None
    scale = scale_for(result.metric.unit, [cell.estimate.value for each in measured for cell in each.per_ghz])
    what = f"{capital(context.titled(result.primary.of))} for each GHz, {unit_words(scale.unit)}"
    note = (
        "The clock is the mean over the CPUs of the setup while its runs were measured. This is how the work was "
        "done at that clock. It does not say what another clock would bring: memory and disks do not follow it, and "
        "how far this work does was not measured, so nothing is converted from one clock to another."
    )
    caption = "Work by the clock under load; each number with its interval"
    rows = tuple(_row(each, scale) for each in measured)
    return Table(caption, "Setup", ("Clock under load", what), (RowGroup("", rows),), note=note)


def _row(treatment: TreatmentResult, scale: Scale) -> Row:
    clock = quantity(treatment.card.clock_hz if treatment.card else None, "Hz")
    return Row(treatment.label, (Entry(clock, number=True), estimate_entry(treatment.per_ghz[0].estimate, scale)))
