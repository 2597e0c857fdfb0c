"""Two results folders set against each other: other machines, other days. Never interleaved, and said so."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from headtohead.analyze import compare, decide
from headtohead.analyze.estimate import CONFIDENCE, geometric, welch
from headtohead.analyze.verdict import Ruling, rule
from headtohead.model.analysis import Estimate, FactDifference, FolderComparison, FolderPair, Refusal
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.record import Recording

TEST_FIELDS = (
    "workload",
    "workload_version",
    "asks",
    "data",
    "load",
    "cases",
    "primary",
    "summaries",
    "metrics",
    "compare",
)
"""What same_test is the hash of, as far as the plan holds it; where all are equal, the workload's files differ."""

NO_VALUES = Ruling("not-measured", "one of the folders has fewer than two valid runs of it")


def compare_folders(a: Recording, b: Recording, *, differ: Collection[str] = ()) -> FolderComparison:
    """Return the verdicts of b over a for each treatment of equal same_test and equal levels, in the order of a.

    The interval is Welch's t on the logarithms of the valid runs, at 0.05 over the number of pairs of the experiment.
    An experiment whose same_test differs, or that only one folder has, is refused with what differs. ``differ`` names
    host facts (or groups of them) that are meant to differ.
    """
    pairs: list[FolderPair] = []
    refused: list[Refusal] = []
    others = {each.name: each for each in b.plan.experiments}
    for experiment in a.plan.experiments:
        other = others.pop(experiment.name, None)
        if other is None:
            refused.append(_missing(experiment.name, has=a.name, lacks=b.name))
        elif experiment.same_test != other.same_test:
            refused.append(_differing(experiment, other))
        else:
            pairs += _pairs(experiment, other, a=a, b=b)
            refused += _unmatched(experiment, other, has=a.name, lacks=b.name)
            refused += _unmatched(other, experiment, has=b.name, lacks=a.name)
    refused += [_missing(name, has=b.name, lacks=a.name) for name in others]
    facts = tuple(_facts(a, b, differ=differ))
    return FolderComparison(a=a.name, b=b.name, pairs=tuple(pairs), refused=tuple(refused), facts=facts)


def _pairs(left: PlannedExperiment, right: PlannedExperiment, *, a: Recording, b: Recording) -> Iterator[FolderPair]:
    values = [decide.stop(each, recording.runs).samples for each, recording in ((left, a), (right, b))]
    twins = [(mine, yours) for mine in left.treatments for yours in right.treatments if _alike(mine, yours)]
    twins = [(mine, yours) for mine, yours in twins if not mine.floor]
    for mine, yours in twins:
        ours = [list(s.of(t.label, s.primary).values()) for s, t in zip(values, (mine, yours), strict=True)]
        estimates = [geometric(each) for each in ours]
        if estimates[0] is None or estimates[1] is None:
            continue
        ratio = welch(ours[0], ours[1], alpha=(1 - CONFIDENCE) / len(twins))
        ruling = _ruling(ratio, left, fewest=min(map(len, ours)))
        yield FolderPair(
            experiment=left.name,
            treatment=mine.label,
            summary=left.primary.name,
            metric=compare.metric_of(left),
            a=estimates[0],
            b=estimates[1],
            ratio=ratio,
            verdict=ruling.verdict,
            because=ruling.because,
            says=f"not interleaved: this {a.name} and this {b.name}, on these days ({_day(a)} and {_day(b)})",
        )


def _ruling(ratio: Estimate | None, experiment: PlannedExperiment, *, fewest: int) -> Ruling:
    if ratio is None or ratio.interval is None:
        return NO_VALUES
    if fewest < compare.MINIMUM:
        because = f"too few valid runs: a folder has {fewest}, {compare.MINIMUM} are needed"
        return Ruling("inconclusive", because)
    better = compare.metric_of(experiment).better
    return rule(ratio.interval.low, ratio.interval.high, matters=experiment.matters, better=better)


def _alike(left: Treatment, right: Treatment) -> bool:
    """Tell whether two treatments have equal levels and settings (and labels, for levels that are written alike)."""
    if _texts(left.levels) != _texts(right.levels) or left.subject != right.subject:
        return False
    return _texts(left.settings) == _texts(right.settings) and left.label == right.label


def _texts(levels: Mapping[str, Scalar]) -> dict[str, str]:
    return {name: scalar_text(value) for name, value in levels.items()}


def _differing(left: PlannedExperiment, right: PlannedExperiment) -> Refusal:
    fields = [name for name in TEST_FIELDS if getattr(left, name) != getattr(right, name)]
    if not fields:
        return Refusal(left.name, "same_test", "the files of the workload or its data differ.")
    why = "; ".join(f"{name}: {getattr(left, name)} against {getattr(right, name)}" for name in fields)
    return Refusal(left.name, ", ".join(fields), f"{why[:400]}.")


def _unmatched(left: PlannedExperiment, right: PlannedExperiment, *, has: str, lacks: str) -> Iterator[Refusal]:
    for mine in left.treatments:
        if not any(_alike(mine, yours) for yours in right.treatments):
            yield Refusal(left.name, "levels", f"{has} has {mine.label}, {lacks} has nothing of equal levels.")


def _missing(experiment: str, *, has: str, lacks: str) -> Refusal:
    return Refusal(experiment, "experiment", f"{has} has it, {lacks} has not.")


def _facts(a: Recording, b: Recording, *, differ: Collection[str]) -> Iterator[FactDifference]:
    left, right = _known(a), _known(b)
    for group, name in dict.fromkeys([*left, *right]):
        mine, yours = left.get((group, name)), right.get((group, name))
        if mine != yours:
            intended = name in differ or group in differ
            yield FactDifference(group=group, name=name, a=mine, b=yours, intended=intended)


def _known(recording: Recording) -> dict[tuple[str, str], Scalar | None]:
    return {(fact.group, fact.name): fact.value for host in recording.hosts for fact in host.facts}


def _day(recording: Recording) -> str:
    days: Sequence[str] = [each.run.started_at[:10] for each in recording.runs]
    return min(days, default="no day")
