"""What a reader needs next to the numbers: the meaning of intervals, loops, metrics and the report's words."""

from collections.abc import Collection, Iterator

from headtohead.model.analysis.results import Analysis
from headtohead.model.machine.link import Link, rate_text
from headtohead.model.quantity import scalar_text
from headtohead.model.record import Recording
from headtohead.model.rules import ERROR
from headtohead.model.study.workload import Load
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Blocks, Fold, Section, Terms
from headtohead.report.experiment.values import other_metrics
from headtohead.report.study.noise import noise_sentences
from headtohead.report.text.names import (
    ALONE,
    arrivals_text,
    capital,
    listed,
    loop_of,
    metric_of,
    metric_title,
    summary_of,
)
from headtohead.report.text.numbers import share
from headtohead.report.text.verdicts import as_sentence


def reading_section(_: StudyContext) -> Iterator[Section]:
    """Yield the section that explains the words of the report."""
    yield Section("Glossary", (Terms(READING),), anchor="reading", folded=True)


def meanings_blocks(context: ExperimentContext) -> Blocks:
    """Yield what each metric shown means, folded; nothing if no metric is."""
    pairs = metric_meanings(context)
    if pairs:
        yield Fold("What these numbers mean", (Terms(pairs),))


def interval_sentences(analysis: Analysis, recording: Recording) -> tuple[str, ...]:
    """Return what the intervals mean, and what the machine's own noise does."""
    levels = {
        share(comparison.ratio.interval.confidence)
        for experiment in analysis.experiments
        for comparison in experiment.comparisons
        if comparison.ratio and comparison.ratio.interval
    }
    lines = []
    if levels:
        wrong = round(100 * ERROR)
        lines.append(
            f"The intervals above are made at {listed(sorted(levels))}, so that in at least {100 - wrong} of 100 such "
            "experiments every interval holds, whichever interim analysis it stops at; at most "
            f"{wrong} name a false winner."
        )
        deciding = sum(any(each.ratio for each in experiment.comparisons) for experiment in analysis.experiments)
        if deciding > 1:
            lines[-1] += (
                f" That is for each experiment: of 100 studies with {deciding} of them, at most "
                f"{min(100, deciding * wrong)} name any false winner."
            )
    return (*lines, *noise_sentences(recording.noise, recording.hosts))


def metric_meanings(context: ExperimentContext) -> tuple[tuple[str, str], ...]:
    """Return what each metric shown means: its title, and its definition in the catalog."""
    result = context.result
    told = {context.titled(result.primary.of): result.metric.says}
    told.setdefault(metric_title(result.primary.name), as_sentence(summary_of(result.primary)))
    for name in other_metrics(context):
        metric = metric_of(result, name, context.summaries)
        if name in context.summaries and name not in result.metrics:
            told.setdefault(metric_title(name), summary_of(context.summaries[name]))
        elif metric:
            told.setdefault(context.titled(name), metric.says)
    return tuple((capital(title), as_sentence(says)) for title, says in told.items())


def link_sentence(links: Collection[Link]) -> str:
    """Return how a client program did the work over links."""
    told = " or ".join(dict.fromkeys(rate_text(each) for each in links))
    return (
        "A client program of the subject's own protocol did the work and timed itself, on the driver's CPUs: it and "
        f"the server were in two network namespaces of one machine, joined by a veth pair, {told}."
    )


def path_sentence(links: Collection[Link]) -> str:
    """Return what joined the load generator and the server."""
    told = " or ".join(dict.fromkeys(rate_text(each) for each in links))
    return f"Driver and server were in two network namespaces of one machine, joined by a veth pair, {told}."


def loop_sentence(load: Load | None) -> str:
    """Return how the load was generated, and what its response times mean; None is batch work."""
    if load is None or load.loop == "batch":
        return "Batch work: the program does its work and times itself; the program generates its own load."
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
    "Closed loop: each user waits for its answer before asking again, so its response times are response times at "
    "saturation (by Little's law users over response rate), not those of a server under less than full load."
)
_ALONE = (
    "Closed loop with a single user, who waits for each answer before asking again: one request at a time, and nothing "
    "else is requested of the server meanwhile."
)
_PAUSING = (
    "Closed loop: each user waits for its answer and pauses before asking again, so the load gives way to a slow "
    "server; its response times are not those of users who come whether or not it is slow."
)

READING = (
    (
        "Run, block",
        "A run starts a subject afresh, measures it and stops it. A block holds one run of each treatment, in "
        "random order. Treatments are compared within blocks: what disturbs a whole block disturbs both alike.",
    ),
    (
        "Interval",
        "The range of values that the runs do not contradict. A narrow one means that the runs agree, not that another "
        "machine would give the same.",
    ),
    (
        "Verdict",
        "Faster or slower (or the metric's own word) when the whole interval is on one side of no change; the same "
        "when it is within the margin set beforehand; otherwise there is no verdict, and no winner is named.",
    ),
    (
        "Exploratory",
        "A ratio that was not named beforehand as the one that decides. It is there to explain and to ask the next "
        "question; among many such ratios some stand out by chance.",
    ),
    (
        "Invalid run",
        "A run that broke a rule which does not look at its result, such as another program using the CPU. It is "
        "listed with its reason and counts for nothing.",
    ),
    (
        "The harness's own limit",
        "What the least possible subject (noop) reaches. A number close to it describes the harness rather than "
        "the subject.",
    ),
    (
        "Capacity, objective",
        "The highest offered load at which the objective holds: a response time that enough requests keep, errors "
        "below a share, and answers that keep up with requests. Beyond it users wait longer and longer.",
    ),
    ("Goodput", "Correct responses per second, each within the timeout. Wrong, late and missing ones do not count."),
    ("Not visible", "This machine does not let that be read. It does not mean zero."),
)
"""How to read the report: a few words and what they mean here."""
