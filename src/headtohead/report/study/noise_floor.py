"""The noise floor in words: how often noise alone names a winner, what can be detected above it, and its age."""

from collections.abc import Iterator, Sequence

from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.noise import NoiseFloor, changed
from headtohead.model.rules import ERROR
from headtohead.report.text.differences import variance_times
from headtohead.report.text.numbers.dates_and_durations import date
from headtohead.report.text.numbers.percents import percent, share
from headtohead.report.text.wording import listed

MOST_NAMED = 4
NONE = "Not measured: `headtohead run noise` compares equal setups."


def noise_sentences(floor: NoiseFloor | None, hosts: Sequence[HostFacts]) -> tuple[str, ...]:
    """Return sentences on the machine's noise floor; one measured before a change is marked as such."""
    return (NONE,) if floor is None else (" ".join((*floor_sentences(floor), age_sentence(floor, hosts))),)


def noise_caveat(floor: NoiseFloor | None, hosts: Sequence[HostFacts]) -> str:
    """Return the caveat for each winner: the floor was measured before a change, or names winners too often.

    Empty if neither is so; a report without a floor mentions that once, in its scope.
    """
    if floor is None:
        return ""
    others = list(changed(floor.facts, hosts))
    if others:
        return (
            f"With a caveat: this machine's noise was measured before a change of {_named(others)}, and how often its "
            "noise alone names a winner now is not known."
        )
    if floor.too_often:
        return (
            f"With a caveat: on this machine noise alone named a winner in {share(floor.false_share)} of the "
            f"comparisons of {floor.subject} with itself, more than the {share(ERROR)} that the checks allow."
        )
    return ""


def floor_sentences(floor: NoiseFloor) -> Iterator[str]:
    """Yield the findings of the replayed comparisons, a sentence each."""
    left_open = ""
    if floor.false_interval is not None:
        low, high = map(share, floor.false_interval)
        left_open = f", interval {low} to {high}"
    yield (
        f"Noise floor: of {floor.comparisons:,} comparisons of {floor.subject} with itself, replayed from {floor.runs} "
        f"runs, {floor.false_winners:,} named a winner ({share(floor.false_share)}{left_open}; {share(ERROR)} is "
        "what the checks allow)."
    )
    if floor.too_often:
        yield (
            f"That is more than chance explains (up to {floor.most_by_chance:,}): on this machine noise alone names "
            "winners too often, and its verdicts deserve doubt."
        )
    seen = [
        f"{percent(100 * (ratio - 1))} after {look} blocks"
        for look, ratio in zip(floor.looks, floor.detectable, strict=True)
    ]
    without_blocks = ""
    if floor.blocking_gain is not None:
        without_blocks = f"; without blocks the variance would be {variance_times(floor.blocking_gain)} times as large"
    yield f"The smallest difference that shows in 8 of 10 such studies is {listed(seen)}{without_blocks}."


def age_sentence(floor: NoiseFloor, hosts: Sequence[HostFacts]) -> str:
    """Return when the floor was measured, and what has changed since."""
    others = list(changed(floor.facts, hosts))
    if not others:
        return f"Measured {date(floor.began)}, with this kernel and these settings."
    return (
        f"Measured {date(floor.began)}, before a change of {_named(others)}: it does not speak for the machine as it "
        "is now. Run `headtohead run noise` again."
    )


def _named(others: Sequence[str]) -> str:
    """Return what changed, the first few by name."""
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    return f"{', '.join(others[:MOST_NAMED])}{more}"
