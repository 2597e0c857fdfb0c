"""What a study of few blocks and many setups may not see: rare stalls, and what a run leaves for the next.

All shares are those of simulated studies (docs/adr/0038, 0051, 0059; ``make bench-verdicts``).
"""

from collections.abc import Iterator

from headtohead.model.analysis.results import Analysis
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording
from headtohead.model.rules import STALLS
from headtohead.report.text.wording import plural

COVERED = {
    2: ((24, "86 to 95", "93"), (16, "84 to 94", "93"), (0, "76 to 84", "90")),
    3: ((24, "78 to 96", "94"), (16, "70 to 87", "92"), (0, "62 to 72", "87")),
    4: ((24, "71 to 94", "92"), (16, "59 to 81", "90"), (0, "53 to 65", "84")),
    5: ((24, "64 to 92", "91"), (16, "51 to 75", "88"), (0, "43 to 58", "81")),
}
"""By setups and, from this number of planned blocks on: how many studies have only intervals of 95 % that hold the true
change, if some setups stall in 15 % of their runs and the first does not, and if they have a long tail."""
CARRIED: dict[int, tuple[tuple[int, tuple[int, ...]], ...]] = {
    2: ((16, ()), (10, (92, 52)), (0, (24, 11))),
    3: ((10, ()), (0, (83, 64))),
}
"""By setups and, from this number of blocks on: in how many of 100 studies a setup that slows the next run by 6 % is
found if blocks are alike, and if they vary by 5 %; empty if that is 90 % and more, as with more setups."""

HALF = 50
"""What at most this many of 100 studies notice is noticed by few."""

SAME_BY_STALLS = (
    "If 15 of 100 runs of one setup are 20 % slower and its others 1 %, which is 4 % on average, 22 of 100 studies "
    "with a margin of 3 % still call the two the same."
)
"""How often stalls hide a difference from a verdict of "same" (docs/adr/0059)."""

Lines = Iterator[tuple[str, str]]


def slow_runs(analysis: Analysis, recording: Recording) -> Lines:
    """Yield what a verdict is about: the head of the page has how often intervals hold if there are rare slow runs."""
    if any(stalls(analysis, recording)):
        yield (
            "Rare slow runs",
            "Verdicts are about average runs; rare slow ones may be missed.",
        )


def stalls(analysis: Analysis, recording: Recording) -> Lines:
    """Yield how often the blocks hold no rare stall: no statistic sees that."""
    made = [each.blocks_done for each in analysis.experiments if each.comparisons and each.blocks_done]
    compared = [each for each in recording.plan.experiments if each.comparisons]
    if not made:
        return
    few = min(compared, key=lambda each: each.looks[-1])
    stalling, tailed = _covered(2, few)
    text = (
        f"In simulated studies: if one setup stalls in {round(100 * STALLS)} of 100 runs, {stalling} of 100 intervals "
        f"include the true change, not 95; {tailed} with a long tail of slow runs."
    )
    if any(pair.verdict == "same" for each in analysis.experiments for pair in each.comparisons):
        text += f" {SAME_BY_STALLS}"
    many = max(compared, key=lambda each: len(each.comparisons))
    setups = len(many.comparisons) + 1
    if setups > 2:
        of, at_most = (
            (f"{setups - 1} comparisons", "")
            if setups <= max(COVERED)
            else (f"{max(COVERED) - 1} comparisons or more", "at most ")
        )
        stalling, tailed = _covered(min(setups, max(COVERED)), many)
        text += f" Of {of}, all intervals include it in {at_most}{stalling} with stalls, in {tailed} with long tails."
    yield "Rare slow runs, in numbers", text


def with_slow_runs(planned: PlannedExperiment) -> tuple[list[int], int]:
    """Return in how many of 100 studies the intervals hold if setups stall (from and to), or have a long tail."""
    stalling, tailed = _covered(min(len(planned.comparisons) + 1, max(COVERED)), planned)
    return [int(each) for each in stalling.split(" to ")], int(tailed)


def _covered(setups: int, planned: PlannedExperiment) -> tuple[str, str]:
    return next((stalling, tailed) for least, stalling, tailed in COVERED[setups] if planned.looks[-1] >= least)


def carried(analysis: Analysis, recording: Recording) -> Lines:
    """Yield how often a study of so few blocks shows that a run slows the next one."""
    shown = []
    setups = {each.name: len(each.treatments) for each in recording.plan.experiments}
    for each in analysis.experiments:
        done, steps = each.blocks_done, CARRIED.get(setups.get(each.name, 0), ())
        found = next((shares for least, shares in steps if done >= least), ())
        if each.comparisons and done and found:
            often, uneven = found
            shown.append((done, often, uneven))
    if shown:
        done, often, uneven = min(shown)
        yield (
            "Run-to-run effects",
            f"If each run slowed the next by 6 %, {'' if often > HALF else 'only '}{uneven} to {often} of 100 studies "
            f"of {plural(done, 'block')} would notice.",
        )
