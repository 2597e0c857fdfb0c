"""Merge the doubts that single runs raise: one for each kind and treatment, the worst one, with how many runs."""

from collections.abc import Iterator

from headtohead.analyze.findings.capacity_not_found_or_unstable import too_low
from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model import rules
from headtohead.model.finding import AT_WORST, Finding, Severity
from headtohead.model.quantity import Scalar

RISING = ("nothing-held", "unstable-region")
"""Doubts about a rate, of which the highest is not the worst."""


def often(whole: Whole) -> Iterator[Finding]:
    """Yield one doubt for each kind found in a treatment's valid runs: the worst one, and the number of runs.

    A capacity that most runs of a treatment passed is too low: that forbids verdicts on it.
    """
    met: dict[tuple[str, str], dict[int, Finding]] = {}
    total: dict[str, int] = {}
    for seen, noticed in zip(whole.seen, whole.noticed, strict=True):
        label = seen.run.label
        total[label] = total.get(label, 0) + 1
        for finding in noticed:
            if finding.severity is Severity.DOUBT:
                runs = met.setdefault((finding.id, label), {})
                runs[seen.run.run] = max(runs.get(seen.run.run, finding), finding, key=_size)
    for (name, label), runs in met.items():
        worst = max(runs.values(), key=_size)
        differ = len({_size(each) for each in runs.values()}) > 1 and name not in RISING
        evidence = {**worst.evidence, "treatment": label, "runs": len(runs), "of_runs": total[label]}
        if name == rules.HELD_PAST_CAPACITY.id and _in_most(len(runs), of=total[label]):
            yield too_low(label, evidence)
            continue
        yield Finding(
            id=name,
            severity=Severity.DOUBT,
            says=f"{label}, in {len(runs)} of {total[label]} runs{AT_WORST if differ else ''}: {worst.says}.",
            advice=worst.advice,
            evidence=evidence,
        )


def _in_most(runs: int, *, of: int) -> bool:
    return of >= rules.FEWEST_BLOCKS and runs > rules.HELD_PAST_CAPACITY.limit * of


def _size(finding: Finding) -> float:
    """Return the first figure of the evidence: each doubt puts the limited figure first."""
    return next((float(value) for value in finding.evidence.values() if _is_figure(value)), 0.0)


def _is_figure(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
