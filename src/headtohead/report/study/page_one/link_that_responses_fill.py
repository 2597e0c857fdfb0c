"""What a network would change: the rate of a link that the responses measured over the loopback would fill."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.results import Analysis, ExperimentResult, TreatmentResult
from headtohead.model.machine.link import CEILING, SOCKET
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording
from headtohead.report.text.numbers.values_with_units import quantity
from headtohead.report.text.setup_names import setup_names, short

RATES = ("goodput_per_s", "capacity_per_s")
"""The metrics that are a rate of responses; the second is a search's."""
ALIKE = 1.03
"""Responses whose sizes are within this factor fill a link at the same rate."""


@dataclass(frozen=True)
class Filled:
    """The rate of a link, in bit/s, that the responses of a setup fill, and which question that was."""

    bits_per_s: float
    number: int
    setup: str


def network_needed(result: ExperimentResult) -> str:
    """Return that an advantage was not measured over a network, whose limit is on the card if it is known.

    Empty if it was, or if no load generator sent requests.
    """
    cards = [each.card for each in result.treatments if each.card]
    if not any(each.driver_cpus for each in cards) or any(each.link or each.drivers for each in cards):
        return ""
    if not any(_by_setup(result)):
        return ", network permitting"
    way = "a Unix socket" if all(each.reach == SOCKET for each in cards if each.driver_cpus) else "loopback"
    return f", over {way}, not a network"


def each_fills(result: ExperimentResult) -> str:
    """Return what the setups would fill of a link, the one that sends most first; of more than two that one alone.

    ``nginx would fill 14.0 Gbit/s, Apache 7.20 Gbit/s; a link that both fill makes their rates equal``; the end
    is left out where their responses differ in size, or the answer is no rate. Empty if it is not known.
    """
    most, sizes = dict[str, float](), list[float]()
    for setup, bits_per_s in _by_setup(result):
        name = short(setup, result)
        most[name] = max(bits_per_s, most.get(name, 0.0))
        sizes += [each.received_bytes_per_answer.value for each in setup.costs if each.received_bytes_per_answer]
    first, *others = sorted(most, key=most.__getitem__, reverse=True) or [""]
    if not first:
        return ""
    fills = f"{first} would fill {quantity(most[first], 'bit/s')}"
    alike = result.primary.of in RATES and max(sizes) <= ALIKE * min(sizes)
    equal = "; a link that both fill makes their rates equal" if alike else ""
    texts = [f", {each} {quantity(most[each], 'bit/s')}{equal}" for each in others if len(most) == 2]
    return "".join([fills, *texts])


def link_sentence(analysis: Analysis, recording: Recording) -> str:
    """Return what part of a link the responses would fill at the highest rate; empty if bytes were not counted."""
    planned = {each.name: each for each in recording.plan.experiments}
    found = [
        each
        for number, result in enumerate(analysis.experiments, start=1)
        if result.name in planned
        for each in _filled(result, planned[result.name], number, recording.plan.titles)
    ]
    if not found:
        return ""
    most = max(found, key=lambda each: each.bits_per_s)
    where = f"question {most.number}, {most.setup}" if len(analysis.experiments) > 1 else most.setup
    filled = quantity(most.bits_per_s, "bit/s")
    return (
        f" The responses measured would fill about {filled} of a link with all headers ({where}, the most of all). "
        "Over a slower one, setups that fill it are equally fast; its delay adds to each response time."
    )


def _filled(
    result: ExperimentResult, planned: PlannedExperiment, number: int, titles: Mapping[str, str]
) -> Iterator[Filled]:
    """Yield what the responses of each setup fill in each case, headers of packets included."""
    names = setup_names(planned, titles)
    linked = {each.label for each in planned.treatments if each.link}
    for treatment, bits_per_s in _by_setup(result):
        if treatment.label not in linked:
            yield Filled(bits_per_s, number, names.get(treatment.label, treatment.label))


def _by_setup(result: ExperimentResult) -> Iterator[tuple[TreatmentResult, float]]:
    """Yield each setup with the rate of a link, in bit/s, that its responses fill, once for each case."""
    for treatment in result.treatments:
        for cost in () if treatment.floor else treatment.costs:
            size, rate = cost.received_bytes_per_answer, _rate(treatment, cost)
            if size and rate:
                yield treatment, 8 * size.value * rate / CEILING


def _rate(treatment: TreatmentResult, cost: Cost) -> float:
    """Return the responses a second in the case of a cost; 0 if there are none."""
    own = [each for each in treatment.cells if each.case == cost.case and each.metric in RATES]
    return max((each.estimate.value for each in own), default=0.0)
