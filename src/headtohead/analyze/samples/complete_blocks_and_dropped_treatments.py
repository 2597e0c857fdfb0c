"""Which runs count: complete blocks, second attempts, dropped treatments."""

from collections.abc import Mapping, Sequence

from headtohead.model import rules
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recorded

FAILURES_RUNNING = 2
"""A treatment that fails in this many consecutive blocks is dropped (DESIGN.md section 9)."""

_FAILED = "failed: "
PERMANENT = (f"{rules.NOT_COMPRESSED.id}: all ",)
"""How a reason begins that a setting of the server makes, not noise: each repetition would fail alike."""

ByBlock = Mapping[int, Mapping[str, Sequence[Recorded]]]
"""The runs of each block (in order) and treatment: one for each attempt, the latest last."""


def by_block(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> ByBlock:
    """Return the experiment's own runs by block and treatment label; runs of unknown treatments are left out."""
    labels = {each.label for each in experiment.treatments}
    own = [each for each in runs if each.run.experiment == experiment.name and each.run.label in labels]
    table: dict[int, dict[str, list[Recorded]]] = {}
    for each in sorted(own, key=lambda each: (each.run.block, each.run.attempt, each.run.run)):
        table.setdefault(each.run.block, {}).setdefault(each.run.label, []).append(each)
    return table


def permanent(recorded: Recorded) -> str:
    """Return the reason for which each repetition of a run would fail alike; empty if there is none."""
    reasons = (each.partition(": ")[2] for each in recorded.run.reasons if each.startswith(PERMANENT))
    return "" if recorded.run.status == "valid" else next(reasons, "")


def dropped(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> dict[str, int]:
    """Return the treatments that are given up, each with the block in which that showed.

    These are the ones that failed every attempt in two consecutive blocks, or once in a way that no repetition mends.
    """
    table = by_block(experiment, runs)
    ends: dict[str, int] = {}
    for treatment in experiment.treatments:
        running = 0
        for block, labels in table.items():
            attempts = labels.get(treatment.label, ())
            failed = bool(attempts) and all(each.run.status == "failed" for each in attempts)
            running = running + 1 if failed else 0
            if running == FAILURES_RUNNING or any(map(permanent, attempts)):
                ends.setdefault(treatment.label, block)
    return ends


def why_dropped(runs: Sequence[Recorded], label: str) -> str:
    """Return why a treatment was given up: what failed last, in one sentence, if that was recorded."""
    own = [each for each in runs if each.run.label == label]
    if lasting := next(filter(None, map(permanent, own)), ""):
        return lasting
    failed = [reason for each in own if each.run.status == "failed" for reason in each.run.reasons]
    last = failed[-1].removeprefix(_FAILED).partition(". ")[0].rstrip(".") if failed else ""
    return f"it failed in two blocks in a row{f': {last}' if last else ''}"


def complete(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> tuple[int, ...]:
    """Return, in order, the blocks in which every treatment (not dropped in an earlier one) has a run of any status."""
    gone = dropped(experiment, runs)
    return tuple(
        block
        for block, labels in by_block(experiment, runs).items()
        if all(each.label in labels or gone.get(each.label, block) < block for each in experiment.treatments)
    )


def within(runs: Sequence[Recorded], experiment: PlannedExperiment, *, blocks: Sequence[int]) -> list[Recorded]:
    """Return the experiment's runs of these blocks, in the order in which they were made."""
    among = frozenset(blocks)
    chosen = [each for each in runs if each.run.experiment == experiment.name and each.run.block in among]
    return sorted(chosen, key=lambda each: each.run.run)
