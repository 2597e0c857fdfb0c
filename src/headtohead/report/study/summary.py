"""Page one: for each verdict what was measured, how sure that is, what limited it and what it cost."""

from collections.abc import Callable, Iterator, Sequence

from headtohead.model.analysis.card import Card
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.finding import Severity
from headtohead.model.record import Recorded, Recording
from headtohead.model.rules import ERROR
from headtohead.report.experiment.crossings import proven_crossings
from headtohead.report.experiment.limits import limited_sentence
from headtohead.report.text.names import listed, metric_title, plural, summary_of, work_unit
from headtohead.report.text.numbers import percent, quantity, scale_for, share, times
from headtohead.report.text.repeats import repeat_sentence
from headtohead.report.text.verdicts import as_sentence, estimate_text

MOST = 6
"""The most treatments, doubts or excluded runs named on page one; of more only the number is given."""
FEW = 2
"""The most crossings on page one."""
STALLS, RARELY = 0.15, 0.05
"""A share of runs that stall, and the share of studies that may miss all of them before page one reports it."""
TWICE = 2.0
"""From this ratio, or below its inverse, percents are hard to read: "342 % faster" is 4.42 times as much."""


def supporting_lines(result: ExperimentResult) -> tuple[tuple[str, str], ...]:
    """Return the lines below an answer, each a term and a sentence; terms without a sentence are left out."""
    return tuple((term, text) for term, tell in _LINES if (text := tell(result)))


def _arms(result: ExperimentResult) -> list[TreatmentResult]:
    return [each for each in result.treatments if not each.floor]


def _named(parts: Sequence[str], *, rest: str = "stand in the table") -> str:
    """Return parts joined into one sentence; of many the first ones, and where the others are."""
    if not parts:
        return ""
    more = f"; {len(parts) - MOST} more {rest}" if len(parts) > MOST else ""
    return f"{'; '.join(parts[:MOST])}{more}."


def _measured(result: ExperimentResult) -> str:
    """Return the value of each treatment; empty if nothing is compared, because then the answer has it."""
    if not result.comparisons:
        return ""
    parts = [
        f"{each.label}: {estimate_text(each.primary, result.metric)}{_times_of(result, each)}"
        for each in _arms(result)
        if each.primary is not None
    ]
    made = summary_of(result.primary)
    what = metric_title(result.primary.of) if made == "one value a run" else made
    return f"{_named(parts).removesuffix('.')} ({what})." if parts else ""


def _times_of(result: ExperimentResult, treatment: TreatmentResult) -> str:
    """Return the ratio to the baseline as a factor, if it is too large or small for percent; else empty."""
    pair = next((each for each in result.comparisons if each.other == treatment.label), None)
    if pair is None or pair.ratio is None or _withheld(pair) or 1 / TWICE < pair.ratio.value < TWICE:
        return ""
    return f", {times(pair.ratio.value)} times that of {pair.baseline}"


def _sure(result: ExperimentResult) -> str:
    """Return how often such intervals hold, the number of blocks, and what could not have been seen.

    An interval at 97.2 % that is printed when the experiment stops holds less often than that; all looks and
    comparisons of an experiment together, at least 95 %.
    """
    standing = [each for each in result.comparisons if not _withheld(each)]
    told = [(each, each.ratio) for each in standing if each.ratio and each.ratio.interval]
    if not told:
        return ""
    blocks = sorted({ratio.n for _, ratio in told})
    counts = plural(blocks[0], "block") if len(blocks) == 1 else f"{blocks[0]} to {blocks[-1]} blocks"
    held, rests = ("an interval holds the true change of the mean", "it rests") if len(told) == 1 else _SEVERAL
    level = f"at least {share(1 - ERROR)} of such experiments, if both vary alike"
    text = f"Such {held} in {level}; {rests} on {counts}{_looked(result)}."
    return " ".join([text, *_missed(blocks[0]), *_unseen([each for each, _ in told])])


def _missed(blocks: int) -> Iterator[str]:
    """Yield how often this many blocks hold no stall, if runs stall now and then: no statistic sees that."""
    missed = (1 - STALLS) ** blocks
    if missed > RARELY:
        yield (
            f"If one of the two stalls in {share(STALLS)} of its runs, {plural(blocks, 'block')} hold no stall in "
            f"{percent(round(100 * missed), 0)} of studies."
        )


def _withheld(comparison: ComparisonResult) -> bool:
    """Return whether an interval excludes no change and there is still no verdict: something forbids one."""
    ends = comparison.ratio.interval if comparison.ratio else None
    return comparison.verdict == "inconclusive" and ends is not None and (ends.low > 1 or ends.high < 1)


_SEVERAL = ("intervals all hold the true changes of the means", "they rest")


def _looked(result: ExperimentResult) -> str:
    last = max(result.looks, default=0)
    return f" of at most {last}" if last > result.blocks_done else ""


def _unseen(comparisons: Sequence[ComparisonResult]) -> Iterator[str]:
    """Yield the smallest detectable difference, if a comparison has no verdict."""
    seen = [each.detectable for each in comparisons if each.verdict == "inconclusive" and each.detectable]
    if seen:
        least = percent(100 * (max(seen) - 1))
        yield f"A difference of {least} would have shown in 8 of 10 studies; a smaller one may be there."


def _changes(result: ExperimentResult) -> str:
    """Return where compared treatments cross over as load or CPUs grow, if the intervals prove it."""
    told = proven_crossings(result)
    more = " More such changes stand below." if len(told) > FEW else ""
    return f"{' '.join(told[:FEW])}{more}"


def _cost(result: ExperimentResult) -> str:
    """Return the CPU time of a response, or the number of CPUs kept busy, and the peak of memory."""
    told = [(each.label, [*_costs_of(each, each.card), *_price_of(result, each)]) for each in _arms(result)]
    return _named([f"{label}: {listed(parts)}" for label, parts in told if parts])


def _costs_of(treatment: TreatmentResult, card: Card | None) -> list[str]:
    parts = []
    answers = [each.subject_cpu_ns_per_answer for each in treatment.costs]
    if found := [each for each in answers if each]:
        parts.append(f"{_range(found, 'ns')} of CPU an answer")
    elif card and card.subject_cpus_busy is not None:
        parts.append(f"{quantity(card.subject_cpus_busy, 'CPU')} busy")
    if card and card.subject_memory_peak_bytes is not None:
        parts.append(f"{quantity(card.subject_memory_peak_bytes, 'B')} of memory at most")
    return parts


def _price_of(result: ExperimentResult, treatment: TreatmentResult) -> list[str]:
    """Return the price of a million units of its work; empty if the system has no price."""
    if treatment.price is None:
        return []
    amount = quantity(treatment.price.per_million.value, treatment.price.currency)
    return [f"{amount} for a million {work_unit(result.metric)}"]


def _range(estimates: Sequence[Estimate], unit: str) -> str:
    low, high = min(each.value for each in estimates), max(each.value for each in estimates)
    scale = scale_for(unit, [low, high])
    return scale.full(low) if scale.bare(low) == scale.bare(high) else f"{scale.bare(low)} to {scale.full(high)}"


_LINES: tuple[tuple[str, Callable[[ExperimentResult], str]], ...] = (
    ("Measured", _measured),
    ("How sure", _sure),
    ("Who leads changes", _changes),
    ("What limited it", limited_sentence),
    ("What it cost", _cost),
)


def doubts_line(result: ExperimentResult) -> str:
    """Return the doubts about an experiment's numbers in one line; empty if there are none."""
    says = [each.says.strip().rstrip(".") for each in result.findings if each.severity is not Severity.NOTE]
    return _named(says, rest="stand under Findings")


def bad_run_lines(recording: Recording) -> tuple[str, ...]:
    """Return what went wrong during the study: the number of runs, then each that failed or was excluded."""
    runs = sorted(recording.runs, key=lambda each: each.run.run)
    bad = [each for each in runs if each.run.status != "valid"]
    made = f"{plural(len(runs), 'run')} {'was' if len(runs) == 1 else 'were'} made"
    if not bad:
        return (f"{made}; none failed and none was discarded.", *_repeats(runs)) if runs else ("No run was made.",)
    failed = sum(each.run.status == "failed" for each in bad)
    counts = [f"{number} {word}" for number, word in ((failed, "failed"), (len(bad) - failed, "discarded")) if number]
    lines = [_bad_line(each, runs) for each in bad[:MOST]]
    more = (f"{len(bad) - MOST} more stand under Every run.",) if len(bad) > MOST else ()
    return (f"{made}; {listed(counts)}, and left out of every number here.", *_repeats(runs), *lines, *more)


def _repeats(runs: Sequence[Recorded]) -> tuple[str, ...]:
    said = repeat_sentence(runs)
    return (said,) if said else ()


def _bad_line(recorded: Recorded, runs: Sequence[Recorded]) -> str:
    run = recorded.run
    what = "failed" if run.status == "failed" else "discarded"
    why = as_sentence("; ".join(run.reasons) or "no reason was recorded", capital=None)
    place = (run.experiment, run.block, run.label)
    again = [
        each.run.run
        for each in runs
        if (each.run.experiment, each.run.block, each.run.label) == place
        and each.run.run > run.run
        and each.run.status == "valid"
    ]
    made = f"Made again as run {again[0]}." if again else "It was not made good."
    return f"Run {run.run}, {run.label} in {run.experiment}, block {run.block}, {what}: {why} {made}"


def dropped_lines(results: Sequence[ExperimentResult]) -> tuple[str, ...]:
    """Return the treatments that were given up, a sentence each."""
    return tuple(
        f"{each.label} in {result.name} was given up: it failed in two blocks running."
        for result in results
        for each in result.treatments
        if each.dropped
    )
