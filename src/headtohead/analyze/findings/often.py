"""Doubts of single runs, gathered: one finding for each kind and treatment instead of one a run."""

from collections.abc import Iterator

from headtohead.analyze.findings.judgment import noticed
from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import Scalar


def often(whole: Whole) -> Iterator[Finding]:
    """Yield one doubt for each kind met in runs of a treatment that count: the worst of it, and in how many runs."""
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
            says=f"{label}: {worst.says}; so in {len(runs)} of {total[label]} runs.",
            advice=worst.advice,
            evidence={**worst.evidence, "treatment": label, "runs": len(runs), "of_runs": total[label]},
        )


def _size(finding: Finding) -> float:
    """Return the first figure of the evidence: each doubt names first what its limit is on."""
    return next((float(value) for value in finding.evidence.values() if _is_figure(value)), 0.0)


def _is_figure(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
