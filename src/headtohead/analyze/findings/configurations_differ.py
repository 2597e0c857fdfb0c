"""What else differs between two arms of one subject, by what it said was in force (METHOD.md 9)."""

from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

LISTED_AT_MOST = 8


def configurations_differ(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each comparison of one subject with itself, naming the settings that differ between the arms.

    What differs from run to run (ports, folders) is of the runs, not of the arms.
    """
    for comparison, baseline, other in whole.pairs():
        if baseline.subject != other.subject:
            continue
        one, two = (settled(whole, each.label) for each in (baseline, other))
        apart = {name: (one[name], two[name]) for name in one if name in two and one[name] != two[name]}
        if apart:
            more = len(apart) - LISTED_AT_MOST
            listed = [f"{name} {a or 'empty'} / {b or 'empty'}" for name, (a, b) in apart.items()][:LISTED_AT_MOST]
            yield Finding(
                id="configurations-differ",
                severity=Severity.NOTE,
                says=f"{baseline.label} and {other.label} differ in {len(apart)} of the settings in force: "
                f"{', '.join(listed)}{f', and {more} more' if more > 0 else ''}.",
                advice="These are what the factor changed, or what was changed beside it.",
                evidence={"settings": len(apart), "other": other.label},
                of=(comparison.baseline, comparison.other),
            )


def settled(whole: Whole, label: str) -> Mapping[str, str]:
    """Return the settings that were the same in every run of a treatment; none where a run does not say."""
    every = [{each.name: each.value for each in run.configuration} for run in whole.counting(label)]
    if not every:
        return {}
    first, *others = every
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}
