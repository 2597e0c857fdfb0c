"""The sentences before the tables of several machines: what their verdicts, intervals and ranks rest on."""

from collections.abc import Iterator

from headtohead.model.analysis.systems import Basis, SystemsComparison
from headtohead.report.text.wording import listed, plural

BENCH = "a bench of several machines, which interleaves their runs, would cancel what differs between days"
AGAIN = f"{BENCH[0].upper()}{BENCH[1:]}."
ADVICE = (
    "For verdicts, measure each machine on two or more days (`--sessions`); if a setup of the study is the same in "
    f"all of them, `--relative-to` it cancels much of what days do; {BENCH}."
)
VALUES = (
    "A value is the geometric mean over the sessions of a machine, and a session that of its valid runs. Results "
    "folders of one machine and one day are one session."
)
WITHIN = (
    "How much a machine differs from one day to another is not known: these intervals are those of the runs within one "
    "session, and another day may give a ratio outside of them."
)
RANKS = (
    "The intervals of a table hold for all of its systems at once (at least 95 %), and so do the ranks: from the first "
    "to the last that a system's interval allows. Systems whose intervals overlap share a rank; which of them is ahead "
    "is not known."
)
RATIOS = (
    "A ratio is the system's value over the baseline's, with Welch's interval on the logarithms. The ratios of one "
    "experiment share 5 %."
)


def relative(treatment: str) -> str:
    """Return what a value relative to a treatment shows, and what it does not."""
    return (
        f"Values are multiples of {treatment}: each run divided by the run of {treatment} in the same block. What a "
        "day does to both cancels, and so does the speed of the machine: a verdict is about how much better than "
        f"{treatment} a setup does. It assumes that {treatment} has the same version and settings everywhere. "
        "Experiments without it are left out."
    )


def reading(found: SystemsComparison) -> Iterator[str]:
    """Yield what was used for the verdicts, and how to read the tables, a paragraph each."""
    if found.relative_to is not None:
        yield relative(found.relative_to)
    bases: set[Basis] = {each.basis for table in found.tables for each in table.standings}
    once = sorted({each.system for table in found.tables for each in table.standings if each.basis == "within-session"})
    recorded = {each.system for table in found.tables for each in table.standings if each.basis == "recorded-spread"}
    if bases == {"within-session"}:
        yield f"No verdict: each machine was measured once. {WITHIN} {ADVICE}"
    elif once:
        some = f"{len(once)} of {len(found.systems)} machines" if len(once) > 1 else once[0]
        yield f"No verdict on {some}: measured once. {WITHIN} {ADVICE}"
    if "between-sessions" in bases:
        yield "Verdicts and ranks rest on sessions: n counts days, not runs." + ("" if once else f" {AGAIN}")
    if recorded:
        yield (
            f"The verdicts on {plural(len(recorded), 'machine')} measured once rest on the spread between its sessions "
            "that `headtohead noise` recorded."
        )
    for each in found.systems:
        if each.changed:
            what = listed(list(each.changed))
            yield f"Between the sessions of {each.name} these changed, and its spread includes that: {what}."
    yield VALUES
    yield RANKS if bases - {"within-session"} else RATIOS
    if bases - {"within-session"}:
        yield RATIOS
