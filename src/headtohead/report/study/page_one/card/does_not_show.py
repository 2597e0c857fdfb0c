"""The line on what an answer does not show: the network, other loads, other work."""

from dataclasses import replace

from headtohead.model.analysis.card import Card
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.external.prices import COMPRESSES
from headtohead.model.machine.link import SOCKET
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import scalar_text
from headtohead.model.study.workload import Load
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.load.queries_and_data import only_reads
from headtohead.report.study.page_one.link_that_responses_fill import each_fills
from headtohead.report.study.page_one.what_was_not_tested import from_memory
from headtohead.report.study.total_of_copies import copies_of
from headtohead.report.text.repeated_cases_and_their_effect import ends_of
from headtohead.report.text.verdicts import as_sentence


def leaves_open(context: ExperimentContext) -> str:
    """Return what this answer does not show: the network, other loads, other work."""
    result, planned, load, parts = context.result, context.planned, context.load, list[str]()
    local = [each.card for each in result.treatments if each.card and each.card.driver_cpus and not each.card.link]
    if local:
        way = "a Unix socket" if all(each.reach == SOCKET for each in local) else "loopback"
        fewer = ", where fewer bytes help" if any(each.factor in COMPRESSES for each in result.comparisons) else ""
        filled = f"; {fills}" if (fills := each_fills(result)) else ""
        parts.append(f"a real network (only {way}{filled}){fewer}")
    if load and load.loop == "closed" and not load.searches:
        parts.append("requests at a fixed rate" if load.settings.get("think_s") else "lower loads")
    if planned and load and _stays_connected(planned, load):
        parts.append("new connections")
    if load and load.searches and (connections := load.settings.get("connections")) is not None:
        parts.append(f"other numbers of connections than {scalar_text(connections)}")
    if only_reads(context):
        parts.append("queries that write")
    if planned and planned.data and from_memory([each.card for each in result.treatments if each.card]) is not None:
        parts.append("data from disk (here from memory)")
    if result.suite:
        parts.append(f"your own {result.suite}{_others(result)}")
    if result.comparisons and all(each.factor == "subject" for each in result.comparisons):
        parts.append("other configurations or CPUs")
    if not local and (least := _least_cpus(context)):
        parts.append(f"machines with {least} CPU{'s' if least > 1 else ''}")
    if most := _most_cpus(result):
        parts.append(f"more than {most} CPUs")
    if _more_cpus(context) or (context.virtual and any(_apart(each) for each in local)):
        parts.append("whether vCPUs share cores")
    return as_sentence("; ".join(parts))


def _stays_connected(planned: PlannedExperiment, load: Load) -> bool:
    """Return whether users of every setup keep their connections for all requests."""
    ways = {each.settings.get("connection") for each in planned.treatments if not each.floor}
    few = load.loop == "sessions" or load.settings.get("calls") or "calls" in load.cases
    return ways == {"keep-alive"} and not few


def _others(result: ExperimentResult) -> str:
    """Return where the mean over all kernels like the measured ones may be; empty if that is not known."""
    pairs = {(each.other, each.baseline): each for each in result.comparisons}
    for each in result.suites:
        pair = pairs.get((each.treatment, each.against))
        if pair and each.like_these and not each.reference:
            ends = ends_of(pair, replace(each.ratio, interval=each.like_these), result)
            return f": even the mean of all like these may be {ends}, a single one far outside"
    return ""


def _least_cpus(context: ExperimentContext) -> int:
    """Return the fewest CPUs that were compared with more, if the machine has more; else 0."""
    of_cpus = {
        label for each in context.result.comparisons if each.factor == "cpus" for label in (each.baseline, each.other)
    }
    cards = [each.card for each in context.result.treatments if each.card and each.label in of_cpus]
    every = next((each.value for each in context.facts if (each.group, each.name) == ("cpu", "threads")), None)
    least = min((len(each.cpus) for each in cards), default=0)
    return least if isinstance(every, int) and least < every else 0


def _most_cpus(result: ExperimentResult) -> int:
    """Return the most CPUs that were compared with fewer; 0 if none were."""
    of_cpus = {label for each in result.comparisons if each.factor == "cpus" for label in (each.baseline, each.other)}
    return max((len(each.card.cpus) for each in result.treatments if each.card and each.label in of_cpus), default=0)


def _apart(card: Card) -> bool:
    """Return whether a server and its load generator had CPUs of their own on one machine."""
    return not card.drivers and not set(card.cpus) & set(card.driver_cpus)


def _more_cpus(context: ExperimentContext) -> bool:
    """Return whether more CPUs of a virtual machine were compared with fewer, or copies on several of them.

    They may be threads of one core.
    """
    more = any(each.factor in ("cpus", "threads") for each in context.result.comparisons) or copies_of(context)
    return context.virtual and bool(more)
