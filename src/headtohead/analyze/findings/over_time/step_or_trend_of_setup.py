"""Whether one setup changed over the blocks: its level once, or steadily. Of both only what fits better is reported."""

import math
from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.over_time.drift import drift
from headtohead.analyze.findings.wording import percent, rose_or_fell
from headtohead.analyze.statistics.over_time.step_change import Step, sure_steps
from headtohead.analyze.statistics.over_time.straight_line import left_by_line
from headtohead.analyze.statistics.over_time.trend import Trend, sure_trends
from headtohead.model.finding import Finding, Severity

Logs = Mapping[int, float]


def step(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each setup (no floors) whose last runs are all above, or all below, those before them."""
    for label, each in _steps(whole).items():
        yield Finding(
            id="step",
            severity=Severity.NOTE,
            says=f"{label}: the last {each.last} of {each.of} runs are {percent(abs(each.change))} "
            f"{'above' if each.change > 0 else 'below'} those before (p {each.p:.2g}).",
            advice="Look at what changed then. Ratios are taken within blocks: they hold if all setups changed alike.",
            evidence={
                "change_share": each.change,
                "p": each.p,
                "last": each.last,
                "of": each.of,
                "treatment": label,
            },
        )


def trend_of_setup(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each setup (no floors) that alone rose or fell over the blocks.

    What changes all alike is a drift, and one change of level is a step: these have findings of their own.
    """
    if any(drift(whole)):
        return
    stepped, logs = _steps(whole), _logs(whole)
    for label, each in _trends(logs).items():
        if label in stepped:
            continue
        yield Finding(
            id="trend-of-setup",
            severity=Severity.NOTE,
            says=f"{label}: values {rose_or_fell(each.change)} from the first block to the last (p {each.p:.2g}).",
            advice="Look at what changed meanwhile: its values are those of a changing setup.",
            evidence={"change_share": each.change, "p": each.p, "blocks": len(logs[label]), "treatment": label},
        )


def _logs(whole: Whole) -> dict[str, Logs]:
    labels = [each.label for each in whole.experiment.treatments if not each.floor]
    return {each: {block: math.log(value) for block, value in sorted(whole.primary(each).items())} for each in labels}


def _trends(logs: Mapping[str, Logs]) -> dict[str, Trend]:
    found = zip(logs, sure_trends([*logs.values()]), strict=True)
    return {label: trend for label, trend in found if trend}


def _steps(whole: Whole) -> dict[str, Step]:
    """Return the steps but those of setups that rather rose or fell steadily: alone, or as all did.

    Runs that fall one after the other are all below those before them, too.
    """
    logs = _logs(whole)
    steps = sure_steps({label: [*each.values()] for label, each in logs.items()})
    steady = logs if steps and any(drift(whole)) else _trends(logs) if steps else {}
    return {
        label: each for label, each in steps.items() if label not in steady or each.left <= left_by_line(logs[label])
    }
