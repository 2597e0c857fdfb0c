"""How often a study of several comparisons and metrics names any winner where there is none, its looks and all.

A replicate is one study: blocks of arms in random order, the first arm the baseline of the others, each run with a
primary metric and others beside it. As in a session, the study ends at the first look at which every comparison is
decided on its primary metric, at the levels of the plan over the number of comparisons (``alpha_per_look``), and what
is exploratory is told of the blocks made until then (``shared``). Any interval that leaves 1 out, of any comparison
or metric of a family, makes the whole study a false one: that is what must stay at 6.5 %.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from headtohead.analyze.statistics import max_t
from headtohead.analyze.statistics.max_t import shared
from headtohead.analyze.statistics.paired import Floats, center_and_half_width
from headtohead.analyze.verdicts.when_to_stop import look_reached
from headtohead.analyze.verdicts.winner import verdict_of
from headtohead.model.analysis.comparison import Verdict
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.rules import ERROR
from headtohead.plan.interim_analyses import alpha_per_look

Shape = tuple[int, int, int, int]
"""Studies, metrics, blocks, and runs of a block (one an arm)."""
Noise = Callable[[np.random.Generator, Shape], Floats]

AT_MOST = 0.065
SHORT, LONG, LONGEST = (6, 10), (6, 10, 16, 24), (6, 10, 16, 24, 36, 54)
SEED = 20261122


def white(chance: np.random.Generator, shape: Shape) -> Floats:
    """Metrics that have nothing in common, 5 %."""
    return np.asarray(0.05 * chance.standard_normal(shape))


def restless(chance: np.random.Generator, shape: Shape) -> Floats:
    """Return runs of a machine that drifts by 10 %, wanders from block to block, and has a heavy lognormal tail.

    Nine tenths of the variance within a run are common to its metrics.
    """
    size, _, blocks, arms = shape
    drift = 0.10 * np.linspace(0, 1, blocks * arms).reshape(blocks, arms)
    wandering = 0.02 * chance.standard_normal((size, 1, blocks, 1)).cumsum(axis=2)
    common, own = heavy(chance, (size, 1, blocks, arms)), heavy(chance, shape)
    return np.asarray(drift + wandering + np.sqrt(0.9) * common + np.sqrt(0.1) * own)


def heavy(chance: np.random.Generator, shape: Shape) -> Floats:
    """15 % of the runs lose about 4 %, some of them 20 % and more; and white noise of 2 %."""
    lost = 0.025 * np.exp(chance.standard_normal(shape)) * (chance.random(shape) < 0.15)
    return np.asarray(0.02 * chance.standard_normal(shape) - lost)


def studies(noise: Noise, *, size: int, others: int, metrics: int, blocks: int) -> Floats:
    """Return log ratios of equal arms (study, comparison, metric, block); the order of a block is one for all metrics.

    Of several metrics the second is the first over again, as the response rate is beside the goodput of a server that
    never errs: nothing follows more closely what decides where a study ends.
    """
    chance = np.random.default_rng(SEED)
    runs = noise(chance, (size, metrics, blocks, others + 1))
    if metrics > 1:
        runs[:, 1] = runs[:, 0]
    order = chance.random((size, 1, blocks, others + 1)).argsort(axis=-1)
    arms = np.take_along_axis(runs, np.broadcast_to(order, runs.shape), axis=-1)
    return np.asarray((arms[..., 1:] - arms[..., :1]).transpose(0, 3, 1, 2))


def ended(primary: Floats, looks: tuple[int, ...], *, matters: float) -> tuple[list[int], list[bool]]:
    """Return of each study (study, comparison, block) the place of the look where it ends, and if it names a winner."""
    levels = alpha_per_look(looks)
    told = [
        verdicts(primary[:, :, :look], alpha=level / primary.shape[1], matters=matters)
        for look, level in zip(looks, levels, strict=True)
    ]
    places, named = [], []
    for study in range(len(primary)):
        decided = ["inconclusive" not in at_look[study] for at_look in told]
        place, _ = look_reached(looks, done=looks[-1], decided_at=decided.__getitem__)
        assert place is not None
        places.append(place)
        named.append(bool({"better", "worse"} & set(told[place][study])))
    return places, named


def verdicts(logs: Floats, *, alpha: float, matters: float) -> list[list[Verdict]]:
    """Return the verdicts of each study on its comparisons."""
    both = (each.tolist() for each in center_and_half_width(logs, alpha=alpha))
    return [
        [
            verdict_of(c, h, n=logs.shape[-1], matters=matters, better="higher").verdict
            for c, h in zip(*study, strict=True)
        ]
        for study in zip(*both, strict=True)
    ]


@pytest.mark.parametrize("matters", [1.0, 1.03])
@pytest.mark.parametrize(("others", "looks"), [(1, SHORT), (2, SHORT), (5, SHORT), (2, LONG), (5, LONG), (3, LONGEST)])
@pytest.mark.parametrize("noise", [white, restless])
def test_several_comparisons_name_no_winner_more_often_than_one(
    noise: Noise, others: int, looks: tuple[int, ...], matters: float
) -> None:
    logs = studies(noise, size=4000, others=others, metrics=1, blocks=looks[-1])[:, :, 0]
    assert np.mean(ended(logs, looks, matters=matters)[1]) <= AT_MOST


def test_uncorrected_comparisons_would() -> None:
    """METHOD.md section 11: six that each have the whole error name one in 21.6 % of the studies."""
    logs = studies(white, size=4000, others=6, metrics=1, blocks=SHORT[-1])[:, :, 0]
    alone = [ended(logs[:, [each]], SHORT, matters=1.0)[1] for each in range(6)]
    assert np.mean(np.any(alone, axis=0)) == pytest.approx(0.216, abs=0.03)


def false_families(
    noise: Noise, looks: tuple[int, ...], *, others: int, metrics: int, size: int, at_look: bool = True
) -> float:
    """Return in what share of studies an exploratory interval of any comparison leaves 1 out, where the study ends.

    Without ``at_look`` each comparison's share 5 %, whichever look it is.
    """
    logs = studies(noise, size=size, others=others, metrics=metrics + 1, blocks=looks[-1])
    places, _ = ended(logs[:, :, 0], looks, matters=1.0)
    levels = alpha_per_look(looks)
    false = 0
    for study, place in zip(logs, places, strict=True):
        alpha = levels[place] / others if at_look else ERROR
        rows = (list(each[1:, : looks[place]]) for each in study)
        false += any(map(leaves_out_1, (told for each in rows for told in shared(each, alpha=alpha))))
    return false / size


def leaves_out_1(ratio: Estimate) -> bool:
    return ratio.interval is not None and not ratio.interval.low <= 1 <= ratio.interval.high


@pytest.fixture
def _fewer_flips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw a thousand flips: over many studies they tell the quantile well enough; each has twenty thousand."""
    monkeypatch.setattr(max_t, "largest_t", partial(max_t.largest_t, flips=1000))


@pytest.mark.usefixtures("_fewer_flips")
@pytest.mark.parametrize(
    ("others", "metrics", "looks"),
    [(1, 1, SHORT), (1, 8, SHORT), (3, 4, SHORT), (1, 1, LONG), (1, 8, LONG), (2, 4, LONG)],
)
@pytest.mark.parametrize("noise", [white, restless])
def test_a_family_of_exploratory_ratios_has_a_false_one_in_few_studies(
    noise: Noise, others: int, metrics: int, looks: tuple[int, ...]
) -> None:
    assert false_families(noise, looks, others=others, metrics=metrics, size=1000) <= AT_MOST


@pytest.mark.usefixtures("_fewer_flips")
def test_five_percent_at_whatever_look_would_be_too_much() -> None:
    """Why the level of the look is shared out: where a study ends depends on the values themselves."""
    assert false_families(white, LONG, others=1, metrics=2, size=3000, at_look=False) > AT_MOST


def kernels(chance: np.random.Generator, *, size: int, blocks: int) -> NDArray[np.float64]:
    """Return log ratios (study, kernel, block) of 12 equal kernels, whose runs move all of them by 2 %."""
    own = 0.01 * chance.standard_normal((size, 12, blocks))
    return np.asarray(own + 0.02 * chance.standard_normal((size, 1, blocks)))


def test_a_mean_over_kernels_and_each_of_them_are_two_families() -> None:
    logs = kernels(np.random.default_rng(SEED), size=1500, blocks=SHORT[-1])
    places, named = ended(logs.mean(axis=1, keepdims=True), SHORT, matters=1.0)
    alone = [
        any(map(leaves_out_1, shared(list(each[:, : SHORT[place]]), alpha=alpha_per_look(SHORT)[place])))
        for each, place in zip(logs, places, strict=True)
    ]
    assert np.mean(named) <= AT_MOST
    assert np.mean(alone) <= AT_MOST
