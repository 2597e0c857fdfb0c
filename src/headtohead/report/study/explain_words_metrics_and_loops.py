"""Explain what a reader meets next to the numbers: the report's words, metrics, loops and what joined the machines."""

from collections.abc import Collection, Iterator

from headtohead.model.machine.link import Link, rate_text
from headtohead.model.quantity import scalar_text
from headtohead.model.study.workload import Load
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Blocks, Fold, Section, Terms
from headtohead.report.experiment.values.other_metrics import other_metrics
from headtohead.report.text.names import ALONE, arrivals_text, loop_of, metric_of, metric_title, plain_words, summary_of
from headtohead.report.text.verdicts import as_sentence
from headtohead.report.text.wording import capital


def reading_section(_: StudyContext) -> Iterator[Section]:
    """Yield the section that explains the words of the report."""
    yield Section("Glossary", (Terms(READING),), anchor="reading", folded=True)


def meanings_blocks(context: ExperimentContext) -> Blocks:
    """Yield what each metric shown means, folded; nothing if no metric is."""
    pairs = metric_meanings(context)
    if pairs:
        yield Fold("What these numbers mean", (Terms(pairs),))


def metric_meanings(context: ExperimentContext) -> tuple[tuple[str, str], ...]:
    """Return what each metric shown means: its title, and its definition in the catalog."""
    result = context.result
    meanings = {context.titled(result.primary.of): result.metric.says}
    meanings.setdefault(metric_title(result.primary.name), as_sentence(summary_of(result.primary)))
    for name in other_metrics(context):
        metric = metric_of(result, name, context.summaries)
        if name in context.summaries and name not in result.metrics:
            meanings.setdefault(metric_title(name), summary_of(context.summaries[name]))
        elif metric:
            meanings.setdefault(context.titled(name), metric.says)
    found = [(capital(title), as_sentence(plain_words(says))) for title, says in meanings.items()]
    return tuple((title, says) for title, says in found if says.rstrip(".") != title)


def link_sentence(links: Collection[Link]) -> str:
    """Return how a client program did the work over links."""
    rates = " or ".join(dict.fromkeys(rate_text(each) for each in links))
    return (
        "A client program of the server's own protocol did the work and timed itself, on the load generator's CPUs: "
        f"it and the server were in two network namespaces of one machine, joined by a veth pair, {rates}."
    )


def path_sentence(links: Collection[Link]) -> str:
    """Return what joined the load generator and the server."""
    rates = " or ".join(dict.fromkeys(rate_text(each) for each in links))
    return f"Load generator and server were in two network namespaces of one machine, joined by a veth pair, {rates}."


REPEATED = "Batch work: in each run Head to Head starts the program again and again, and times each start to its end."
"""How a race of programs of one's own is measured."""


def loop_sentence(load: Load | None) -> str:
    """Return how the load was generated, and what its response times mean; None is batch work."""
    if load is None or load.loop == "batch":
        return "Batch work: the program generates its own load and times itself."
    if loop_of(load) == ALONE:
        return _ALONE
    if load.loop == "closed":
        return _CLOSED if not load.settings.get("think_s") else _PAUSING
    arrivals = arrivals_text(str(load.settings.get("arrivals", "poisson")))
    if load.loop == "sessions":
        calls = scalar_text(load.settings.get("calls", 1))
        started = f"Sessions of {calls} calls, each on a connection of its own, {arrivals}: new ones come "
    else:
        started = f"Open loop, {arrivals}: requests come "
    timed = "whether or not earlier ones have been answered, and each is timed from the instant it was meant for."
    sought = " Each run searches for the highest load at which the objective holds." if load.searches else ""
    return f"{started}{timed}{sought}"


_CLOSED = (
    "Closed loop: each user waits for a response before the next request. So these are response times of a fully "
    "loaded server, which are longer than under less load."
)
_ALONE = (
    "Closed loop with a single user, who waits for each response before the next request: the server has one "
    "request at a time."
)
_PAUSING = (
    "Closed loop: each user waits for a response and pauses before the next request. So a slow server has less load, "
    "and these are not the response times of users who come whether or not it is slow."
)

READING = (
    (
        "Run, block",
        "A run starts a program afresh, measures it and stops it. A block holds one run of each setup, in "
        "random order. Setups are compared within blocks: what disturbs a whole block disturbs both alike.",
    ),
    (
        "Interval",
        "The range of values that the runs do not contradict. A narrow one means that the runs agree, not that another "
        "machine would give the same.",
    ),
    (
        "Verdict",
        "Faster or slower (or the metric's own word) when the whole interval is on one side of no change; the same "
        "when it is within the margin set beforehand; otherwise there is no verdict, and no winner is named. Where an "
        "interval is both, it is the same: a real difference, too small to matter. The same needs 16 blocks (24 for "
        "four comparisons), as few may miss rare slow runs; with fewer, a winner needs a difference of at least twice "
        "the margin, or an interval that does not reach into it. A difference of less than about three "
        "quarters of the margin is never called faster or slower.",
    ),
    (
        "Exploratory",
        "A ratio that was not named beforehand as the one that decides. It explains, and suggests the next question; "
        "of many such ratios some stand out by chance.",
    ),
    (
        "Case, part of a run",
        "What a run measures by itself, such as one number of connections, one key or one kernel. If other programs or "
        "the hypervisor took CPU meanwhile, or the load generator was late, that case is measured again in the same "
        "run, whatever its result.",
    ),
    (
        "Invalid run",
        "A run that broke a rule which does not look at its result, such as another program using the CPU. It is "
        "listed with its reason and is in no number.",
    ),
    (
        "The harness's own limit",
        "What the least possible server (noop) reaches. A number close to it describes the harness rather than "
        "the program.",
    ),
    (
        "Capacity, objective",
        "The highest offered load at which the objective holds: a response time that enough requests keep, errors "
        "below a share, and responses that keep up with requests. Beyond it users wait longer and longer.",
    ),
    ("Goodput", "Correct responses per second, each within the timeout. Wrong, late and missing ones do not count."),
    (
        "Median, p99",
        "Half of the responses took no longer than the median (p50), and 99 of 100 no longer than the p99.",
    ),
    (
        "Loopback",
        "A machine's connection to itself, without a network card. No network is as fast, and both ends share the CPUs "
        "of one machine.",
    ),
    (
        "Steal",
        "CPU time that the hypervisor gave to other virtual machines while a program here was ready to run.",
    ),
    ("Not visible", "This machine does not show that. It does not mean zero."),
)
"""How to read the report: a few words and what they mean here."""
