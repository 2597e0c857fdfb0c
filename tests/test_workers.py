import pytest

from tests.workers import share


@pytest.mark.parametrize(("cpus", "workers"), [(4, 2), (5, 2), (8, 2), (8, 3)])
def test_workers_get_disjoint_cpus_two_at_least(cpus: int, workers: int) -> None:
    shares = [share(range(cpus), number, of=workers) for number in range(workers)]

    assert sum(map(len, shares)) == len(frozenset().union(*shares))
    assert frozenset().union(*shares) <= set(range(cpus))
    assert all(len(each) == cpus // workers >= 2 for each in shares)


@pytest.mark.parametrize(("cpus", "workers"), [(1, 2), (2, 2), (3, 2), (4, 4), (6, 4)])
def test_where_cpus_are_few_all_workers_use_them_all(cpus: int, workers: int) -> None:
    assert {share(range(cpus), number, of=workers) for number in range(workers)} == {frozenset(range(cpus))}


def test_a_worker_that_replaces_a_lost_one_gets_a_share_too() -> None:
    assert share({2, 3, 6, 7}, 2, of=2) == {2, 3}
