import numpy as np
import pytest

from headtohead.analyze.statistics.max_t import LEAST_BLOCKS, enough, largest_t, shared
from headtohead.analyze.statistics.paired import Floats, t_quantile
from headtohead.model.rules import ERROR

REPLICATES = 1000
AT_MOST = 0.065


def noise(chance: np.random.Generator, *, metrics: int, blocks: int, alike: float) -> Floats:
    """Return log ratios of equal arms; ``alike`` is what two metrics have in common (0 nothing, 1 everything)."""
    common = chance.standard_normal(blocks)
    return np.asarray(0.05 * (np.sqrt(alike) * common + np.sqrt(1 - alike) * chance.standard_normal((metrics, blocks))))


def test_of_one_metric_it_is_students_t() -> None:
    logs = noise(np.random.default_rng(3), metrics=1, blocks=16, alike=0.0)
    assert largest_t(logs, alpha=0.05) == pytest.approx(t_quantile(0.975, 15), rel=0.05)


def test_metrics_that_say_the_same_cost_nothing() -> None:
    one = noise(np.random.default_rng(5), metrics=1, blocks=16, alike=0.0)
    assert largest_t(np.repeat(one, 9, axis=0), alpha=0.05) == largest_t(one, alpha=0.05)


def test_it_is_narrower_than_sharing_alpha_out_where_metrics_have_much_in_common() -> None:
    logs = noise(np.random.default_rng(7), metrics=20, blocks=16, alike=0.9)
    assert largest_t(logs, alpha=0.05) < 0.85 * t_quantile(1 - 0.05 / 40, 15)


def test_a_metric_without_spread_harms_nobody() -> None:
    logs = noise(np.random.default_rng(9), metrics=3, blocks=12, alike=0.5)
    flat = np.vstack([logs, np.zeros(12)])
    assert largest_t(flat, alpha=0.05) == largest_t(logs, alpha=0.05)


@pytest.mark.parametrize("blocks", [12, 24])
@pytest.mark.parametrize(("metrics", "alike"), [(5, 0.0), (5, 0.9), (20, 0.5)])
def test_a_family_of_equal_metrics_has_a_false_winner_in_few_studies(blocks: int, metrics: int, alike: float) -> None:
    chance = np.random.default_rng(20261122)
    false = 0
    for _ in range(REPLICATES):
        logs = noise(chance, metrics=metrics, blocks=blocks, alike=alike)
        reach = largest_t(logs, alpha=ERROR, flips=1000)
        false += bool(np.any(np.abs(logs.mean(axis=1)) > reach * logs.std(axis=1, ddof=1) / np.sqrt(blocks)))
    assert false / REPLICATES <= AT_MOST


def test_below_twelve_blocks_each_interval_has_its_share_of_the_error() -> None:
    logs = list(noise(np.random.default_rng(11), metrics=4, blocks=LEAST_BLOCKS - 1, alike=0.5))
    assert [each.interval.confidence for each in shared(logs, alpha=0.028) if each.interval] == pytest.approx(
        [1 - 0.028 / 4] * 4
    )


def test_from_twelve_blocks_on_their_confidence_is_that_of_all_together() -> None:
    logs = list(noise(np.random.default_rng(11), metrics=4, blocks=LEAST_BLOCKS, alike=0.5))
    assert [each.interval.confidence for each in shared(logs, alpha=ERROR) if each.interval] == pytest.approx(
        [1 - ERROR] * 4
    )


def test_where_too_few_flips_lie_so_far_out_each_interval_has_its_share() -> None:
    logs = list(noise(np.random.default_rng(11), metrics=4, blocks=12, alike=0.5))
    assert enough(12, alpha=0.0272)
    assert not enough(12, alpha=0.0272 / 3)
    told = shared(logs, alpha=0.0272 / 3)
    assert [each.interval.confidence for each in told if each.interval] == pytest.approx([1 - 0.0272 / 12] * 4)


@pytest.mark.parametrize("metrics", [4, 16])
def test_of_metrics_that_have_nothing_in_common_it_is_sidaks(metrics: int) -> None:
    """Of independent t statistics the largest stays within the quantile at (1 - alpha)^(1 / K) of each."""
    each = (1 - 0.05) ** (1 / metrics)
    chance = np.random.default_rng(13)
    found = [largest_t(noise(chance, metrics=metrics, blocks=24, alike=0.0), alpha=0.05) for _ in range(10)]
    assert np.mean(found) == pytest.approx(t_quantile((1 + each) / 2, 23), rel=0.06)
