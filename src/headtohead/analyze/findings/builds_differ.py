"""The same program in two versions or builds, though no factor is the reason (METHOD.md 9)."""

from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar


def builds_differ(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each program that both arms of a comparison run alike set, in different versions or builds.

    What a subject's version says may name its factors (a compiler): where these differ, so may it.
    """
    for comparison, baseline, other in whole.pairs():
        one, two = _versions(whole, baseline.label), _versions(whole, other.label)
        for program in (each for each in one if each in two):
            if _set(baseline, program) == _set(other, program) and one[program] != two[program]:
                yield Finding(
                    id="builds-differ",
                    severity=Severity.INVALID,
                    says=f"{program} was {' and '.join(sorted(one[program]))} in {baseline.label} and "
                    f"{' and '.join(sorted(two[program]))} in {other.label}: two programs are compared.",
                    advice="Give both the same build, or make the version what is compared.",
                    evidence={"program": program, "baseline": baseline.label, "other": other.label},
                    of=(comparison.baseline, comparison.other),
                )


def _versions(whole: Whole, label: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for each in whole.counting(label):
        for program, version in each.run.versions.items():
            found.setdefault(program, set()).add(version)
    return {program: frozenset(versions) for program, versions in found.items()}


def _set(treatment: Treatment, program: str) -> Mapping[str, Scalar]:
    """Return how the program is set in the treatment: as its subject, or as one that the subject needs."""
    return treatment.parts.get(program, treatment.settings)
