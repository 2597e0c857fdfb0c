"""The lines below an answer on page one: response time, why, how sure, what it cost, what it leaves open, what next."""

import math
from collections.abc import Callable, Iterator, Sequence

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.suite import Suite, SuiteCase
from headtohead.model.external.prices import tariff_of
from headtohead.model.machine.link import SOCKET
from headtohead.model.plan import PlannedExperiment
from headtohead.model.rules import ERROR, FEWEST_BLOCKS, TYPICAL_ERROR
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.configuration import configured_line
from headtohead.report.experiment.cost.price_of_work import price_sentence
from headtohead.report.experiment.crossings import proven_crossings
from headtohead.report.experiment.scaling import other_gains
from headtohead.report.experiment.suite.sentences import like_text
from headtohead.report.experiment.treatment_card import memory_peak_bytes
from headtohead.report.study.page_one.leader_by_level import at_each_level, by_level, left_out
from headtohead.report.study.page_one.masthead import span_s
from headtohead.report.study.page_one.next_step import next_step
from headtohead.report.study.page_one.response_times import response_times
from headtohead.report.study.page_one.scope import from_memory
from headtohead.report.study.page_one.setups_on_card import arms, cpus_line, joined, short
from headtohead.report.study.page_one.why import why_line
from headtohead.report.study.total_of_copies import copies_of, cpus_of_copies, together_line
from headtohead.report.text.cpus_and_memory_in_words import many
from headtohead.report.text.differences import direction_word, over_unlike
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.dates_and_durations import duration
from headtohead.report.text.numbers.percents import percent, share
from headtohead.report.text.numbers.values_with_units import quantity
from headtohead.report.text.repeated_cases_and_their_effect import Setup, causes_of, repeats_sentence
from headtohead.report.text.setup_names import levels_apart, setup_names
from headtohead.report.text.verdicts import as_sentence, estimate_text, withheld
from headtohead.report.text.wording import plural

ALIKE = 1.02
"""Peaks of memory closer than this factor are given once."""
MOST_IN_ORDER = 10
"""The most blocks whose ratios are on a card; the run-order strip has all."""


def card_lines(context: ExperimentContext) -> tuple[tuple[str, str], ...]:
    """Return the lines below an answer, each a term and a sentence; terms without a sentence are left out."""
    return tuple((term, text) for term, line in _LINES if (text := line(context)))


def _measured(context: ExperimentContext) -> str:
    """Return the values that the answer does not have: of three and more setups, and without a winner.

    Empty over unlike work.
    """
    result = context.result
    shown = [(each, each.primary) for each in arms(result) if each.primary is not None]
    in_answer = len(shown) < 3 and all(each.verdict in ("better", "worse") for each in result.comparisons)
    if in_answer or not shown or not result.comparisons or over_unlike(result):
        return ""
    what = metric_title(result.primary.of)
    parts = [f"{each.label} {estimate_text(value, result.metric)}" for each, value in shown]
    return f"{joined(parts).removesuffix('.')} ({what})."


def _sure(context: ExperimentContext) -> str:
    """Return the level of the intervals, who was ahead in how many blocks, and in which time."""
    result = context.result
    shown = [each for each in result.comparisons if each.ratio and each.ratio.interval and not withheld(each)]
    if not shown:
        return ""
    took = span_s(context.runs)
    within = f" in {duration(took)}" if took else ""
    planned = context.planned
    level = share(1 - (planned.error if planned else ERROR))
    kind = f"{level} interval" if len(shown) == 1 else f"{level} for all intervals"
    block = " (one run of each setup)" if context.number == 1 else ""
    text = f"{kind}; {_ahead(result, shown)}{block}{within}."
    return " ".join([*servers_sentence(context.planned), text])


def _ahead(result: ExperimentResult, shown: Sequence[ComparisonResult]) -> str:
    """Return in how many blocks which setup was ahead; of several comparisons the number of blocks alone."""
    blocks = max(each.ratio.n for each in shown if each.ratio)
    (pair, *others) = shown
    if others or len(pair.blocks) != blocks:
        return plural(blocks, "block")
    above = sum(ratio > 1 for ratio in pair.blocks)
    if 2 * above == blocks:
        return f"each ahead in {above} of {plural(blocks, 'block')}"
    most, higher = max(above, blocks - above), 2 * above > blocks
    several, one = levels_apart(pair.other, pair.baseline), levels_apart(pair.baseline, pair.other)
    if result.metric.per and several and one:
        word = direction_word(result.metric, 2.0 if higher else 0.5).rpartition(" ")[2]
        return f"each of {several} {word} than {one} in {most} of {plural(blocks, 'block')}"
    leads = pair.other if higher == (result.metric.better != "lower") else pair.baseline
    name = next((short(each, result) for each in arms(result) if each.label == leads), leads)
    return f"{name} ahead in {most} of {plural(blocks, 'block')}"


def _repeats(context: ExperimentContext) -> str:
    result, planned = context.result, context.planned
    names = setup_names(planned, context.study.recording.plan.titles)
    labels = {names.get(each.label, each.label): each.label for each in planned.treatments} if planned else {}
    setups = [
        Setup(labels.get(each.label, each.label), each.label, short(each, result), each.points) for each in arms(result)
    ]
    return repeats_sentence(context.runs, setups, result, known=causes_of(context.study.recording))


def servers_sentence(planned: PlannedExperiment | None) -> Iterator[str]:
    """Yield on a bench which machines the answer is about, and how they were measured; nothing for one server.

    Two machines of one kind may differ as well, and another day may differ.
    """
    servers = dict.fromkeys(each.server for each in planned.treatments if each.server) if planned else {}
    if len(servers) > 1:
        yield f"These {many(len(servers), 'machine')}, on this day, interleaved."


def _outliers(context: ExperimentContext) -> str:
    """Return the runs that are far from others of their setup, whichever way; every one of them counts."""
    return " ".join(_far_off(context.result))


def _far_off(result: ExperimentResult) -> Iterator[str]:
    for each in result.findings:
        if each.id == "outlier":
            away, runs = each.evidence.get("away_share"), each.evidence.get("runs")
            if isinstance(away, float):
                many = "," in str(runs)
                start = f"Runs {runs} are up to" if many else f"Run {runs} is"
                yield f"{start} {percent(100 * abs(away))} {_side(away, many=many)}; kept."


def _side(away: float, *, many: bool) -> str:
    which = "below" if away < 0 else "above"
    return "from the median of their setup" if many else f"{which} the median of its setup"


def _steps(context: ExperimentContext) -> str:
    """Return the setups whose level changed or rose or fell, and the ratio in each block if runs of a setup vary.

    A doubt about a ratio that moved has what its two setups did.
    """
    findings = context.result.findings
    shown = {label for each in findings if each.id == "trend-of-ratio" for label in each.of}
    treatments = {each.evidence.get("treatment"): each for each in findings if each.id == "trend-of-setup"}
    trends = [each for label, each in treatments.items() if label not in shown]
    found = (*(each for each in findings if each.id == "step"), *trends)
    says = [each.says.partition(" (p ")[0] for each in found]
    return " ".join(f"{each}." for each in [*says, *_ratio_by_block(context.result)])


def _ratio_by_block(result: ExperimentResult) -> Iterator[str]:
    """Yield the ratio of two setups block by block if one of them leads, and that there is no sure trend."""
    ids = {each.id for each in result.findings}
    verdicts = [each.verdict in ("better", "worse") for each in result.comparisons]
    blocks = result.comparisons[0].blocks if verdicts == [True] else ()
    if TYPICAL_ERROR.id in ids and FEWEST_BLOCKS <= len(blocks) <= MOST_IN_ORDER:
        none = "" if "trend-of-ratio" in ids else "; no trend is sure"
        yield f"Ratio by block: {', '.join(f'{each:.2f}' for each in blocks)}{none}"


def _also_measured(context: ExperimentContext) -> str:
    """Return the ratio at each load of the answer, and the gain in other cases; gains have labels, not names."""
    levels = "" if by_level(context.result) else at_each_level(context.result)
    return " ".join(filter(None, (levels, other_gains(context.study.experiments[context.number - 1]))))


def _crossings(context: ExperimentContext) -> str:
    """Return who is ahead at which levels, or the first place where setups cross over, if the intervals prove it."""
    if orders := by_level(context.result, estimates=True):
        return " ".join(each for each in (f"Ahead: {orders}.", left_out(context.result)) if each)
    found = proven_crossings(context.result)
    more = f" {len(found) - 1} more below." if len(found) > 1 else ""
    return f"{found[0]}{more}" if found else ""


def _left_out(context: ExperimentContext) -> str:
    """Return which measured levels the average leaves out, if nothing above names them."""
    return "" if by_level(context.result) else left_out(context.result)


def _memory(context: ExperimentContext) -> str:
    """Return the peak of memory of each setup, as in the tables."""
    result = context.result
    peaks = [(short(each, result), memory_peak_bytes(each)) for each in arms(result)]
    known = [(label, quantity(peak, "B")) for label, peak in peaks if peak is not None]
    sizes = [peak for _, peak in peaks if peak is not None]
    if len(known) == len(peaks) > 1 and max(sizes) < ALIKE * min(sizes):
        same = len({text for _, text in known}) == 1
        return f"{'' if same else 'At most '}{quantity(max(sizes), 'B')} each."
    return joined([f"{label}: {text}" for label, text in known])


def _price(context: ExperimentContext) -> str:
    recording = context.study.recording
    return price_sentence(context.result, recording.stated, tariff_of(recording.stated, recording.hosts))


def _afterwards(context: ExperimentContext) -> str:
    """Return the kernel or program that differs most from its mean, as a hypothesis: it was chosen after the fact.

    Its p is corrected for the number of kernels it was chosen from (Bonferroni).
    """
    result = context.result
    for suite in result.suites:
        if suite.reference or not (tails := [each for each in suite.cases if each.tail]):
            continue
        far = max(tails, key=lambda each: abs(each.ratio.value / suite.ratio.value - 1))
        name = far.case.levels.get(result.suite, far.case.text)
        change = f"{100 * (far.ratio.value - 1):+.0f} %"
        corrected = _corrected(result, far.case.text)
        return f"{name} {change}{_others(suite, far)}: chosen afterwards{corrected}."
    return ""


def _others(suite: Suite, far: SuiteCase) -> str:
    """Return the geometric mean of the other cases: whether the answer rests on one of them."""
    logs = [math.log(each.ratio.value) for each in suite.cases if each is not far]
    if not logs:
        return ""
    change = 100 * (math.exp(sum(logs) / len(logs)) - 1)
    return f", the other {len(logs)} together {change:+.1f} %"


def _corrected(result: ExperimentResult, case: str) -> str:
    for comparison in result.comparisons:
        own = [each for each in comparison.exploratory if each.metric == result.primary.of and each.case]
        found = next((each.unadjusted_p for each in own if each.case.text == case), None)
        if found is not None:
            return f" (corrected p {min(1.0, found * len(own)):.2g})"
    return ""


def _processes(context: ExperimentContext) -> str:
    """Return how many processes worked in every setup, if batch work had one number of them while CPUs differed."""
    cards = {len(each.card.cpus) for each in arms(context.result) if each.card}
    if context.load is None or context.load.loop != "batch" or len(cards) < 2:
        return ""
    cases = [each.levels.get("processes") for each in context.cases_of(context.result.primary.of)]
    numbers = set(cases)
    (number,) = numbers if len(numbers) == 1 else (None,)
    if not number:
        return ""
    fewest = min(cards)
    turns = f", taking turns on {plural(fewest, 'CPU')}" if fewest < int(number) else ""
    return f"{number} in {'both setups' if len(arms(context.result)) == 2 else 'every setup'}{turns}."


def _leaves_open(context: ExperimentContext) -> str:
    """Return what this answer does not show: the network, other loads, other work."""
    result, planned, load, parts = context.result, context.planned, context.load, list[str]()
    local = [each.card for each in result.treatments if each.card and each.card.driver_cpus and not each.card.link]
    if local:
        way = "a Unix socket" if all(each.reach == SOCKET for each in local) else "loopback"
        parts.append(f"a real network (only {way})")
    if load and load.loop == "closed" and not load.searches:
        parts.append("users who do not wait")
    if planned and planned.data and from_memory([each.card for each in result.treatments if each.card]) is not None:
        parts.append("data from disk (here from memory)")
    if result.suite:
        like = next((each for each in result.suites if each.like_these and not each.reference), None)
        ends = like_text(like).strip("[]").replace(", ", " and ") if like else ""
        others = f" (mean of other {result.suite}s like these: between {ends}; a single one may be outside)"
        parts.append(f"your own {result.suite}{others if ends else ''}")
    if result.comparisons and all(each.factor == "subject" for each in result.comparisons):
        parts.append("other configurations")
    if _more_cpus(context):
        parts.append("whether these vCPUs are whole cores")
    return as_sentence("; ".join(parts))


def _more_cpus(context: ExperimentContext) -> bool:
    """Return whether more CPUs of a virtual machine were compared with fewer, or copies on several of them.

    They may be threads of one core.
    """
    more = any(each.factor == "cpus" for each in context.result.comparisons) or copies_of(context)
    return context.virtual and bool(more)


_LINES: tuple[tuple[str, Callable[[ExperimentContext], str]], ...] = (
    ("Measured", _measured),
    ("In all", together_line),
    ("Hypothesis", _afterwards),
    ("Also measured", _also_measured),
    ("Response time", response_times),
    ("Crossover", _crossings),
    ("Left out", _left_out),
    ("CPUs", cpus_line),
    ("CPUs", cpus_of_copies),
    ("Configured", configured_line),
    ("Processes", _processes),
    ("Why", why_line),
    ("Peak memory", _memory),
    ("Price", _price),
    ("How sure", _sure),
    ("Outliers", _outliers),
    ("Over time", _steps),
    ("Repeats", _repeats),
    ("Does not show", _leaves_open),
    ("Next", next_step),
)
