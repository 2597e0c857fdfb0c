"""Whether the plan was followed: error, order, interim analyses, excluded runs."""

import math
from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.input_of_findings import SURE, Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.samples import complete_blocks
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord


def loose_error(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison with more error at an interim analysis than all of them may spend."""
    for each in whole.experiment.comparisons:
        most = max(each.alpha, default=0.0)
        if most > rules.ERROR:
            yield Finding(
                id="loose-error",
                severity=Severity.INVALID,
                says=f"The plan allows {100 * most:.2g} % error in one interim analysis of {each.other} against "
                f"{each.baseline}, "
                f"with {len(whole.experiment.looks)} interim analyses and {100 * rules.ERROR:g} % for all of them.",
                advice="Let `headtohead run` make the plan: the primary summary, interim analyses and error are "
                "fixed before the first run.",
                evidence={"alpha": most, "limit_alpha": rules.ERROR, "looks": len(whole.experiment.looks)},
                of=(each.baseline, each.other),
            )


def same_order(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if every block ran in the same order, which chance does in less than 1 of 100."""
    orders = [
        tuple(sorted(labels, key=lambda label: labels[label][0].run.place))
        for labels in complete_blocks.by_block(whole.experiment, whole.runs).values()
        if len(labels) == len(whole.experiment.treatments)
    ]
    if len(set(orders)) != 1 or len(orders[0]) < 2:
        return
    likely = math.exp((1 - len(orders)) * math.lgamma(len(orders[0]) + 1))
    if likely < SURE:
        yield Finding(
            id="same-order",
            severity=Severity.DOUBT,
            says=f"All {len(orders)} blocks ran in the same order, {', then '.join(orders[0])}: a change within a "
            "block cannot be distinguished from a difference between the treatments.",
            advice="Measure again in random order, as `headtohead run` does.",
            evidence={"blocks": len(orders), "by_chance": likely},
        )


SLACK = 1.05
"""A driver's clock and the machine's may differ, but not by this factor."""


def more_than_passed(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt if the cases of some runs take longer than these runs lasted, as recorded or as planned."""
    load = whole.experiment.load
    if load.loop == "batch" or load.searches:
        return
    planned_s = 0.0 if load.settings.get("requests") else load.measure_s
    over = []
    for seen in whole.seen:
        lengths_s = [each.record.elapsed_ns / 1e9 for each in seen.cases if isinstance(each.record, LoadRecord)]
        needed_s = max(math.fsum(lengths_s), planned_s * len(lengths_s))
        lasted_s = seen.run.phases[-1].to_ns / 1e9 if seen.run.phases else math.inf
        if needed_s > SLACK * lasted_s:
            over.append((seen.run.run, len(lengths_s), needed_s, lasted_s))
    if over:
        run, cases, needed_s, lasted_s = over[0]
        yield Finding(
            id="more-than-passed",
            severity=Severity.DOUBT,
            says=f"In {len(over)} of {len(whole.seen)} runs the cases take longer than the run lasted: in run {run}, "
            f"{cases} cases take {needed_s:.3g} s, and it lasted {lasted_s:.3g} s. Such values were not measured.",
            advice="Ask where these values come from: they were made up, or changed.",
            evidence={"runs": len(over), "needed_s": needed_s, "lasted_s": lasted_s},
        )


def looks_cut(whole: Whole) -> Iterator[Finding]:
    """Yield a note if the time limit ended the experiment undecided."""
    if whole.stopped == "out-of-time":
        done = len({block for by_block in whole.samples.counted.values() for block in by_block})
        planned = whole.experiment.looks[-1]
        yield Finding(
            id="looks-cut",
            severity=Severity.NOTE,
            says=f"The time limit ended this experiment after {done} of up to {planned} blocks, before it was decided.",
            advice="Raise within_min for a narrower interval.",
            evidence={"blocks": done, "planned_blocks": planned},
        )


def invalid_share(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if more than a fifth of the runs are invalid or failed, with the most frequent reason."""
    bad = [each.run for each in whole.runs if each.run.status != "valid"]
    if not whole.runs or len(bad) <= rules.MANY_INVALID.limit * len(whole.runs):
        return
    share = len(bad) / len(whole.runs)
    ids = [reason.split(":")[0] for run in bad for reason in dict.fromkeys(run.reasons)]
    often = max(dict.fromkeys(ids), key=ids.count, default="unknown")
    yield Finding(
        id=rules.MANY_INVALID.id,
        severity=rules.MANY_INVALID.then,
        says=f"{len(bad)} of {len(whole.runs)} runs ({percent(share)}) do not count, most often for this reason: "
        f"{rules.CAUSES.get(often, often)}.",
        advice="Change the machine (`headtohead host`) or the load, and run the study again.",
        evidence={
            "invalid_share": share,
            "limit_share": rules.MANY_INVALID.limit,
            "runs": len(bad),
            "most_often": often,
        },
    )


LEAST = 4
"""With fewer excluded runs, chance is as uneven."""
TIMES = 2
"""The worst treatment may have at most this many times as many as the best."""
RARE = 0.05
"""Below this probability, chance alone does not explain the difference (METHOD.md 12)."""


def lopsided(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if one treatment has over twice as many excluded runs as another, at least 4 in all.

    Between the treatments of a comparison it is invalid if chance does not explain it.
    """
    discarded = {each.label: 0 for each in whole.experiment.treatments if not each.floor}
    for each in whole.runs:
        if each.run.status == "invalid" and each.run.label in discarded:
            discarded[each.run.label] += 1
    certain = list(_certain(whole, discarded))
    yield from certain
    if certain or len(discarded) < 2 or sum(discarded.values()) < LEAST:
        return
    most, least = max(discarded, key=lambda label: discarded[label]), min(discarded, key=lambda label: discarded[label])
    if discarded[most] > TIMES * discarded[least]:
        yield _finding(discarded, most, least, severity=Severity.DOUBT)


def _certain(whole: Whole, discarded: Mapping[str, int]) -> Iterator[Finding]:
    """Yield what chance does not explain: between treatments of a comparison, the error shared among comparisons."""
    for comparison, _, _ in whole.pairs():
        pair = (comparison.baseline, comparison.other)
        if not set(pair) <= discarded.keys():
            continue
        most, least = max(pair, key=lambda label: discarded[label]), min(pair, key=lambda label: discarded[label])
        if discarded[most] > TIMES * discarded[least]:
            p = by_chance(discarded[most], discarded[least])
            if p < RARE / len(whole.experiment.comparisons):
                yield _finding(discarded, most, least, severity=Severity.INVALID)


def by_chance(more: int, fewer: int) -> float:
    """Return the probability of at least this difference if both are equally likely (exact, two-sided).

    >>> by_chance(6, 0), by_chance(4, 0)
    (0.03125, 0.125)
    """
    n = more + fewer
    ways: int = sum(math.comb(n, k) for k in range(fewer + 1))
    return min(1.0, 2.0 * ways / math.pow(2, n))


def _finding(discarded: Mapping[str, int], most: str, least: str, *, severity: Severity) -> Finding:
    return Finding(
        id="lopsided",
        severity=severity,
        says=f"{discarded[most]} runs of {most} were discarded, but {discarded[least]} of {least}: the rules do not "
        "look at results, but the cause may belong to one treatment.",
        advice="Look at why runs were discarded; if the subject itself is the cause, change the load.",
        evidence={"most": discarded[most], "least": discarded[least], "treatment": most},
        of=(most, least),
    )
