"""One side tuned, the other as it comes (METHOD.md 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import scalar_text


def tuned_unlike(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt where, of two different subjects, the study set one otherwise than by default and not the other."""
    for comparison, baseline, other in whole.pairs():
        if baseline.subject == other.subject or bool(baseline.changed) == bool(other.changed):
            continue
        tuned, left = (baseline, other) if baseline.changed else (other, baseline)
        settings = {name: tuned.settings[name] for name in tuned.changed if name in tuned.settings}
        named = ", ".join(f"{name} = {scalar_text(value)}" for name, value in settings.items())
        yield Finding(
            id="tuned-unlike",
            severity=Severity.DOUBT,
            says=f"The study sets {named} in {tuned.label}, and leaves {left.label} at its defaults.",
            advice="Give both the same care or both their defaults; then try the settings on data that they were not "
            "chosen by.",
            evidence={"settings": len(tuned.changed), "treatment": tuned.label},
            of=(comparison.baseline, comparison.other),
        )
