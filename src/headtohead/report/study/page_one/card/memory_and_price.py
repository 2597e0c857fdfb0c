"""The lines on what an answer cost: the peak of memory, the price."""

from headtohead.model.external.prices import tariff_of
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.cost.price_of_work import price_sentence
from headtohead.report.experiment.treatment_card import memory_peak_bytes
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.numbers.values_with_units import quantity
from headtohead.report.text.setup_names import short
from headtohead.report.text.wording import joined

ALIKE = 1.02
"""Peaks of memory closer than this factor are given once."""


def memory(context: ExperimentContext) -> str:
    """Return the peak of memory of each setup, as in the tables; empty if one program had the same in all setups."""
    result = context.result
    arms = arms_of(result)
    peaks = [(short(each, result), memory_peak_bytes(each)) for each in arms]
    known = [(label, quantity(peak, "B")) for label, peak in peaks if peak is not None]
    sizes = [peak for _, peak in peaks if peak is not None]
    if len(known) == len(peaks) > 1 and max(sizes) < ALIKE * min(sizes):
        if len({each.subject for each in arms}) == 1:
            return ""
        same = len({text for _, text in known}) == 1
        return f"{'' if same else 'At most '}{quantity(max(sizes), 'B')} each."
    return joined([f"{label}: {text}" for label, text in known])


def price(context: ExperimentContext) -> str:
    """Return what a million units of each setup's work cost; empty if nothing has a price."""
    recording = context.study.recording
    return price_sentence(context.result, recording.stated, tariff_of(recording.stated, recording.hosts))
