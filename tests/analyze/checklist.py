"""The checklist of METHOD.md section 9, whole: each of its thirty rules, what enforces it, and a violation of it.

docs/explanation/checklist.md says the same to readers; test_crimes.py holds the two together.
"""

from dataclasses import dataclass
from enum import StrEnum

from tests.analyze import seeding, seeds
from tests.analyze.seeds import Seed


class Enforced(StrEnum):
    """How a rule is enforced, in the words of the page."""

    FORBIDS = "no verdict"
    """A finding of the experiment forbids the verdict; ``by`` is its id."""
    DOUBT = "doubt"
    """A finding weakens the claim; ``by`` is its id."""
    NOTE = "note"
    """A finding informs; ``by`` is its id."""
    EXCLUDES = "runs excluded"
    """A finding of a run leaves it out; ``by`` is its id."""
    VERDICT = "the verdict's own rule"
    """The comparison itself gives no verdict; ``by`` is part of its reason."""
    SHOWN = "always shown"
    """It stands in every report; ``by`` is a pattern of its text."""
    REFUSED = "refused"
    """`headtohead check` refuses the words; ``by`` is part of the error."""
    NOT = "not enforced"
    """Nothing that a tool sees tells it; the page says why."""


@dataclass(frozen=True)
class Entry:
    """A rule by its number in METHOD.md section 9, how and by what it is enforced, and what makes a violation of it."""

    rule: int
    how: Enforced
    by: str = ""
    seed: Seed | None = None

    def __str__(self) -> str:
        """Return how tests name it."""
        return f"{self.rule}-{self.by or self.how}"


CHECKLIST = (
    Entry(1, Enforced.FORBIDS, "subset", seeds.subset),
    Entry(2, Enforced.DOUBT, "worse-elsewhere", seeds.hidden_loser),
    Entry(2, Enforced.SHOWN, r"(?m)^\| wavelet \|[^|]*worst", seeds.hidden_loser),
    Entry(3, Enforced.DOUBT, "these-alone", seeds.not_overall),
    Entry(4, Enforced.DOUBT, "unsaturated", seeds.idle),
    Entry(5, Enforced.SHOWN, r"apache is 2(\.0+)?x as fast as nginx web server", seeds.halved),
    Entry(6, Enforced.VERDICT, "a verdict needs 6 blocks", seeds.too_few_runs),
    Entry(7, Enforced.REFUSED, "an arithmetic mean over kernel"),
    Entry(8, Enforced.NOT),
    Entry(9, Enforced.DOUBT, "version-unknown", seeds.nameless),
    Entry(10, Enforced.DOUBT, "tuned-unlike", seeds.tuned),
    Entry(11, Enforced.FORBIDS, "unlike-service", seeds.connections),
    Entry(11, Enforced.FORBIDS, "unlike-service", seeds.durability),
    Entry(11, Enforced.FORBIDS, "unlike-answers", seeds.other_pages),
    Entry(12, Enforced.EXCLUDES, "wrong-answer", seeds.wrong),
    Entry(13, Enforced.FORBIDS, "cold-and-warm", seeds.cold),
    Entry(14, Enforced.NOTE, "start-apart", seeds.slow_start),
    Entry(15, Enforced.FORBIDS, "builds-differ", seeds.builds),
    Entry(15, Enforced.FORBIDS, "debug-build", seeds.debug),
    Entry(15, Enforced.FORBIDS, "versions-differ", seeds.updated),
    Entry(16, Enforced.FORBIDS, "machine-untold", seeds.machine),
    Entry(17, Enforced.SHOWN, r"\| 1,000 [^|]*\| 2,000 ", seeding.page),
    Entry(18, Enforced.DOUBT, "cases-missing", seeds.lacking),
    Entry(19, Enforced.DOUBT, "same-order", seeds.one_order),
    Entry(20, Enforced.VERDICT, "blocks are lost", seeds.lost),
    Entry(20, Enforced.FORBIDS, "lopsided", seeds.lopsided),
    Entry(20, Enforced.FORBIDS, "zero-value", seeds.zero),
    Entry(21, Enforced.FORBIDS, "loose-error", seeds.loose),
    Entry(21, Enforced.VERDICT, "a verdict needs 6 blocks", seeds.peeked),
    Entry(22, Enforced.FORBIDS, "saturated-times", seeds.saturated),
    Entry(23, Enforced.EXCLUDES, "client-limited", seeds.client_limited),
    Entry(24, Enforced.FORBIDS, "timeouts-dropped", seeds.dropped),
    Entry(25, Enforced.DOUBT, "too-short", seeds.short),
    Entry(25, Enforced.DOUBT, "not-settled", seeds.settling),
    Entry(26, Enforced.FORBIDS, "environment-differs", seeds.surroundings),
    Entry(26, Enforced.FORBIDS, "other-cpus", seeds.elsewhere),
    Entry(27, Enforced.SHOWN, "Only [^.]* CPUs? were measured", seeds.two_cpus),
    Entry(28, Enforced.NOT),
    Entry(29, Enforced.FORBIDS, "few-beyond", seeds.few_beyond),
    Entry(30, Enforced.SHOWN, "over the loopback", seeding.page),
)


def of(*how: Enforced) -> list[Entry]:
    """Return the entries that are enforced in one of these ways."""
    return [each for each in CHECKLIST if each.how in how]
