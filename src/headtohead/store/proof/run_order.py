"""Whether the runs of a folder can have been made one after the other, each once, in the order of the plan."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from headtohead.model.proof import Flaw
from headtohead.model.record import LoadRecord, Recorded, Run
from headtohead.store.proof.possible_values import started

Identity = tuple[str, int, int, int]
SECOND = 2


def copies(runs: Sequence[Recorded]) -> dict[int, Flaw]:
    """Return a flaw for each run that repeats an earlier one's place in the plan, or its records, by its number."""
    found: dict[int, Flaw] = {}
    places: dict[Identity, int] = {}
    records: dict[tuple[str, ...], int] = {}
    for each in runs:
        run = each.run
        first = places.setdefault(_identity(run), run.run)
        if first != run.run:
            says = f"repeats run {first}: attempt {run.attempt} at place {run.place} of block {run.block}"
            found[run.run] = _flaw(run, says, excluded=True)
            continue
        only = _unique(each)
        first = records.setdefault(only, run.run) if only else run.run
        if first != run.run:
            found[run.run] = _flaw(run, f"has the records of run {first}, letter for letter", excluded=True)
    return found


def _unique(recorded: Recorded) -> tuple[str, ...]:
    """Return sums that no other run can have: of nanoseconds of the load generator, or of a program with the monitors.

    A program that counts few things in whole seconds may well print the same lines twice.
    """
    sums = recorded.run.files
    if any(isinstance(each, LoadRecord) for each in recorded.records):
        return (sums.get("records.jsonl", ""),)
    both = tuple(sums.get(name, "") for name in ("records.jsonl", "readings.csv"))
    return both if recorded.records and all(both) else ()


def disorder(runs: Sequence[Run], *, numbers: Sequence[int]) -> Iterator[Flaw]:
    """Yield what cannot be of the runs together: gaps, attempts that nothing called for, another order than planned."""
    gaps = sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers))
    if gaps:
        more = f" and {len(gaps) - 1} more" if len(gaps) > 1 else ""
        yield Flaw(f"runs/{gaps[0]:04d}", f"is missing{more}, though later runs are there")
    by_experiment: Mapping[str, list[Run]] = defaultdict(list)
    for run in runs:
        by_experiment[run.experiment].append(run)
    for own in by_experiment.values():
        yield from _attempts(own)
        first = [each for each in own if each.attempt == 1]
        for before, run in pairwise(first):
            if (run.block, run.place) < (before.block, before.place):
                yield _flaw(run, f"is of block {run.block}, place {run.place}, after {before.block}, {before.place}")
    times = [(each, at) for each in runs if (at := started(each)) is not None]
    for (before, began), (run, at) in pairwise(times):
        if at < began:
            yield _flaw(run, f"started at {run.started_at}, before run {before.run}")


def _attempts(runs: Sequence[Run]) -> Iterator[Flaw]:
    """Yield second attempts that no bad first one called for, and third ones in blocks that rules did not exclude."""
    firsts = {(each.block, each.place): each for each in runs if each.attempt == 1}
    for run in runs:
        if run.attempt == 1:
            continue
        first = firsts.get((run.block, run.place))
        which = "second" if run.attempt == SECOND else "third"
        if first is None or first.run > run.run:
            yield _flaw(run, f"is a {which} attempt without a first")
        elif run.attempt == SECOND and first.status == "valid":
            yield _flaw(run, f"is a second attempt, and run {first.run}, the first, is valid")
        elif run.attempt > SECOND and not _excluded(runs, run):
            yield _flaw(run, f"is a third attempt, and block {run.block} was complete before")


def _excluded(runs: Sequence[Run], third: Run) -> bool:
    """Return whether some treatment of a third attempt's block was not valid at its second attempt, made before."""
    before = [each for each in runs if (each.block, each.attempt) == (third.block, SECOND)]
    return any(each.status != "valid" and each.run < third.run for each in before)


def missing_blocks(runs: Sequence[Run], *, stopped: Mapping[str, str]) -> Iterator[Flaw]:
    """Yield experiments of which a finished study has no run, or not every block up to the last."""
    blocks = Counter({(each.experiment, each.block): 1 for each in runs})
    for name in stopped:
        own = {block for experiment, block in blocks if experiment == name}
        gaps = sorted(set(range(1, max(own, default=0) + 1)) - own)
        if gaps:
            yield Flaw("end.json", f"says that {name} ended, but no run is of its block {gaps[0]}", name)


def _identity(run: Run) -> Identity:
    return run.experiment, run.block, run.place, run.attempt


def _flaw(run: Run, says: str, *, excluded: bool = False) -> Flaw:
    return Flaw(f"runs/{run.run:04d}", says, run.experiment, excluded=excluded)
