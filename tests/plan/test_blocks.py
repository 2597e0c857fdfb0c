import hashlib
import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise, permutations, product

from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.case import WHOLE_RUN
from headtohead.plan.blocks import balanced, chance, randomized, shuffled, walk
from headtohead.store.convert import to_json
from tests.plan.machines import machine
from tests.plan.studies import experiment, factor, planned, subject

seeds = st.integers(0, 2**63 - 1)


@given(treatments=st.integers(1, 6), blocks=st.integers(1, 8), seed=seeds)
def test_every_block_holds_every_treatment_exactly_once(treatments: int, blocks: int, seed: int) -> None:
    labels = [f"t{at}" for at in range(treatments)]
    runs = randomized(labels, walk({}), blocks=blocks, rng=chance(seed, "one"))
    assert [run.block for run in runs] == sorted(run.block for run in runs)
    for block in range(1, blocks + 1):
        inside = [run for run in runs if run.block == block]
        assert sorted(run.treatment for run in inside) == sorted(labels)
        assert [run.place for run in inside] == list(range(1, treatments + 1))


@given(connections=st.sets(st.integers(1, 500), max_size=6), seed=seeds)
def test_the_cases_of_every_run_are_a_permutation(connections: set[int], seed: int) -> None:
    cases = walk({"connections": tuple(connections), "kind": ("a", "b")})
    for run in randomized(["one", "two"], cases, blocks=3, rng=chance(seed, "one")):
        assert sorted(each.text for each in run.cases) == sorted(each.text for each in cases)


@given(seed=seeds, name=st.text(max_size=20))
def test_the_same_seed_and_name_give_the_same_order(seed: int, name: str) -> None:
    things = tuple(range(20))
    assert shuffled(things, rng=chance(seed, name)) == shuffled(things, rng=chance(seed, name))


@given(seed=seeds)
def test_other_seeds_and_other_names_give_other_orders(seed: int) -> None:
    things = tuple(range(50))
    assert shuffled(things, rng=chance(seed, "one")) != shuffled(things, rng=chance(seed + 1, "one"))
    assert shuffled(things, rng=chance(seed, "one")) != shuffled(things, rng=chance(seed, "two"))


FIRST = ["B", "A", "C", "C", "B", "A"]
DIGEST = "7b0d46950c4dcfc8"
"""Made on Python 3.11; of the orders of all 30 runs and of their cases."""


def test_orders_never_change_between_versions() -> None:
    runs = randomized(["A", "B", "C"], walk({"connections": (10, 100)}), blocks=10, rng=chance(20261120, "static-page"))
    text = json.dumps([(run.treatment, [case.text for case in run.cases]) for run in runs])
    assert [run.treatment for run in runs[:6]] == FIRST
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGEST


def test_every_place_is_as_likely_for_every_treatment() -> None:
    runs = randomized(["A", "B", "C"], walk({}), blocks=3000, rng=chance(7, "one"))
    for place in (1, 2, 3):
        count = sum(run.treatment == "A" and run.place == place for run in runs)
        assert abs(count - 1000) < 5 * (3000 * 2 / 9) ** 0.5, "5 standard deviations of a binomial count"


def test_fields_that_do_not_vary_make_one_empty_case() -> None:
    assert walk({}) == (WHOLE_RUN,)


@given(treatments=st.integers(2, 9), seed=seeds)
def test_in_a_whole_square_each_treatment_comes_after_each_other_equally_often(treatments: int, seed: int) -> None:
    labels = [f"t{at}" for at in range(treatments)]
    blocks = treatments if treatments % 2 == 0 else 2 * treatments
    runs = balanced(labels, walk({}), blocks=blocks, rng=chance(seed, "one"))
    after = Counter((a.treatment, b.treatment) for a, b in pairwise(runs) if a.block == b.block)
    places = Counter((run.treatment, run.place) for run in runs)
    assert set(after) == set(permutations(labels, 2))
    assert len(set(after.values())) == len(set(places.values())) == 1
    assert len(places) == treatments**2


@given(treatments=st.integers(1, 6), blocks=st.integers(1, 14), seed=seeds)
def test_balanced_blocks_hold_every_treatment_once_at_any_number_of_blocks(
    treatments: int, blocks: int, seed: int
) -> None:
    labels = [f"t{at}" for at in range(treatments)]
    runs = balanced(labels, walk({}), blocks=blocks, rng=chance(seed, "one"))
    assert [(run.block, run.place) for run in runs] == list(product(range(1, blocks + 1), range(1, treatments + 1)))
    for block in range(1, blocks + 1):
        assert sorted(run.treatment for run in runs if run.block == block) == sorted(labels)


def test_balanced_orders_are_drawn() -> None:
    squares = [balanced("ABC", walk({}), blocks=6, rng=chance(seed, "one")) for seed in range(50)]
    assert len({tuple(run.treatment for run in runs) for runs in squares}) > 40


def test_orders_are_balanced_only_where_a_study_requests_it() -> None:
    asked = experiment(factor("cpus", 1), subjects=[subject("apache"), subject("nginx")])
    plain, even = (planned(replace(asked, orders=each), machine=machine(cores=2)) for each in ("random", "balanced"))
    assert "orders" not in json.loads(to_json(plain))
    assert json.loads(to_json(even))["orders"] == "balanced"
    assert plain.runs != even.runs
    for block in range(1, 10, 2):
        firsts = [run.treatment for run in even.runs if run.block in (block, block + 1) and run.place == 1]
        assert sorted(firsts) == ["apache", "nginx"]
