"""Two servers with the same mean logarithm, of which one now and then stalls, or is skewed, or has two speeds.

A study stops as a real one does, by the functions that judge it. With several arms, each is compared with the first.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from headtohead.analyze.statistics.between_runs.equal_spread import unlike_spreads_p
from headtohead.analyze.statistics.skewed_interval import UNLIKE, reach
from headtohead.analyze.statistics.verdict import Ruling, ruling_on
from headtohead.analyze.verdicts.when_to_stop import look_reached
from headtohead.analyze.verdicts.winner import unlike_below, verdict_of
from headtohead.describe.race.race import LOOKS_WITHIN_A_BUDGET
from headtohead.model.rules import ADDED_ERROR
from headtohead.plan.interim_analyses import alpha_per_look

Floats = NDArray[np.float64]
Analyzed = tuple[list[list[float]], list[list[list[float]]], list[list[bool]]]
"""Of each study and arm: the center, how far its interval reaches, whether it varies unlike the first."""
Arm = Callable[[np.random.Generator, tuple[int, ...]], Floats]

QUIET, LONGEST, LONG, MIDDLE, SHORT = 0.01, LOOKS_WITHIN_A_BUDGET, (6, 10, 16, 24), (6, 10, 16), (6, 10)
MARGIN = 1.03
BLOCK = 0.03
"""The standard deviation of a block, common to its arms."""


def steady(chance: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Return runs that vary by 1 %."""
    return QUIET * chance.standard_normal(shape)


def noisy(chance: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Return runs of which the difference of two varies by 5 %."""
    return 0.05 / math.sqrt(2) * chance.standard_normal(shape)


def stalling(lost: float, share: float) -> Arm:
    """Return an arm of which this share of the runs loses this much."""

    def arm(chance: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        stalls = chance.random(shape) < share
        return np.asarray(lost * (share - stalls) + QUIET * chance.standard_normal(shape))

    return arm


def stalling_at_random(chance: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """15 % of the runs lose 12 % on average, exponentially distributed."""
    stalls = chance.exponential(0.12, shape) * (chance.random(shape) < 0.15)
    return np.asarray(0.15 * 0.12 - stalls + QUIET * chance.standard_normal(shape))


def skewed(scale: float) -> Arm:
    """Return an arm whose losses are lognormal with a shape of 1, times this scale."""

    def arm(chance: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        lost = scale * (np.exp(chance.standard_normal(shape)) - math.exp(0.5))
        return np.asarray(QUIET * chance.standard_normal(shape) - lost)

    return arm


SHAPES: dict[str, tuple[Arm, Arm]] = {
    "both steady": (steady, steady),
    "both noisy (5 %)": (noisy, noisy),
    "one noisy": (steady, noisy),
    "stalls of 12 % in 15 % of runs": (steady, stalling(0.12, 0.15)),
    "stalls of 12 % in 5 % of runs": (steady, stalling(0.12, 0.05)),
    "stalls of 12 % on average, exponential": (steady, stalling_at_random),
    "two speeds 10 % apart, 30 % slow": (steady, stalling(0.10, 0.30)),
    "skewed by 5 %": (steady, skewed(0.05)),
    "skewed by 2 %": (steady, skewed(0.02)),
    "stalls of 20 % in 15 % of runs": (steady, stalling(0.20, 0.15)),
    "both stall": (stalling(0.12, 0.15), stalling(0.12, 0.15)),
}


@dataclass(frozen=True)
class Found:
    """Shares of the studies: some winner named, every quoted interval holds the truth; and the mean of blocks.

    ``named`` is of each study whether it names a winner.
    """

    winners: float
    covered: float
    blocks: float
    named: tuple[bool, ...]


def ended(
    shape: tuple[Arm, Arm],
    *,
    size: int,
    seed: int,
    looks: tuple[int, ...] = LONG,
    truth: float = 0.0,
    others: int = 1,
    careful: bool = True,
    levels: Sequence[float] = (),
    frozen: bool = False,
    margin: float = MARGIN,
) -> Found:
    """Return how studies end if the other arms are this much faster (a log); ``careful`` False is the rule before.

    ``levels`` are the errors at the looks, if not those of a plan. ``frozen``: each comparison keeps its first verdict.
    With a ``margin`` of 1 no difference is too small to matter: a study then stops only where an interval excludes 1.
    """
    chance = np.random.default_rng(seed)
    blocks = BLOCK * chance.standard_normal((size, 1, looks[-1]))
    first = shape[0](chance, (size, 1, looks[-1])) + blocks
    second = shape[1](chance, (size, others, looks[-1])) + blocks + truth
    levels = [alpha / others for alpha in levels or alpha_per_look(looks)]
    at = []
    for look, alpha in zip(looks, levels, strict=True):
        p = unlike_spreads_p(np.broadcast_to(first, second.shape)[:, :, :look], second[:, :, :look])
        told = reach((second - first)[:, :, :look], alpha=alpha, unlike=careful & (p < UNLIKE))
        half = np.stack([told.below, told.above], axis=-1)
        unlike = p < unlike_below(others)
        at.append((told.center.tolist(), half.tolist(), unlike.tolist()))

    def rule(center: float, half: Sequence[float], *, n: int, unlike: bool) -> Ruling:
        below, above = half
        if not careful:
            return ruling_on(math.exp(center - below), math.exp(center + above), matters=margin, better="higher")
        return verdict_of(
            center, (below, above), n=n, matters=margin, better="higher", unlike=unlike, comparisons=others
        )

    held, named = 0, list[bool]()
    lengths = []
    for study in range(size):
        verdicts = [
            [
                rule(center[study][arm], half[study][arm], n=look, unlike=unlike[study][arm]).verdict
                for arm in range(others)
            ]
            for look, (center, half, unlike) in zip(looks, at, strict=True)
        ]
        places = [_place(verdicts, arm, looks=looks) for arm in range(others)]
        if not frozen:
            places = [_place(verdicts, None, looks=looks)] * others
        named.append(any(verdicts[place][arm] in ("better", "worse") for arm, place in enumerate(places)))
        held += all(_holds(at[place], study, arm, truth=truth) for arm, place in enumerate(places))
        lengths.append(looks[max(places)])
    return Found(sum(named) / size, held / size, float(np.mean(lengths)), tuple(named))


class Added(TypedDict):
    """Interim analyses with their levels, of which the last ones were not planned."""

    looks: tuple[int, ...]
    levels: tuple[float, ...]


def added(looks: tuple[int, ...], *, times: int = 3, blocks: int = 4) -> Added:
    """Return what becomes of planned interim analyses if somebody adds blocks whenever a verdict is missing."""
    last = looks[-1]
    more = tuple(last + blocks * (each + 1) for each in range(times))
    levels = tuple(ADDED_ERROR / 2**each for each in range(times))
    return {"looks": (*looks, *more), "levels": (*alpha_per_look(looks), *levels)}


def _holds(at: Analyzed, study: int, arm: int, *, truth: float) -> bool:
    """Return whether the interval of an arm holds the truth."""
    below, above = at[1][study][arm]
    return -below <= truth - at[0][study][arm] <= above


def _place(verdicts: Sequence[Sequence[str]], arm: int | None, *, looks: tuple[int, ...]) -> int:
    """Return the place of the look at which an arm, or each of them, is decided; the last one if none is."""
    decided = ["inconclusive" not in (each if arm is None else each[arm : arm + 1]) for each in verdicts]
    place, _ = look_reached(looks, done=looks[-1], decided_at=decided.__getitem__)
    return len(looks) - 1 if place is None else place
