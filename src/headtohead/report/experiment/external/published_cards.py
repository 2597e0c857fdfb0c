"""Cards that articles printed, next to the same lines measured here. They are never part of a verdict."""

from collections.abc import Callable, Mapping

from headtohead.model.analysis.printed import CardThen
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.machine.host import Fact
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Fold, Heading, Row, RowGroup, Table
from headtohead.report.experiment.external.published_changes import NOTE
from headtohead.report.experiment.treatment_card import memory_peak_bytes
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, count, quantity


def published_cards_blocks(context: ExperimentContext) -> Blocks:
    """Yield a table for each card that an article printed of such a test, with the same lines of the setups here."""
    for each in context.result.cards_then:
        table = _card_table(context, each)
        yield Heading(f"The card then and now: {each.source}, {each.of}")
        yield Fold("The article's card, and the same lines measured here", (table,), unfolded=(table,))


def _card_table(context: ExperimentContext, then: CardThen) -> Table:
    arms = [each for each in context.result.treatments if each.card and not each.floor]
    kernel = _kernel(context)

    def row(item: str) -> Row:
        own = _OURS.get(item)
        now = tuple(Entry(own(each) if own else kernel) for each in arms)
        return Row(_TITLES.get(item, metric_title(item)), (Entry(then.lines[item]), *now))

    rows = tuple(row(item) for item in then.lines)
    columns = (f"then: {then.of}", *(each.label for each in arms))
    return Table(f"{then.of}: the card", "What", columns, (RowGroup("", rows),), note=NOTE)


def _kernel(context: ExperimentContext) -> str:
    found: Fact | None = next((each for each in context.facts if each.name == "kernel"), None)
    return f"Linux {found.value}" if found and found.value else NOT_VISIBLE


def _error(arm: TreatmentResult) -> str:
    return share(arm.card.typical_error if arm.card else None)


def _memory(arm: TreatmentResult) -> str:
    return quantity(memory_peak_bytes(arm), "B")


def _traffic(arm: TreatmentResult) -> str:
    """Return the highest rate that left the program: over the loopback, a link, or the network."""
    if arm.card is None or arm.card.loop == "batch":
        return "none: it generates its own work"
    sent = (arm.card.loopback_bytes_per_s, arm.card.link_sent_bytes_per_s, arm.card.network_sent_bytes_per_s)
    peaks = [each.peak for each in sent if each.peak is not None]
    return quantity(max(peaks) if peaks else None, "B/s")


def _threads(arm: TreatmentResult) -> str:
    known = arm.card.threads if arm.card else None
    return NOT_VISIBLE if known is None else f"{count(known)} threads"


_OURS: Mapping[str, Callable[[TreatmentResult], str]] = {
    "typical_error_between_runs": _error,
    "memory_used": _memory,
    "max_network_traffic": _traffic,
    "multi_threaded": _threads,
}
"""The lines of the card as measured here; the operating system is that of the machine."""
_TITLES = {"max_network_traffic": "highest network traffic", "multi_threaded": "multi-threaded"}
