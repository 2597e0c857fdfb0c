"""Setups whose runs vary: by how much, and why, as the advice follows from the cause; and runs far from the others."""

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import at, percent
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.runs.records_and_times_of_case import planned_cases
from headtohead.analyze.statistics.between_runs.far_from_median import far_from_median
from headtohead.analyze.statistics.between_runs.two_groups import two_groups
from headtohead.analyze.statistics.estimate import typical_error
from headtohead.model import rules
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.finding import Finding, Severity

EXPLAINS = 1 / 3
"""CPU time that others took explains a spread if it varies by this share of it, were all of it the program's."""
UNEXPLAINED = "neither stolen CPU time nor other programs explain the spread"
UNKNOWN = "stolen CPU time and other programs do not explain the spread"
NARROWER, MORE = "For narrower intervals", "plan more blocks (raise the last of `looks` in `study.toml`)"


@dataclass(frozen=True)
class Groups:
    """Runs of a setup that fall in two groups in a case, each as made; how many runs, and how far apart both are.

    ``cases`` are all that were looked at, ``more`` the others among them whose runs fall in two groups as well.
    """

    label: str
    case: Case
    upper: tuple[int, ...]
    lower: tuple[int, ...]
    of: int
    apart: float
    more: int = 0
    cases: int = 1


def variation(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each treatment (without floors) whose typical error between runs is above 5 %."""
    for treatment in whole.experiment.treatments:
        error = None if treatment.floor else typical_error(list(whole.primary(treatment.label).values()))
        if error is not None and error > rules.TYPICAL_ERROR.limit:
            seen = [each for each in whole.seen if each.run.label == treatment.label]
            taken = _taken_varies(seen)
            groups = None if taken is None or taken >= EXPLAINS * error else _groups(whole, treatment.label)
            yield Finding(
                id=rules.TYPICAL_ERROR.id,
                severity=rules.TYPICAL_ERROR.then,
                says=f"{treatment.label}: runs vary by {percent(error)} "
                f"(doubtful above {100 * rules.TYPICAL_ERROR.limit:g} %){_apart(groups, whole)}.",
                advice=_advice(treatment.label, groups, taken=taken, error=error),
                evidence={
                    "typical_error_share": error,
                    "limit_share": rules.TYPICAL_ERROR.limit,
                    "treatment": treatment.label,
                    **({"runs_above": ", ".join(map(str, groups.upper))} if groups else {}),
                },
            )


def outliers(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each treatment with runs far from the others."""
    for label in (each.label for each in whole.experiment.treatments if not each.floor):
        far = far_from_median(whole.primary(label))
        if far:
            runs = [whole.samples.counted[label][block].run.run for block in far]
            worst = math.expm1(max(far.values(), key=abs))
            side = "above" if min(far.values()) > 0 else "below" if max(far.values()) < 0 else "both"
            away = f"{percent(abs(worst))} {'from' if side == 'both' else side}"
            yield Finding(
                id="outlier",
                severity=Severity.NOTE,
                says=f"{label}: run{'s' if len(runs) > 1 else ''} {', '.join(map(str, runs))} "
                f"{'are up to' if len(runs) > 1 else 'is'} {away} the median; kept.",
                advice="Look at the readings of these runs; no value is left out for being far off.",
                evidence={"away_share": worst, "side": side, "runs": ", ".join(map(str, runs)), "treatment": label},
            )


def _outliers_apart(groups: Groups, whole: Whole) -> int:
    """Return how many runs one of the groups has that a note names, with how far they are from the median; else 0."""
    runs = whole.samples.counted[groups.label]
    far = {runs[block].run.run for block in far_from_median(whole.primary(groups.label))}
    return len(far) if far in (set(groups.upper), set(groups.lower)) else 0


def _apart(groups: Groups | None, whole: Whole) -> str:
    if groups is None:
        return ""
    where = at(groups.case)
    if not groups.case and (named := _outliers_apart(groups, whole)):
        return f": {named} of {groups.of} runs are a group of their own"
    some = f"{len(groups.upper)} of {groups.of} runs"
    far = f"{percent(groups.apart)} above" if groups.apart < 1 else f"{1 + groups.apart:.1f} times"
    return f":{where}{',' if where else ''} {some} are {far} the others{clearest(groups)}"


def clearest(groups: Groups) -> str:
    """Return that a case is the clearest of those with two groups, if these are several, or else of all."""
    if not groups.case or groups.cases < 2:
        return ""
    return f" (clearest of {groups.more + 1} such cases)" if groups.more else f" (most clearly of {groups.cases} cases)"


def _advice(label: str, groups: Groups | None, *, taken: float | None, error: float) -> str:
    if taken is None:
        return f"{NARROWER}, {MORE}, or measure on a quieter machine."
    if taken >= EXPLAINS * error:
        return (
            f"{NARROWER}, measure on a quieter machine: stolen CPU time and other programs vary by {percent(taken)} of "
            "a CPU from run to run."
        )
    if groups is None:
        return f"{NARROWER}, {MORE}; {UNKNOWN}."
    runs = ", ".join(map(str, groups.upper))
    before, after = sorted((groups.upper, groups.lower))
    if before[-1] < after[0]:
        return (
            f"Look at what changed between runs {before[-1]} and {after[0]} of {label}: those before differ from those "
            f"after, and {UNEXPLAINED}. The machine may have changed, or the program."
        )
    return (
        f"Compare the files of runs {runs} of {label} with those of its others (`runs/`), as it may work in two ways: "
        f"{UNEXPLAINED}."
    )


def _taken_varies(seen: list[RunSeen]) -> float | None:
    """Return by how many CPUs the time that the hypervisor and other programs took varies; None if it is not known."""
    taken = [_taken_cpus(each) for each in seen]
    known = [each for each in taken if each is not None]
    return statistics.stdev(known) if len(known) == len(taken) > 1 else None


def _taken_cpus(run: RunSeen) -> float | None:
    used, seconds = run.cpu_s, math.fsum(each.seconds for each in run.windows)
    if used.steal is None or used.foreign is None or seconds <= 0:
        return None
    return (used.steal + used.foreign) / seconds


def _groups(whole: Whole, label: str) -> Groups | None:
    """Return the case whose runs fall in the two groups that are farthest apart; None if they do in no case."""
    cases = [*planned_cases(whole.experiment), WHOLE_RUN]
    found = [each for case in dict.fromkeys(cases) if (each := _in_case(whole, label, case))]
    if not found:
        return None
    worst = max(found, key=lambda each: each.apart)
    alike = sum(bool(each.case) for each in found) - bool(worst.case)
    parts = [each for each in dict.fromkeys(cases) if each]
    return replace(worst, case=distinct(worst.case, parts), more=alike, cases=len(parts))


def distinct(case: Case, among: Sequence[Case]) -> Case:
    """Return a case without the fields that are the same in all cases.

    >>> every = [Case({"key": key, "processes": 2}) for key in ("rsa2048", "rsa4096")]
    >>> distinct(every[0], every).text
    'key=rsa2048'
    """
    return case.only(name for name in case if len({each.levels.get(name) for each in among}) > 1) or case


def _in_case(whole: Whole, label: str, case: Case) -> Groups | None:
    experiment = whole.experiment
    key = Key(case, experiment.primary.of) if case else whole.samples.primary
    logs = {block: math.log(value) for block, value in whole.samples.of(label, key).items() if value > 0}
    upper = two_groups(logs)
    if not upper:
        return None
    lower = [block for block in logs if block not in upper]
    away = statistics.fmean(logs[each] for each in upper) - statistics.fmean(logs[each] for each in lower)
    runs = whole.samples.counted[label]
    made = [tuple(sorted(runs[each].run.run for each in blocks)) for blocks in (upper, lower)]
    return Groups(label, case, made[0], made[1], len(logs), math.expm1(away))
