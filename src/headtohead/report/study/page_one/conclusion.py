"""The conclusion, by role: what follows for one who buys, one who tunes and one who runs a server; what is open.

Each sentence rests on a verdict, and claims no more than the end of its interval that is nearest to no change. Without
a verdict no choice follows, and what is still open is listed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric
from headtohead.model.record import Recording
from headtohead.model.study.subject import RACES
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Block, Heading, Items, Section, Text
from headtohead.report.experiment.crossings import proven_by_pair
from headtohead.report.machine.bench_servers import server_hosts
from headtohead.report.study.noise_floor import noise_caveat
from headtohead.report.study.page_one.card.query_that_decides import in_mix
from headtohead.report.study.page_one.card.why import keeps_full
from headtohead.report.study.page_one.leader_by_level import by_level
from headtohead.report.study.page_one.link_that_responses_fill import network_needed
from headtohead.report.study.page_one.still_open import still_open
from headtohead.report.study.total_of_copies import totals
from headtohead.report.text.cases_of_primary_value import averaged_over, best_of, mean_of
from headtohead.report.text.differences import (
    LEAST,
    TIMES,
    TWICE,
    as_times,
    at_least_factors,
    at_least_percent,
    direction_word,
    margin_text,
    time_word,
)
from headtohead.report.text.names import case_phrase, counted, loop_of
from headtohead.report.text.numbers.percents import percent, percent_decimals, signed_percent
from headtohead.report.text.numbers.ratios import factor
from headtohead.report.text.scaling import grown
from headtohead.report.text.setup_names import apart, levels_apart, short_title
from headtohead.report.text.verdicts import verdict_text, withheld
from headtohead.report.text.wording import capital, lower_first, plural

BUYS, TUNES, RUNS = "If you choose what to buy or install", "If you tune it", "If you run it"
OF_A_RACE = "If you choose between them"
"""What a race calls the choice: those who race are mostly versions of one's own."""
OPEN = "What is still open"
_CHOSEN = ("subject", "cpus", "server", "userland", "build")
"""Factors that are bought or installed; settings of a subject are tuned; all others are how it is run."""
COPIES = "copies"
"""A factor of how a program is run: no program has it as a setting."""
MOST = 6
"""The most sentences for a role; of more only the number is given."""
_FULL = " (at full load, configured as shown)."
_START = '; "at least": the low end of an interval.'


@dataclass(frozen=True)
class Advice:
    """What follows for one role: a sentence for each verdict that concerns it."""

    role: str
    lines: tuple[str, ...]


def conclusion_section(study: StudyContext) -> Iterator[Section]:
    """Yield the conclusion, role by role, then what is still open; nothing if nothing was compared."""
    found = conclusion(study.analysis, study.recording)
    where = "For these machines" if len(server_hosts(study.recording)) > 1 else "For this machine"
    blocks: list[Block] = [Text(f"{where}{_START}")] if found else []
    for each in (*found, *open_advice(study)):
        blocks += [Heading(each.role), Items(each.lines)]
    if blocks:
        yield Section("What to do", tuple(blocks), anchor="conclusion")


def open_advice(study: StudyContext) -> Iterator[Advice]:
    """Yield what is still open and what to do first, a line for each question; nothing if all is decided."""
    found = [(each.number, text) for each in study.experiments for text in still_open(each.in_words())]
    several = len(study.experiments) > 1
    if lines := [f"{f'Question {number}: ' if several else ''}{text}" for number, text in found]:
        yield Advice(OPEN, tuple(_few(lines)))


def conclusion(analysis: Analysis, recording: Recording) -> tuple[Advice, ...]:
    """Return the advice for each role, in the order of the experiments; roles without advice are left out.

    Roles for which a winner is named also have the caveat about the machine's noise, if there is one.
    """
    by_role: dict[str, list[str]] = {BUYS: [], TUNES: [], RUNS: []}
    named: set[str] = set()
    for context in StudyContext(analysis, recording).experiments:
        start = f"Question {context.number}: " if len(analysis.experiments) > 1 else ""
        plain, planned = context.in_words(), context.planned
        result = plain.result
        carried = _carried(result)
        orders = by_level(result) if carried else ""
        for each in result.comparisons:
            role = _role(each, result, planned)
            if _against_itself(each, planned):
                by_role[RUNS] += [f"{start}{text}" for text in _of_itself(each, result)]
            elif orders:
                by_role[role].append(capital(f"{start}{_by_your_load(orders, each, result)}"))
                named |= {role}
            elif text := _follows(each, result, role, average=_average(result, planned, carried=bool(carried))):
                won = each.verdict in ("better", "worse")
                full = won and not each.scaling and _at_saturation(result, planned)
                but = "".join(f" But {lower_first(change)}" for change in carried.pop(_pair(each), ()))
                by_role[role].append(f"{start}{text.removesuffix('.')}{_FULL if full else '.'}{but}")
                named |= {role} if won else set()
        by_role[RUNS] += [capital(f"{start}{text}") for text in _several_at_once(plain)]
        for change in () if orders else chain.from_iterable(carried.values()):
            role = _role(result.comparisons[0], result, planned)
            by_role[role].append(capital(f"{start}which to choose depends: {lower_first(change)}"))
    caveat = noise_caveat(recording.noise, recording.hosts)
    last = {role: (caveat,) for role in named if caveat}
    race = any(each.asks in RACES for each in recording.plan.experiments)
    titles = {BUYS: OF_A_RACE} if race else {}
    return tuple(
        Advice(titles.get(role, role), (*_few(lines), *last.get(role, ()))) for role, lines in by_role.items() if lines
    )


def _several_at_once(context: ExperimentContext) -> Iterator[str]:
    """Yield how many copies to run where what each does is open and what all do together is sure."""
    for total in totals(context):
        if total.comparison.verdict == "inconclusive" and total.ends[0] > 1 and not withheld(total.comparison):
            least = at_least_factors(total.ends)[0]
            yield f"to get more work done, run {total.several}: at least {least} the work of {total.one}{total.least}."


def _average(result: ExperimentResult, planned: PlannedExperiment | None, *, carried: bool) -> str:
    """Return what an advantage is of: several loads on average, or each one's best, and a mix of queries."""
    searched = bool(planned and planned.load and planned.load.searches)  # its kinds of queries have no figures
    mixed = searched or any(len(each.queries) > 1 for each in result.treatments)
    over = " on average" if carried else " at each one's best" if best_of(result) else ""
    return f"{over}, with this mix of queries{in_mix(result)}" if mixed and planned and planned.of_queries else over


def _by_your_load(orders: str, comparison: ComparisonResult, result: ExperimentResult) -> str:
    """Return what follows where the order changes along the load: a setup for each stretch, then the average."""
    interval = comparison.ratio.interval if comparison.ratio else None
    text = f"choose by your load: {orders}."
    if comparison.verdict not in ("better", "worse") or interval is None:
        return text
    verb = "" if " " in direction_word(result.metric, interval.high) else "is "
    over = averaged_over(result)
    start = f"Averaged over {over}" if over else "On average"
    return f"{text} {start} {comparison.other} {verb}{_at_least(result.metric, interval)}."


def _carried(result: ExperimentResult) -> dict[frozenset[str], Sequence[str]]:
    """Return where two setups cross over, by the two, if the experiment has a verdict."""
    decided = any(each.verdict in ("better", "worse") for each in result.comparisons)
    return dict(proven_by_pair(result)) if decided else {}


def _pair(comparison: ComparisonResult) -> frozenset[str]:
    return frozenset((comparison.baseline, comparison.other))


def _few(lines: list[str]) -> list[str]:
    left = len(lines) - MOST
    return (
        [*lines[:MOST], f"{plural(left, 'more verdict')} of this kind: see the sections below."] if left > 0 else lines
    )


def _role(comparison: ComparisonResult, result: ExperimentResult, planned: PlannedExperiment | None) -> str:
    if comparison.factor in (result.metric.per, COPIES):
        return RUNS
    if comparison.factor in _CHOSEN:
        return BUYS
    settings = [each.settings for each in planned.treatments] if planned else []
    return TUNES if any(comparison.factor in each for each in settings) else RUNS


def _follows(comparison: ComparisonResult, result: ExperimentResult, role: str, *, average: str = "") -> str:
    """Return what follows from a comparison; empty if there is no verdict.

    ``average`` is what limits it where the order changes along a sweep.
    """
    kind = verdict_text(comparison, result).kind
    interval = comparison.ratio.interval if comparison.ratio else None
    if kind == "same":
        one, other = comparison.baseline, comparison.other
        levels = levels_apart(one, other), levels_apart(other, one)
        pair = " and ".join(levels if all(levels) else (one, apart(other, one)))
        return f"{pair} are the same within {margin_text(result.matters)}; let something else decide."
    if kind not in ("better", "worse") or interval is None:
        return ""
    if comparison.factor == result.metric.per:
        return _each_of_several(comparison, result, interval)
    if role == BUYS and comparison.scaling:
        return _more_of(comparison.scaling, comparison, result)
    factors = as_times(comparison, result)
    least = f"{_at_least(result.metric, interval, as_factor=factors)}{average}"
    small = "" if comparison.at_least_margin else f", which may be under the {margin_text(result.matters)} that matters"
    maybe = f"{small}{network_needed(result)}"
    if kind == "better":
        return f"{comparison.other} rather than {comparison.baseline}: {least}{maybe}."
    if factors:
        turned = Interval(1 / interval.high, 1 / max(interval.low, LEAST), interval.confidence)
        least = f"{_at_least(result.metric, turned, as_factor=True)}{average}"
        return f"{comparison.baseline} rather than {comparison.other}: {least}{maybe}."
    verb = "" if " " in direction_word(result.metric, interval.high) else "is "
    return f"{comparison.baseline} rather than {comparison.other}, which {verb}{least}{maybe}."


def _against_itself(comparison: ComparisonResult, planned: PlannedExperiment | None) -> bool:
    return planned is not None and planned.against_itself(comparison.baseline, comparison.other)


def _of_itself(comparison: ComparisonResult, result: ExperimentResult) -> Iterator[str]:
    """Yield what follows from a setup against itself: any difference is the machine's, or chance."""
    kind, interval = verdict_text(comparison, result).kind, comparison.ratio.interval if comparison.ratio else None
    pair = f"{comparison.baseline} and {comparison.other} are one setup"
    if kind == "same":
        yield f"{pair}, and are the same within {margin_text(result.matters)}, as they should."
    elif kind in ("better", "worse") and interval:
        yield (
            f"{pair}, yet {comparison.other} came out {_at_least(result.metric, interval)}: find out why before you "
            "trust other answers of this machine."
        )


def _at_saturation(result: ExperimentResult, planned: PlannedExperiment | None) -> bool:
    """Return whether users without a pause kept the CPUs of every setup full: other loads may rank them otherwise."""
    closed = planned is not None and loop_of(planned.load) == "closed" and not planned.load.settings.get("think_s")
    return closed and result.metric.per is None and keeps_full(result)


def _at_least(metric: Metric, interval: Interval, *, as_factor: bool = False) -> str:
    """Return the least difference in the metric's own words, from the end of the interval nearest to no change.

    It has the decimals of the interval in the answer: "at least 17 %" of one from 16.7 % on would be too
    much, so it is rounded down.
    """
    nearest = interval.low if interval.low > 1 else interval.high
    places = percent_decimals(sorted(100 * abs(each - 1) for each in (interval.low, interval.high)))
    word, size = direction_word(metric, nearest), at_least_percent(100 * abs(nearest - 1), places)
    if metric.better != "lower" and nearest > 1 and (nearest >= TWICE or as_factor):
        least, _ = at_least_factors([interval.low, interval.high])
        verb = word.rpartition(" ")[0]
        return f"{verb} at least {least} as {'fast' if word == 'faster' else 'much'}".lstrip()
    if metric.better != "lower":
        return f"{word} by at least {size}"
    if metric.unit in TIMES and (as_factor or not 1 / TWICE < nearest < TWICE):
        least, _ = at_least_factors(sorted([nearest, 1 / nearest], reverse=True))
        return f"at least {least} as fast" if nearest < 1 else f"{word}, at least {least} the time"
    return f"{word}, at least {size} {'less' if nearest < 1 else 'more'}{time_word(metric)}"


def _more_of(more: Scaling, comparison: ComparisonResult, result: ExperimentResult) -> str:
    """Return the least gain from more of a factor next to its ideal, and the case it is of; empty if it may be none."""
    if more.interval.low <= 0:
        return ""
    least, _ = at_least_factors([1 + more.interval.low, 1 + more.interval.high])
    where = {name: levels[0] for name, levels in result.primary.where.items() if len(levels) == 1}
    start = f"{case_phrase(Case(where))}, " if where else ""
    title = next((short_title(each.title) for each in result.treatments if each.label == comparison.other), "it")
    gain = f"gives {title} at least {least} the rate" if result.metric.unit.endswith("/s") else ""
    return f"{start}{grown(more)} {gain or f'makes {title} at least {least} as fast'} (ideal {factor(1 + more.ideal)})."


def _each_of_several(comparison: ComparisonResult, result: ExperimentResult, interval: Interval) -> str:
    """Return the change of a metric counted for each of several copies, which does not decide how many to run."""
    metric, over = result.metric, mean_of(result)
    ends = sorted(100 * abs(each - 1) for each in (interval.low, interval.high))
    places = percent_decimals(ends)
    low, high = at_least_percent(ends[0], places), percent(ends[1], places)
    word = direction_word(metric, interval.low if interval.low > 1 else interval.high)
    several = levels_apart(comparison.other, comparison.baseline)
    if several and " " not in word:
        one = levels_apart(comparison.baseline, comparison.other)
        mean = f", {over}{_single(comparison, result)}" if over else ""
        return f"expect each of {several} to be {low} to {high} {word} than {one} alone{mean}."
    return f"per {counted(metric.per or '')}, {comparison.other} is {low} to {high} {word} than {comparison.baseline}."


def _single(comparison: ComparisonResult, result: ExperimentResult) -> str:
    """Return the best estimates of the cases at both ends of a mean: ``; single kernels -25 % to -1 %``."""
    both = (comparison.other, comparison.baseline)
    suite = next((each for each in result.suites if (each.treatment, each.against) == both), None)
    changes = sorted(100 * (each.ratio.value - 1) for each in suite.cases) if suite else []
    if len(changes) < 2:
        return ""
    low, high = (signed_percent(changes[at], percent_decimals(changes)) for at in (0, -1))
    return f"; single {result.suite}s {low} to {high}"
