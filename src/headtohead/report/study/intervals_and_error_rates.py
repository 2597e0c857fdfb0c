"""How intervals are made and how often they hold, and how often a winner is false, in one place."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording
from headtohead.model.rules import ADDED_ERROR, ERROR, FEWEST_BLOCKS, STALLS
from headtohead.report.study.noise_floor import noise_sentences
from headtohead.report.study.page_one.undetectable_effects import with_slow_runs
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.wording import listed

NOISE = "Noise alone"
GROUPED, MANY = 90, 10
"""Of 100 studies those whose interval holds, if a third of one setup's runs is 46 % slower: of 6 blocks. With ``MANY``
blocks it is as good as if no runs were (ADR 70)."""
LIKE_THESE = (
    "The interval for {0}s like these takes those measured as drawn at random. It is a t interval over them, wider on "
    "the side of a long tail: a few {0}s rarely include one far out."
)

TOLERATED = (
    "Unknown: noise was tolerated. Intervals take disturbances as drawn at random, and those of other programs are not."
)


def claim_terms(analysis: Analysis, recording: Recording) -> Iterator[tuple[str, str]]:
    """Yield how sure all answers are together, and what the machine's noise does by itself."""
    if claim := claim_sentence(analysis, recording.plan.experiments):
        yield "How sure, overall", claim
    yield from ((NOISE, each) for each in noise_sentences(recording.noise, recording.hosts))


def claim_sentence(analysis: Analysis, planned: Sequence[PlannedExperiment] = ()) -> str:
    """Return how often intervals hold the true ratios, and how often one question, or any, names a false winner.

    Where noise was tolerated that is unknown.
    """
    if any(each.tolerates_noise for each in planned):
        return TOLERATED
    errors = {each.name: each.error for each in planned}
    enough = [each for each in analysis.experiments if each.blocks_done >= FEWEST_BLOCKS]
    decided = [each for each in enough if any(pair.ratio for pair in each.comparisons)]
    deciding = [each.name for each in decided]
    wrong = [round(100 * errors.get(name, ERROR)) for name in deciding]
    if not wrong:
        return ""
    every = "all " if len(wrong) == len(analysis.experiments) else ""
    over = "both" if every and len(wrong) == 2 else f"{every}{len(wrong)}"
    several = f" ({min(100, sum(wrong))} over {over} questions)" if len(wrong) > 1 else ""
    apart = [str(number) for number, each in enumerate(analysis.experiments, 1) if _has_odd_runs(each)]
    those = f"those of question{'s' if len(apart) > 1 else ''} {listed(apart)}"
    but = f" ({'here they' if len(apart) == len(analysis.experiments) else those} may not)" if apart else ""
    return (
        f"If runs scatter normally{but}, a question's intervals include the true ratio in at least "
        f"{100 - max(wrong)} of 100 studies; at most {max(wrong)} name a false winner{several}."
        f"{_if_slow(analysis, planned, deciding)}"
    )


def _if_slow(analysis: Analysis, planned: Sequence[PlannedExperiment], deciding: Sequence[str]) -> str:
    """Return how many studies remain if some runs stall; empty without a plan."""
    found = [each for each in planned if each.name in deciding and each.comparisons]
    if not found:
        return ""
    stalling = [end for each in found for end in with_slow_runs(each)[0]]
    tails = [with_slow_runs(each)[1] for each in found]
    tailed = f"{min(tails)}{f' to {max(tails)}' if min(tails) < max(tails) else ''}"
    stalls = f"If one setup stalls in {round(100 * STALLS)} % of its runs, intervals hold in {min(stalling)} to"
    return f" {stalls} {max(stalling)}; with long tails in {tailed}{_grouped(analysis)}."


def _has_odd_runs(result: ExperimentResult) -> bool:
    """Return whether runs of a setup are far from its others, or fall in two groups."""
    return any(each.id == "outlier" for each in result.findings) or bool(two_speeds(result))


def _grouped(analysis: Analysis) -> str:
    """Return how many studies remain if runs fall in two groups, if a doubt reports that; its card names the setup."""
    return f", with two speeds in about {GROUPED}" if any(map(has_two_speeds, analysis.experiments)) else ""


def has_two_speeds(result: ExperimentResult) -> bool:
    """Return whether a doubt is that runs of a setup fall in two groups, and the blocks are too few for that."""
    return result.blocks_done < MANY and bool(two_speeds(result))


def two_speeds(result: ExperimentResult) -> list[str]:
    """Return the setups whose runs fall in two groups, by a doubt."""
    return list(
        dict.fromkeys(str(each.evidence["treatment"]) for each in result.findings if "runs_above" in each.evidence)
    )


def method_sentences(analysis: Analysis, planned: Sequence[PlannedExperiment] = ()) -> tuple[str, ...]:
    """Return how intervals are made, and which level belongs to what; nothing if nothing is compared."""
    levels = {
        share(comparison.ratio.interval.confidence)
        for experiment in analysis.experiments
        for comparison in experiment.comparisons
        if comparison.ratio and comparison.ratio.interval
    }
    if not levels:
        return ()
    error = max((each.error for each in planned), default=ERROR)
    return (
        "Intervals are Student's t intervals: of a ratio, on the logarithms of the ratios within blocks; of a setup's "
        "value, on the logarithms of its runs. If two setups vary unlike each other, the interval of their ratio is "
        "wider on the side of the longer tail.",
        *(
            LIKE_THESE.format(each)
            for each in dict.fromkeys(each.suite for each in analysis.experiments if each.suites)
        ),
        f"Levels: 95 % for the value of one setup. {listed(sorted(levels))} for a ratio that decides, at each check; "
        f"then all checks of a question together have at least {share(1 - error)}. Higher for exploratory ratios, so "
        "that all of a comparison hold together at the level of its deciding ratio, and for blocks added to an ended "
        f"study: {share(1 - ADDED_ERROR)} and more.",
    )
