"""Why an answer is as it is: the CPU time that the work took, whether that explains it, and what was the limit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.limit import AT_CAPACITY, Resource
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.quantity import Summary
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.bottlenecks.limits import in_short, limited_sentence
from headtohead.report.experiment.configuration import telling_differences
from headtohead.report.experiment.cost.cpu_time_with_more_cpus import cpu_time_with_more_cpus
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.study.page_one.card.query_that_decides import query_that_decides
from headtohead.report.study.page_one.leader_by_level import by_level
from headtohead.report.study.total_of_copies import copies_of
from headtohead.report.text.cases_of_primary_value import averaged_over, decides
from headtohead.report.text.names import counted, counted_many
from headtohead.report.text.numbers.ratios import factor
from headtohead.report.text.numbers.values_with_units import scale_for, significant
from headtohead.report.text.setup_names import short
from headtohead.report.text.verdicts import as_sentence
from headtohead.report.text.wording import capital, joined, listed

LIKELY, MAYBE = "the likely reason", "That may be why."
ACKNOWLEDGMENTS = "waits-for-acknowledgments"
MOST_LEVELS = 3
"""The most levels of a sweep whose CPU times are named one by one."""
ALIKE = 1.05
"""Numbers of busy CPUs closer than this factor explain nothing."""
_BUSY = "Busy CPUs may compute or wait for memory: not visible here."
_USED, BUSY = "CPUs busy: ", " busy"
"""How the CPUs that setups used begin, and a word of a limit that has them."""
EXPLAINS = 0.5
"""The share of a change, of logarithms, that the CPU time must have to be its likely reason."""
PRODUCTS = ("subject", "userland", "server")
"""Factors whose levels differ in many things: of other factors the level itself is what makes the difference."""
HOLDING: frozenset[Resource] = frozenset({"link", "disk", "cpu-quota"})
"""What may hold a setup back whatever CPU time a response takes."""


def why_line(context: ExperimentContext) -> str:
    """Return the CPU time of the work with whether it explains the answer, and what was the limit."""
    result = context.result
    if waiting := _waits_for_acknowledgments(result):
        return waiting
    if restated := _spent_and_full(result) or _cpu_time_had(result):
        return restated
    spent = (
        _per_copy(context)
        if copies_of(context)
        else ""
        if _restates(result)
        else cpu_time_with_more_cpus(result) or _per_response(result) or _busy(result)
    )
    if (result.suite and keeps_full(result)) or _moves_memory(context):
        return " ".join(each for each in (spent, _BUSY) if each)
    shortened = tuple(replace(each, label=short(each, result)) for each in result.treatments)
    limited = limited_sentence(replace(result, treatments=shortened))
    spent = "" if spent.startswith(_USED) and BUSY in limited else spent
    query = query_that_decides(result)
    spent = spent.removesuffix(f" That is {LIKELY}.") if query else spent  # of full CPUs that is the rate, restated
    known = " ".join(each for each in (query, spent, limited, _held_back(result)) if each)
    opened = bool(result.comparisons) and all(each.verdict == "inconclusive" for each in result.comparisons)
    if opened and known == limited and known.startswith(("Both ", "All ")):
        return f"No difference is sure; {as_sentence(known, capital=False)}"
    explained = bool(query) or any(each in known for each in (LIKELY, MAYBE))
    return known if explained else f"{known} {_unknown(result)}".strip()


def _moves_memory(context: ExperimentContext) -> bool:
    """Return whether the work is to read and write memory: a CPU that waits for it is busy as well."""
    limits = {limit.resource for each in arms_of(context.result) for limit in each.limits}
    memory = context.planned is not None and context.planned.asks.startswith("batch/memory-")
    return memory and bool(limits) and limits <= {"cpu", "parallelism", "unknown"}


def _waits_for_acknowledgments(result: ExperimentResult) -> str:
    """Return that the loser's responses wait for delayed acknowledgments, which outweighs its CPU time; else empty."""
    won = _only_winner(result)
    waits = {label for each in result.findings if each.id == ACKNOWLEDGMENTS for label in each.of}
    loser = next((each for each in result.treatments if won and each.label == won[1] and each.label in waits), None)
    if loser is None or (won and won[0] in waits):
        return ""
    return (
        f"{capital(short(loser, result))} waits 40 ms a response for a TCP acknowledgment, with its CPU mostly idle: "
        f"that is {LIKELY}, not the work."
    )


def _unknown(result: ExperimentResult) -> str:
    """Return that the cause of an answer was not measured; empty if no setup leads, or they differ in a setting."""
    if by_level(result):
        return "Why their order changes with the load was not measured."
    pairs = [(each.factor in PRODUCTS, each.verdict in ("better", "worse")) for each in result.comparisons]
    return "What makes the difference was not measured." if pairs == [(True, True)] else ""


def _held_back(result: ExperimentResult) -> str:
    """Return that a resource is the likely reason if it limited the loser in every case, and never the winner."""
    limited = _limits_of_both(result)
    if limited is None:
        return ""
    winners, losers = limited
    held = losers - winners if len(losers) == 1 else set()
    return "".join(f"{capital(in_short(each))} is {LIKELY}." for each in held & HOLDING)


def _limits_of_both(result: ExperimentResult) -> tuple[set[Resource], set[Resource]] | None:
    """Return what limited the only winner, and what limited the loser, in any case; None without one."""
    won = _only_winner(result)
    found = {each.label: {limit.resource for limit in each.limits} for each in arms_of(result)}
    return (found[won[0]], found[won[1]]) if won and found.keys() >= set(won) else None


def _restates(result: ExperimentResult) -> bool:
    """Return whether each setup kept the same number of CPUs full: CPU time per response is then the rate, inverted."""
    shown = arms_of(result)
    cpus = {len(each.card.cpus) for each in shown if each.card}
    return keeps_full(result) and (len(cpus) == 1 or not any(_costs(each) for each in shown))


def keeps_full(result: ExperimentResult) -> bool:
    """Return whether each setup used the CPUs that it could: all it had, or one for each of its threads."""
    full = ("cpu", "parallelism")
    return all(each.limits and all(limit.resource in full for limit in each.limits) for each in arms_of(result))


def _spent_and_full(result: ExperimentResult) -> str:
    """Return the CPU time per response of two setups whose CPUs were full, if the winner clearly needs less."""
    won = _only_winner(result)
    found = {each.label: (each, _costs(each, result.primary)) for each in arms_of(result)}
    if (
        won is None
        or len(found) != 2
        or not _restates(result)
        or not all(found.get(each, (None, []))[1] for each in won)
    ):
        return ""
    (winner, less), (loser, more) = (found[each] for each in won)
    if _mean(less) * ALIKE >= _mean(more):
        return ""
    one = len(winner.card.cpus) == 1 if winner.card else False
    filled, of = ("CPU", "it") if one else ("CPUs", "CPU time")
    over = f"averaged over {each}, " if (each := averaged_over(result)) else ""
    unlike = telling_differences(winner, loser)
    differ = f"; {listed(unlike)} differ{'s' if len(unlike) == 1 else ''}, among others" if unlike else ""
    cause = (
        _unknown(result) if by_level(result) else f"Why {short(winner, result)} needs less was not measured{differ}."
    )
    return (
        f"Both filled their {filled}: {over}a response took {_typical(less)} of {of} with {short(winner, result)} and "
        f"{_typical(more)} with {short(loser, result)}. This restates the rate. {cause}"
    )


def _cpu_time_had(result: ExperimentResult) -> str:
    """Return how much more CPU time one of two setups had, if both kept unlike numbers of CPUs full without a client.

    The rest of those CPUs was used by the system and the harness, which the setup with fewer left a CPU to.
    """
    shown = [(each, each.card) for each in arms_of(result)]
    asked = [(each, used) for each in arms_of(result) if (used := _cpus_where_asked(each, result))]
    over_all = [(each, card.subject_cpus_busy) for each, card in shown if card and card.subject_cpus_busy]
    busy, where = (asked, "") if len(asked) == len(shown) else (over_all, ", over all cases")
    cpus = {len(card.cpus) for _, card in shown if card}
    full = all(each.limits and all(limit.resource == "cpu" for limit in each.limits) for each, _ in shown)
    counted_otherwise = result.metric.per or any(_costs(each) for each, _ in shown)
    if len(shown) != 2 or len(busy) != 2 or len(cpus) != 2 or not full or counted_otherwise:
        return ""
    (less, few), (more, many) = sorted(busy, key=lambda each: each[1])
    names = short(more, result), short(less, result)
    had = f"{factor(many / few)} the CPU time of {names[1]}{where}"
    return f"Both filled their CPUs: with {names[0]} the program had {had}."


def _cpus_where_asked(treatment: TreatmentResult, result: ExperimentResult) -> float:
    """Return how many CPUs a setup kept busy in the cases that the answer is about, their mean; 0 if not known."""
    found = [each.subject_cpus for each in treatment.limits if decides(each.case, result.primary)]
    known = [each for each in found if each]
    return sum(known) / len(known) if known and len(known) == len(found) else 0.0


def _typical(estimates: Sequence[Estimate]) -> str:
    """Return the geometric mean over cases with three digits: times the rate it must give the CPUs that were full."""
    mean = _mean(estimates)
    scale = scale_for("ns", [mean])
    return f"{significant(mean / scale.factor)} {scale.unit}"


def _per_response(result: ExperimentResult) -> str:
    """Return the CPU time of a response, and that it is the likely reason if the winner needs less in every case.

    It is not if something else limited the loser, or if it has less than ``EXPLAINS`` of the change; it may be if what
    limited the loser is not known.
    """
    found = {each.label: _costs(each) for each in arms_of(result)}
    at, times = _levels(result), _range
    if at:
        at, times = f" with {at}", _each_of
    parts = [f"{times(found[each.label])} ({short(each, result)})" for each in arms_of(result) if found[each.label]]
    if not parts:
        return ""
    won = _only_winner(result)
    known = won is not None and all(found.get(each) for each in won)
    rate = {each: 1 / _mean(found[each]) for each in won} if won and known else {}
    less = known and won is not None and _ends(found[won[0]])[1] < _ends(found[won[1]])[0]
    limits = _limits_of_both(result) or (set(), set())
    less = less and not limits[1] & HOLDING and _explained(result.comparisons[0], rate)
    loser = next((each for each in arms_of(result) if won and each.label == won[1]), None)
    at_capacity = {limit.resource for limit in loser.limits if limit.case == AT_CAPACITY} if loser else set()
    likely = MAYBE if (at_capacity or limits[1]) == {"unknown"} else f"That is {LIKELY}."
    return f"CPU time per response{at}: {joined(parts)}{f' {likely}' if less else ''}"


def _levels(result: ExperimentResult) -> str:
    """Return the levels of a sweep in which all setups have a CPU time: ``1, 10 and 50 connections``.

    Empty if they are many, or if anything else varies.
    """
    cases = [[cost.case for cost in each.costs if cost.subject_cpu_ns_per_answer] for each in arms_of(result)]
    alike = bool(cases) and all(each == cases[0] for each in cases)
    if not result.sweep or not alike or not 1 < len(cases[0]) <= MOST_LEVELS:
        return ""
    if any(list(case.levels) != [result.sweep] for case in cases[0]):
        return ""
    return f"{listed([case.levels[result.sweep] for case in cases[0]])} {counted_many(result.sweep)}"


def _each_of(estimates: Sequence[Estimate]) -> str:
    scale = scale_for("ns", [each.value for each in estimates])
    *most, last = (scale.bare(each.value) for each in estimates)
    return f"{listed([*most, f'{last} {scale.unit}'])}"


def _costs(treatment: TreatmentResult, of: Summary | None = None) -> list[Estimate]:
    """Return the CPU time of a response in each case where it is known, or only in those that a summary is of."""
    own = [each for each in treatment.costs if of is None or decides(each.case, of)]
    return [cost for each in own if (cost := each.subject_cpu_ns_per_answer)]


def _only_winner(result: ExperimentResult) -> tuple[str, str] | None:
    """Return who won and who lost, if one comparison was made and its metric grows with speed."""
    if len(result.comparisons) != 1 or result.metric.better != "higher":
        return None
    (pair,) = result.comparisons
    names = {"better": (pair.other, pair.baseline), "worse": (pair.baseline, pair.other)}
    return names.get(pair.verdict)


def _per_copy(context: ExperimentContext) -> str:
    """Return the CPU that each of several copies had, and whether it explains the change; empty for other answers."""
    result, many = context.result, copies_of(context)
    busy = {each.label: each.card.subject_cpus_busy for each in arms_of(result) if each.card and each.label in many}
    had = {label: cpus / many[label] for label, cpus in busy.items() if cpus}
    if not had:
        return ""
    parts = [f"{had[each.label]:.2f} ({short(each, result)})" for each in arms_of(result) if each.label in had]
    explained = [_explained(each, had) for each in result.comparisons if each.verdict in ("better", "worse")]
    reason = f" That is {LIKELY}." if explained and all(explained) else ""
    if not reason and max(had.values()) < ALIKE * min(had.values()):
        return ""
    return f"CPUs busy per {counted(result.metric.per or '')}: {joined(parts)}{reason}"


def _explained(comparison: ComparisonResult, had: Mapping[str, float]) -> bool:
    """Return whether the change in CPU has at least ``EXPLAINS`` of the change in the result, the same way."""
    if comparison.ratio is None or not {comparison.baseline, comparison.other} <= had.keys():
        return False
    change = math.log(comparison.ratio.value)
    return bool(change) and math.log(had[comparison.other] / had[comparison.baseline]) / change >= EXPLAINS


def _busy(result: ExperimentResult) -> str:
    """Return the CPUs that each setup kept busy; empty if that is not visible, or the same for all."""
    busy = [(each, each.card.subject_cpus_busy) for each in arms_of(result) if each.card]
    known = {short(each, result): cpus for each, cpus in busy if cpus is not None}
    if not known or max(known.values()) < ALIKE * min(known.values()):
        return ""
    return f"{_USED}{joined([f'{cpus:.2f} ({name})' for name, cpus in known.items()])}"


def _range(estimates: Sequence[Estimate]) -> str:
    low, high = _ends(estimates)
    scale = scale_for("ns", [low, high])
    return scale.full(low) if scale.bare(low) == scale.bare(high) else f"{scale.bare(low)} to {scale.full(high)}"


def _mean(estimates: Sequence[Estimate]) -> float:
    return math.exp(sum(math.log(each.value) for each in estimates) / len(estimates))


def _ends(estimates: Sequence[Estimate]) -> tuple[float, float]:
    return min(each.value for each in estimates), max(each.value for each in estimates)
