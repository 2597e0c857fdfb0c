"""What the study claims, and when it holds less: how often intervals hold and winners are false, in one place."""

from collections.abc import Iterator

from headtohead.model.analysis.results import Analysis
from headtohead.model.record import Recording
from headtohead.model.rules import ERROR
from headtohead.report.study.noise import noise_sentences
from headtohead.report.text.names import listed
from headtohead.report.text.numbers import share


def claim_terms(analysis: Analysis, recording: Recording) -> Iterator[tuple[str, str]]:
    """Yield how sure all answers are together, and what the machine's noise does by itself."""
    if claim := claim_sentence(analysis):
        yield "How sure, in all", claim
    yield from (("Noise alone", each) for each in noise_sentences(recording.noise, recording.hosts))


def claim_sentence(analysis: Analysis) -> str:
    """Return what is claimed for one question and for all of them, and when intervals hold less often."""
    deciding = sum(any(each.ratio for each in result.comparisons) for result in analysis.experiments)
    if not deciding:
        return ""
    wrong = round(100 * ERROR)
    several = f" in one question, {min(100, deciding * wrong)} in any of the {deciding}" if deciding > 1 else ""
    return (
        f"By calculation, for runs without rare stalls, of 100 such studies at most {wrong} name a false "
        f"winner{several}; in at least {100 - wrong} the intervals of a question hold."
    )


def method_sentences(analysis: Analysis) -> tuple[str, ...]:
    """Return how intervals are made, and which level belongs to what; nothing if nothing is compared."""
    levels = {
        share(comparison.ratio.interval.confidence)
        for experiment in analysis.experiments
        for comparison in experiment.comparisons
        if comparison.ratio and comparison.ratio.interval
    }
    if not levels:
        return ()
    return (
        "Intervals are Student's t intervals: of a ratio, on the logarithms of the ratios within blocks; of a setup's "
        "value, on the logarithms of its runs. If two setups vary unlike each other, the interval of their ratio is "
        "wider on the side of the longer tail.",
        f"Levels: 95 % for the value of one setup. {listed(sorted(levels))} for a ratio that decides, at each check; "
        f"then all checks of a question together have at least {share(1 - ERROR)}. Higher for exploratory ratios, so "
        "that all of a comparison hold together at the level of its deciding ratio.",
    )
