"""The doubts about an answer on page one: every one of them, the worst first, a line each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.finding import AT_WORST, REPORTED, Finding, Severity
from headtohead.model.rules import TYPICAL_ERROR
from headtohead.report.text.numbers.percents import percent
from headtohead.report.text.numbers.values_with_units import scale_for
from headtohead.report.text.wording import listed

DECIDED = ("better", "worse", "same")
_STANDS = "; the verdict stands."
_LIKEWISE = "likewise "
_PERCENT = re.compile(r"[\d.,]+ %")
_UNITS = ("%", "ns", "µs", "ms", "s")
_AGAIN = ": runs vary by "
"""What all doubts about runs that vary begin with, after the name of the setup."""
_LIMIT = re.compile(r" \((?:limit|doubtful above) [^)]*\)")


FORBIDS, WEAKENS, STANDS = 0, 1, 2
"""What a doubt does to an answer: no verdict is given; it is less sure; the verdict stands."""


@dataclass(frozen=True)
class Doubt:
    """A doubt in one sentence, and how grave it is."""

    says: str
    grade: int = WEAKENS

    @property
    def by_itself(self) -> str:
        """Return the sentence for a place where nothing else states that the verdict stands."""
        return f"{self.says[:-1]}{_STANDS}" if self.grade == STANDS else self.says


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return the doubts: those that forbid a verdict first, then in the order of the checks."""
    doubts = [each for each in findings if each.severity is not Severity.NOTE]
    return sorted(doubts, key=lambda each: each.severity is not Severity.INVALID)


def decided(result: ExperimentResult) -> bool:
    """Return whether every comparison has a verdict."""
    return bool(result.comparisons) and all(each.verdict in DECIDED for each in result.comparisons)


def leaves_verdict(finding: Finding, result: ExperimentResult) -> bool:
    """Return whether a doubt leaves a verdict as it is: runs that vary do, and widen the interval alone."""
    return finding.id == TYPICAL_ERROR.id and decided(result)


def doubt_lines(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return a line for each doubt, see ``graded``."""
    return tuple(each.says for each in graded(findings))


def graded(findings: Sequence[Finding], *, decided: bool = False) -> tuple[Doubt, ...]:
    """Return the doubts; those of one kind about several setups share one, which names the others.

    ``decided`` is whether the doubts are about an answer with verdicts, which runs that vary do not change.
    """
    alike: dict[str, list[Finding]] = {}
    for each in worst_first(findings):
        alike.setdefault(each.id, []).append(each)
    return tuple(_doubt(first, others, decided=decided) for first, *others in map(_largest_first, alike.values()))


def _largest_first(alike: Sequence[Finding]) -> Sequence[Finding]:
    """Return doubts of one kind about several setups with the largest figure first, if each counts runs of a setup."""
    if not all("of_runs" in each.evidence for each in alike):
        return alike
    return sorted(alike, key=lambda each: (each.severity is Severity.INVALID, _first_figure(each)), reverse=True)


def _first_figure(finding: Finding) -> float:
    """Return the figure that is limited, which the evidence of each doubt has first."""
    figures = [
        each for each in finding.evidence.values() if isinstance(each, int | float) and not isinstance(each, bool)
    ]
    return float(figures[0]) if figures else 0.0


def _doubt(first: Finding, others: Sequence[Finding], *, decided: bool) -> Doubt:
    line = _line(first, others)
    if decided and first.id == TYPICAL_ERROR.id:
        return Doubt(line, STANDS)
    return Doubt(line, FORBIDS if first.severity is Severity.INVALID else WEAKENS)


def graded_of(result: ExperimentResult) -> tuple[Doubt, ...]:
    """Return the doubts about an answer, then what is doubtful about the limit that its chart shows."""
    return (*graded(result.findings, decided=decided(result)), *map(Doubt, _limit_lines(result)))


def _limit_lines(result: ExperimentResult) -> Iterator[str]:
    """Yield that a harness's own limit varies and how near the fastest setup is to it, if its interval reaches that.

    Such a setup may be held back by the load generator.
    """
    fastest = max((each for each in result.treatments if not each.floor and each.primary), key=_value, default=None)
    for each in result.treatments:
        if not each.floor or each.primary is None or fastest is None or result.metric.better != "higher":
            continue
        ends, near = each.primary.interval, fastest.primary.interval if fastest.primary else None
        if ends and ends.low <= (near.high if near else _value(fastest)):
            scale = scale_for(result.metric.unit, [ends.high])
            low, high = scale.bare(ends.low), scale.full(ends.high)
            away = percent(100 * _value(fastest) / each.primary.value, 0)
            spread = each.card.typical_error if each.card else None
            varies = f"varies by {percent(100 * spread)} ({low} to {high})" if spread else f"is {low} to {high}"
            yield f"{each.label}, the limit, {varies}; {fastest.label} at {away} may be held back."


def _value(treatment: TreatmentResult) -> float:
    return treatment.primary.value if treatment.primary else 0.0


def _line(first: Finding, others: Sequence[Finding]) -> str:
    says = first.says.strip().rstrip(".")
    short = [_only_what_differs(first, each) for each in others]
    if not all(short):
        limit = next(iter(_LIMIT.findall(says)), "")
        rest = [each.says.strip().rstrip(".").replace(limit, "") for each in others]
        return (
            "; ".join([says, *(each.replace(_AGAIN, ": ") if each.count(": ") == 1 else each for each in rest)]) + "."
        )
    if short and all(each.startswith(_LIKEWISE) for each in short):
        return f"{says}; {_LIKEWISE}{listed([each.removeprefix(_LIKEWISE) for each in short])}."
    own = _PERCENT.search(says)
    figures = [
        f"{each.removeprefix(_LIKEWISE)}: {own[0]}" if own and each.startswith(_LIKEWISE) else each for each in short
    ]
    return f"{says}; {listed(figures)}." if short else f"{says}."


def _only_what_differs(first: Finding, other: Finding) -> str:
    """Return another setup with its own figure, or ``likewise`` if all is equal; empty if more than a figure differs.

    The figure is never left out: 5.1 % and 20 % are not alike.
    """
    name = str(other.evidence.get("treatment", ""))
    if REPORTED in other.evidence:  # a version is not a figure
        return ""
    words, own = (_words(each) for each in (first, other))
    apart = [place for place, pair in enumerate(zip(words, own, strict=False)) if pair[0] != pair[1]]
    if not (name and first.evidence.get("treatment")) or len(words) != len(own):
        return ""
    if not apart:
        return f"{_LIKEWISE}{name}"
    runs = f", in {other.evidence['runs']} of {other.evidence['of_runs']} runs" if "of_runs" in other.evidence else ""
    percents = [own[each] for each in apart if own[each + 1 : each + 2] == ["%"]]
    figures = [each for each in apart if own[each][0].isdigit() and own[each] != str(other.evidence.get("runs"))]
    if runs and [own[each] for each in apart] == [str(other.evidence["runs"])]:
        return f"{name}{runs}"
    unit = " ".join(own[figures[0] + 1 : figures[0] + 2]) if figures else ""
    if runs and ((len(figures) == 1 and unit in _UNITS) or (unit == "%" and len(percents) == 1)):
        return f"{name}: {own[figures[0]]} {unit}{runs}"
    return f"{name}: {own[apart[0]]}{' %' if percents else ''}" if len(apart) == 1 else ""


def _words(finding: Finding) -> list[str]:
    """Return the words of a sentence, with one word for the name of its setup."""
    name = str(finding.evidence.get("treatment", ""))
    says = finding.says.strip().rstrip(".").replace(AT_WORST, "", 1)
    return (re.sub(rf"(?<![\w=-]){re.escape(name)}(?![\w=-])", "\0", says) if name else says).split()
