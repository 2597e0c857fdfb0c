"""What the benches that kill call wrong: a run that nothing asked for; not a block that is replaced as a whole."""

import json
from pathlib import Path

import pytest

from benches.kept_runs import Tally, compare
from benches.victims import victim

Runs = list[tuple[int, int, str]]
"""The place, attempt and status of each run of one block."""


@pytest.mark.parametrize(
    ("runs", "again"),
    [
        ([(1, 1, "valid"), (2, 1, "valid")], []),
        ([(1, 1, "failed"), (2, 1, "valid"), (1, 2, "valid")], []),
        ([(1, 1, "failed"), (2, 1, "valid"), (1, 2, "invalid"), (1, 3, "valid"), (2, 3, "valid")], []),
        ([(1, 1, "valid"), (2, 1, "valid"), (2, 2, "valid")], [(1, 2, 2)]),
        ([(1, 1, "failed"), (2, 1, "valid"), (1, 2, "failed"), (1, 3, "valid")], [(1, 1, 3)]),
        ([(1, 1, "valid"), (2, 1, "valid"), (2, 3, "valid")], [(1, 2, 3)]),
        ([(1, 2, "valid"), (2, 1, "valid")], [(1, 1, 2)]),
    ],
    ids=["each once", "one repeated", "block replaced", "repeated", "replaced, only failed", "replaced", "no first"],
)
def test_a_run_is_wrong_if_nothing_asked_for_it(runs: Runs, again: list[tuple[int, int, int]], tmp_path: Path) -> None:
    one, tally = victim("floor", tmp_path, seed=1), Tally()
    for number, (place, attempt, status) in enumerate(runs, start=1):
        folder = one.results / "a" / "runs" / f"{number:04d}"
        folder.mkdir(parents=True)
        run = {"block": 1, "place": place, "attempt": attempt, "status": status}
        (folder / "run.json").write_text(json.dumps(run))

    compare(one, "KILL", tally)

    assert tally.wrong == ([f"floor, KILL: measured again, though nothing asked for it: {again}"] if again else [])
