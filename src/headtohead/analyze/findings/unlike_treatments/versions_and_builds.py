"""Which versions and builds were measured (METHOD.md 9)."""

import re
from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model.finding import REPORTED, Finding, Severity
from headtohead.model.machine.userland import userland_of
from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar


def builds_differ(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each program that both treatments run with equal settings, in different versions or builds.

    A version may contain a factor (a compiler), so it may differ if the settings or the userlands differ.
    """
    for comparison, baseline, other in whole.pairs():
        one, two = _versions(whole, baseline.label), _versions(whole, other.label)
        for program in (each for each in one if each in two):
            alike = _set(baseline, program) == _set(other, program) and _userland(baseline) == _userland(other)
            if alike and one[program] != two[program]:
                yield Finding(
                    id="builds-differ",
                    severity=Severity.INVALID,
                    says=f"{program} was {' and '.join(sorted(one[program]))} in {baseline.label} and "
                    f"{' and '.join(sorted(two[program]))} in {other.label}: these are two different programs.",
                    advice="Give both the same build, or make the version the factor.",
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
    """Return the settings of the program in the treatment: as its subject, or as one that the subject needs."""
    return treatment.parts.get(program, treatment.settings)


def _userland(treatment: Treatment) -> str | None:
    return userland_of(treatment.levels)


SAYS_SO = re.compile(
    r"(?<!with)-debug\b|\b(?:fast|slow)debug\b|(?<!\w)-O0\b|\bassertions (?:on|enabled)\b", re.IGNORECASE
)
"""How versions show a debug build; an ordinary nginx may list the option ``--with-debug``."""

SETTINGS = {"debug_assertions": "on"}
"""Settings that show a debug build, with the value that does."""


def debug_build(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each treatment whose version or configuration shows a debug build."""
    for treatment in whole.experiment.treatments:
        for each in whole.counting(treatment.label)[:1]:
            reported = [f"{name} {version}" for name, version in each.run.versions.items() if SAYS_SO.search(version)]
            reported += [
                f"{one.name} = {one.value}"
                for one in each.configuration
                if one.name in SETTINGS and one.value == SETTINGS[one.name]
            ]
            if reported:
                text = ", ".join(reported)
                yield Finding(
                    id="debug-build",
                    severity=Severity.INVALID,
                    says=f"{treatment.label} is a debug build, as it reports itself: {text}.",
                    advice="Measure the build that people use.",
                    evidence={"treatment": treatment.label, REPORTED: text},
                    of=(treatment.label,),
                )


def versions(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each program of which the runs of a treatment record more than one version."""
    met: dict[tuple[str, str], dict[str, None]] = {}
    for each in whole.seen:
        for name, version in each.run.versions.items():
            met.setdefault((each.run.label, name), {})[version] = None
    for (label, name), found in met.items():
        if len(found) > 1:
            text = " to ".join(found)
            yield Finding(
                id="versions-differ",
                severity=Severity.INVALID,
                says=f"{label}: {name} changed between runs, from {text}.",
                advice="Run the study again: these runs are of different versions.",
                evidence={"treatment": label, "program": name, "versions": len(found), REPORTED: text},
                of=(label,),
            )


def version_unknown(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each treatment whose runs do not all record a version."""
    for treatment in whole.experiment.treatments:
        runs = whole.counting(treatment.label)
        nameless = sum(not any(text.strip() for text in each.run.versions.values()) for each in runs)
        if nameless and not treatment.floor:
            yield Finding(
                id="version-unknown",
                severity=Severity.DOUBT,
                says=f"{treatment.label}: {nameless} of {len(runs)} runs do not record the version of what was "
                "measured.",
                advice="State in subject.toml how to read the version: [install] version.",
                evidence={"runs": nameless, "treatment": treatment.label},
                of=(treatment.label,),
            )
