"""What one experiment answers, in sentences, and its badge: the answer in a word or two."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.study.noise_floor import noise_caveat
from headtohead.report.study.page_one.blocks_that_may_decide import may_decide, scarce
from headtohead.report.study.total_of_copies import totals
from headtohead.report.text.differences import margin_text
from headtohead.report.text.scaling import ideal_kind, ideal_margin
from headtohead.report.text.verdicts import VerdictText, floor_sentence, measured_sentences, verdict_text
from headtohead.report.text.wording import plural

WINNERS = ("better", "worse")
"""The verdicts that name a winner."""
OF_A_VERDICT = ("these-alone", "worse-elsewhere")
"""Findings that limit a winner to some cases: its badge shows that."""
_BADGES = {
    "better": "clear",
    "worse": "clear",
    "same": "same",
    "inconclusive": "open",
    "not-measured": "not measured",
}
OPEN_FOR_EACH = "open for each copy, clear together"
"""The badge of several copies that together do more for sure, where what each does is open."""


@dataclass(frozen=True)
class Answer:
    """What one experiment answers: a sentence for each comparison, or for each treatment if nothing is compared."""

    question: str
    verdicts: tuple[VerdictText, ...]
    measured: tuple[str, ...]
    floors: tuple[str, ...]
    caveat: str
    """What must accompany a winner: that the noise of the machine as it is now is not known; else empty."""
    badge: str = ""


def answer(result: ExperimentResult, *, caveat: str = "") -> Answer:
    """Return the answer of one experiment; it has the ``caveat`` only if it names a winner."""
    verdicts = tuple(verdict_text(each, result) for each in result.comparisons)
    return Answer(
        question=result.question,
        verdicts=verdicts,
        measured=measured_sentences(result),
        floors=tuple(floor_sentence(each, result.metric) for each in result.treatments if each.floor),
        caveat=caveat if any(each.kind in WINNERS for each in verdicts) else "",
        badge=badge(result, verdicts),
    )


def badge(result: ExperimentResult, verdicts: Sequence[VerdictText]) -> str:
    """Return the answer in a word or two: ``clear``, ``1 clear, 2 open``, ``clear; below the ideal``."""
    compared = zip(result.comparisons, verdicts, strict=False)
    words = [f"{_BADGES[text.kind]}{_only(result, each) if text.kind in WINNERS else ''}" for each, text in compared]
    counts = {word: words.count(word) for word in dict.fromkeys(words)}
    if not counts:
        return "measured" if any(each.primary for each in result.treatments) else _BADGES["not-measured"]
    text = next(iter(counts)) if len(counts) == 1 else ", ".join(f"{number} {word}" for word, number in counts.items())
    text += _may_be_small(result)
    grown = [(each, each.scaling) for each in result.comparisons if each.scaling and each.verdict == "better"]
    kinds = {ideal_kind(more, ideal_margin(each, result)) for each, more in grown}
    ideals = {
        "below": "below the ideal",
        "above": "above the ideal",
        "within": f"the ideal within {margin_text(result.matters)}",
        "open": "may reach the ideal",
    }
    return f"{text}; {ideals[kinds.pop()]}" if len(kinds) == 1 else text


def _may_be_small(result: ExperimentResult) -> str:
    """Return that winners may be ahead by less than what matters, and of several how many; empty if none may."""
    won = [each for each in result.comparisons if each.verdict in WINNERS]
    small = [each for each in won if not each.at_least_margin]
    if not small:
        return ""
    many = f"{len(small)} " if len(won) > 1 else ""
    return f"; {many}may be under {margin_text(result.matters)}"


def _only(result: ExperimentResult, comparison: ComparisonResult) -> str:
    """Return what a doubt limits a verdict to: " for these 8 kernels"; empty if no doubt limits it."""
    pair = {comparison.baseline, comparison.other}
    found = {each.id: each for each in result.findings if each.id in OF_A_VERDICT and set(each.of) == pair}
    if alone := found.get("these-alone"):
        return f" for these {plural(int(alone.evidence['cases']), result.suite or 'case')}"
    return " on average only" if found else ""


def kind_of(own: Answer) -> str:
    """Return the style of a badge: that of its least certain verdict."""
    kinds = {each.kind for each in own.verdicts}
    for kind, style in (("not-measured", "missing"), ("inconclusive", "open"), ("same", "same")):
        if kind in kinds:
            return style
    if any(limited in own.badge for limited in (" for these ", " on average", " may be under ")):
        return "open"
    return "clear" if kinds else "missing" if own.badge == _BADGES["not-measured"] else "shown"


def answer_of(context: ExperimentContext) -> Answer:
    """Return the answer of an experiment, with the caveat of its machine's noise."""
    recording = context.study.recording
    own = answer(context.result, caveat=noise_caveat(recording.noise, recording.hosts))
    return replace(own, badge=OPEN_FOR_EACH) if own.badge == _BADGES["inconclusive"] and _sure_in_all(context) else own


def _sure_in_all(context: ExperimentContext) -> bool:
    """Return whether several copies do more together for sure, while only more blocks are missing for each."""
    found, opened = list(totals(context)), may_decide(context)
    allowed = not scarce(context) and not context.study.recording.plan.tolerates_noise
    return allowed and bool(found) and all(each.ends[0] > 1 and each.comparison in opened for each in found)
