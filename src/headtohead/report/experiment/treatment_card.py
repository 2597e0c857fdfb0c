"""The card of every result, as the articles print it: what was measured, and on what."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from headtohead.model.analysis.card import Card, MeanPeak
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.case import WHOLE_RUN
from headtohead.model.machine.link import SOCKET
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.configuration import changed_text
from headtohead.report.text.cpus_and_memory_in_words import POLLING, cpu_list, memory_text, shares_text
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, count, plain, quantity
from headtohead.report.text.wording import listed

IN_PROCESS = "in process: counted as the program's"
NO_DRIVER = "no load generator"


def _system(card: Card) -> str:
    return f"{len(card.cpus)} ({cpu_list(card.cpus)})" if card.cpus else NOT_VISIBLE


def _driver(card: Card) -> str:
    if card.in_process:
        return IN_PROCESS
    if card.drivers:
        return f"those of {listed([*card.drivers])}"
    if not card.driver_cpus:
        return NO_DRIVER
    shared = set(card.cpus) & set(card.driver_cpus)
    how = f", {POLLING}" if card.poll == "busy" else ""
    return f"{len(card.driver_cpus)} ({cpu_list(card.driver_cpus)}){', shared with the program' if shared else ''}{how}"


def _busy(value: float | None) -> str:
    return NOT_VISIBLE if value is None else f"{plain(value)} CPU"


def _number(value: float | None) -> str:
    return NOT_VISIBLE if value is None else count(value)


def _flow(flow: MeanPeak) -> str:
    """Return a flow as its mean and its peak."""
    if flow.mean is None and flow.peak is None:
        return NOT_VISIBLE
    return f"{quantity(flow.mean, 'B/s')}, peak {quantity(flow.peak, 'B/s')}"


def _between(card: Card) -> str:
    """Return what passed between driver and subject: over the loopback, or each way over their link or network."""
    if card.drivers:
        return f"sent {_flow(card.network_sent_bytes_per_s)}; received {_flow(card.network_received_bytes_per_s)}"
    if card.link is None:
        return "Unix socket, not counted" if card.reach == SOCKET else _flow(card.loopback_bytes_per_s)
    return f"sent {_flow(card.link_sent_bytes_per_s)}; received {_flow(card.link_received_bytes_per_s)}"


def _flow_share(flow: MeanPeak) -> str:
    """Return the share of what the link or device can do; empty if the flow is not visible."""
    return "" if flow.mean is None and flow.peak is None else f"share of the link: {share(flow.share)}"


def _has_driver(card: Card) -> bool:
    return card.in_process or bool(card.driver_cpus or card.drivers)


def _no_driver(card: Card, text: str) -> str:
    if card.in_process:
        return IN_PROCESS
    return text if _has_driver(card) else NO_DRIVER


def _loaded(card: Card) -> str:
    """Return how long loading the data took, once before any run; by subject if several have data."""
    loads = [(name, plain(seconds)) for name, seconds in card.load_s.items()]
    return "; ".join(f"{name}: {text} s" if len(loads) > 1 else f"{text} s" for name, text in loads)


_NOTE = (
    "Disk and network are those of the whole machine while the case was measured: the mean over all runs, and the peak "
    "(the highest between two readings, a tenth of a second apart); network is without loopback. Do not add interrupts "
    "(packets, disks, timers) to the other lines: the kernel counts their time as that of the process they interrupt, "
    "unless it was built with CONFIG_IRQ_TIME_ACCOUNTING."
)
_NOTE_OF_DRIVER = " The load generator's CPU is without polls that found nothing."
_OF_DRIVER, _OF_HARNESS = "Load generator and harness", "Harness"

_LINES: tuple[tuple[str, str, Callable[[Card], str]], ...] = (  # group, name, what of the card
    ("System", "Software", lambda card: "; ".join(card.versions.values()) or NOT_VISIBLE),
    ("System", "Configuration", changed_text),
    ("System", "Data loaded in", _loaded),
    ("System", "CPUs of the program", _system),
    ("System", "Memory from", lambda card: memory_text(card.memory, card.shares)),
    ("System", "Mean clock", lambda card: quantity(card.clock_hz, "Hz")),
    ("System", "Threads", lambda card: _number(card.threads)),
    ("System", "Processes", lambda card: _number(card.processes)),
    ("System", "Memory used, peak", lambda card: quantity(card.subject_memory_peak_bytes, "B")),
    ("System", "CPU used by the program", lambda card: _busy(card.subject_cpus_busy)),
    ("System", "Typical error between runs", lambda card: share(card.typical_error)),
    ("Disk and network", "Disk read", lambda card: _flow(card.disk_read_bytes_per_s)),
    ("Disk and network", "Disk written", lambda card: _flow(card.disk_written_bytes_per_s)),
    ("Disk and network", "Network sent", lambda card: _flow(card.network_sent_bytes_per_s)),
    ("Disk and network", "Network received", lambda card: _flow(card.network_received_bytes_per_s)),
    ("Disk and network", "Between load generator and program", lambda card: _no_driver(card, _between(card))),
    (_OF_DRIVER, "Loop", lambda card: card.loop),
    (_OF_DRIVER, "CPUs of the load generator", _driver),
    (
        _OF_DRIVER,
        "CPU used by the load generator",
        lambda card: _no_driver(card, _busy(card.driver_cpus_busy)),
    ),
    (
        _OF_DRIVER,
        "Memory of the load generator, peak",
        lambda card: _no_driver(card, quantity(card.driver_memory_peak_bytes, "B")),
    ),
    (_OF_DRIVER, "CPU used by the harness", lambda card: _busy(card.harness_cpus_busy)),
    (_OF_DRIVER, "CPU used by other processes", lambda card: _busy(card.foreign_cpus_busy)),
    (_OF_DRIVER, "Of all CPU: in interrupts", lambda card: _busy(card.interrupt_cpus_busy)),
    (_OF_DRIVER, "Kernel threads", lambda card: _busy(card.kernel_cpus_busy)),
)

_OF_NETWORK, _NOTHING = ("Network sent", "Network received"), MeanPeak(0.0, 0.0)
_MAY_BE_EMPTY = ("Configuration", "Data loaded in", "Memory from")
"""Lines that are in the card only if a subject has a value: a static page has no data to load."""


def card_blocks(context: ExperimentContext) -> Blocks:
    """Yield the cards of all treatments; nothing if none was measured."""
    return with_heading("As measured", card_table(context.result, virtual=context.virtual))


def card_table(result: ExperimentResult, *, virtual: bool = False) -> Table | None:
    """Return the cards of all treatments side by side, or None if none was measured.

    What CPUs share is, of a ``virtual`` machine, what its hypervisor presents.
    """
    carded = [
        (each, replace(each.card, subject_memory_peak_bytes=memory_peak_bytes(each)))
        for each in result.treatments
        if each.card
    ]
    if not carded:
        return None
    titles = Row("Program", tuple(Entry(each.title) for each, _ in carded))
    runs = Row("Runs", tuple(Entry(_runs(each)) for each, _ in carded))
    driven = any(_has_driver(card) for _, card in carded)
    groups = []
    for group in dict.fromkeys(line[0] for line in _LINES):
        rows = tuple(
            Row(name, tuple(Entry(text(card), _small(name, card, virtual=virtual)) for _, card in carded))
            for where, name, text in _LINES
            if where == group and _is_shown(name, text, [card for _, card in carded])
        )
        title = _OF_HARNESS if group == _OF_DRIVER and not driven else group
        groups.append(RowGroup(title, (titles, *rows, runs) if group == "System" else rows))
    return Table(
        "Each setup as it was measured, over its valid runs",
        "What",
        tuple(each.label for each, _ in carded),
        tuple(groups),
        note=f"{_NOTE}{_NOTE_OF_DRIVER if driven else ''}",
        headed=True,
    )


def _is_shown(name: str, text: Callable[[Card], str], cards: Sequence[Card]) -> bool:
    """Return whether a line shows anything: it does not if no setup had a load generator or used the network."""
    texts = {text(each) for each in cards}
    if name in _OF_NETWORK and texts == {_flow(_NOTHING)}:
        return any(_has_driver(each) for each in cards)
    return texts != {NO_DRIVER} and (name not in _MAY_BE_EMPTY or texts != {""})


def memory_peak_bytes(treatment: TreatmentResult) -> float | None:
    """Return the peak of memory: the geometric mean of the runs, as in the tables; None if it is not known."""
    found = (each for each in treatment.cells if each.key == (WHOLE_RUN, "subject_memory_peak_bytes"))
    if cell := next(found, None):
        return cell.estimate.value
    return treatment.card.subject_memory_peak_bytes if treatment.card else None


def _small(name: str, card: Card, *, virtual: bool) -> str:
    """Return the small text below a line of the card: what CPUs share, or for the network the share of the link."""
    if name == "CPUs of the program":
        shared = shares_text(card.shares)
        return f"{shared}, as the hypervisor presents them" if shared and virtual else shared
    flows = {"Network sent": card.network_sent_bytes_per_s, "Network received": card.network_received_bytes_per_s}
    return _flow_share(flows[name]) if name in flows else ""


def _runs(treatment: TreatmentResult) -> str:
    parts = [f"{treatment.runs_valid} valid"]
    if treatment.runs_invalid:
        parts.append(f"{treatment.runs_invalid} invalid")
    if treatment.runs_failed:
        parts.append(f"{treatment.runs_failed} failed")
    if treatment.dropped:
        parts.append("given up")
    return ", ".join(parts)
