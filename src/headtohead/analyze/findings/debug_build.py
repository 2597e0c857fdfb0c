"""A build made for finding faults, not for speed (METHOD.md 9)."""

import re
from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

SAYS_SO = re.compile(
    r"(?<!with)-debug\b|\b(?:fast|slow)debug\b|(?<!\w)-O0\b|\bassertions (?:on|enabled)\b", re.IGNORECASE
)
"""How versions tell of such builds; nginx names an option of the ordinary one ``--with-debug``."""

SETTINGS = {"debug_assertions": "on"}
"""Settings that tell of one, and the value that does."""


def debug_build(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each treatment whose version or configuration says that it is a debug build."""
    for treatment in whole.experiment.treatments:
        for each in whole.counting(treatment.label)[:1]:
            told = [f"{name} {version}" for name, version in each.run.versions.items() if SAYS_SO.search(version)]
            told += [
                f"{one.name} = {one.value}"
                for one in each.configuration
                if one.name in SETTINGS and one.value == SETTINGS[one.name]
            ]
            if told:
                yield Finding(
                    id="debug-build",
                    severity=Severity.INVALID,
                    says=f"{treatment.label} is a debug build, by its own word: {', '.join(told)}.",
                    advice="Measure the build that people use.",
                    evidence={"treatment": treatment.label},
                    of=(treatment.label,),
                )
