"""Merge the doubts that single runs raise: one for each kind and treatment, the worst one, with how many runs."""

from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.judge_run import noticed
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import Scalar


def often(whole: Whole) -> Iterator[Finding]:
    """Yield one doubt for each kind found in a treatment's valid runs: the worst one, and the number of runs."""
    met: dict[tuple[str, str], dict[int, Finding]] = {}
    total: dict[str, int] = {}
    for seen in whole.seen:
        label = seen.run.label
        total[label] = total.get(label, 0) + 1
        for finding in noticed(seen):
            if finding.severity is Severity.DOUBT:
                runs = met.setdefault((finding.id, label), {})
                runs[seen.run.run] = max(runs.get(seen.run.run, finding), finding, key=_size)
    for (name, label), runs in met.items():
        worst = max(runs.values(), key=_size)
        yield Finding(
            id=name,
            severity=Severity.DOUBT,
            says=f"{label}, in {len(runs)} of {total[label]} runs: {worst.says}.",
            advice=worst.advice,
            evidence={**worst.evidence, "treatment": label, "runs": len(runs), "of_runs": total[label]},
        )


def _size(finding: Finding) -> float:
    """Return the first figure of the evidence: each doubt puts the limited figure first."""
    return next((float(value) for value in finding.evidence.values() if _is_figure(value)), 0.0)


def _is_figure(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
