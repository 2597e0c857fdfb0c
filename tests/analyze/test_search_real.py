"""The short form of ``make bench-search``: the real load generator searches a real server of known capacity."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from benches.bench_search import ASKED, Outcome, search
from benches.meter import wait_for_quiet
from benches.stand import LOAD, ROOT, known

KNOWN = next((ROOT / "target").glob("*/shared/h2h-known"), ROOT / "not built")
"""Where the build for the tests of Rust leaves it: no server of this kind is limited by what it costs."""

pytestmark = [
    pytest.mark.real,
    pytest.mark.alone,
    pytest.mark.skipif(not (LOAD.is_file() and KNOWN.is_file()), reason="h2h-load, h2h-known not built (make test)"),
    pytest.mark.skipif(not {0, 1} <= os.sched_getaffinity(0), reason="a CPU each for server and driver is needed"),
]


@pytest.fixture(autouse=True)
def _quiet() -> None:
    """Skip where something else runs: a server then does not get the CPU that its capacity rests on."""
    if not wait_for_quiet():
        pytest.skip("something else runs on this machine")


RATES = (2300.0, 3100.0)
"""They are searched for at the same time: a server of this kind and its driver mostly sleep. At lower rates each trial
takes longer."""


def test_the_capacity_of_a_real_token_bucket_is_found_in_few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benches.stand.KNOWN", KNOWN)
    monkeypatch.setattr("benches.bench_search.ASKED", replace(ASKED, warm_up_s=0.5, measure_s=1.0))  # half as long
    with ThreadPoolExecutor(len(RATES)) as both:
        for rate, found in zip(RATES, both.map(found_for, RATES), strict=True):
            assert [each.capacity_per_s for each in found] == pytest.approx([rate] * len(found), rel=0.1)
            assert all(each.trials <= 15 for each in found)


def found_for(rate: float) -> list[Outcome]:
    """Return what a search finds; of two more if it is far off.

    A moment without its CPU makes a server refuse a trial that it could carry. Then two more must be right.
    """
    with known("bucket", "--rate", str(rate)) as server:
        first = search(server, rate)
        if first.capacity_per_s == pytest.approx(rate, rel=0.1):
            return [first]
        return [search(server, rate) for _ in range(2)]
