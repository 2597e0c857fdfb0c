"""`headtohead history --verify` for real: a slower version is found in a history, and raced again."""

import shutil
from pathlib import Path

import pytest

from tests.end_to_end.command import headtohead
from tests.end_to_end.racing import PYTHON, SERVER

SESSIONS = 7
"""Of each version; changes are looked for from 12 sessions on."""
SHORT = ("--get", "/health", "--measure", "0.4s", "--budget")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user"),
]


def serve(build: str, work: int) -> str:
    return f"{PYTHON} {build}/server.py --port @port@ --work {work}"


def test_a_slower_version_is_found_and_raced_again(tmp_path_factory: pytest.TempPathFactory, lane: Path) -> None:
    place = tmp_path_factory.mktemp("history")
    place.chmod(0o755)
    for build in ("ref", "old", "new"):
        (place / build).mkdir()
        shutil.copy(SERVER, place / build / "server.py")
    # One version against itself has its six blocks and no more. What differs goes on until that shows, and differs so
    # much, about 12-fold, that other tests beside it do not hide it.
    for build, work, budget in (("old", 4, "1s"), ("new", 64, "5min")):
        line = ("--name", "reference", "--serve", serve("ref", 4), "--name", "today", "--serve", serve(build, work))
        done = headtohead("race", *line, *SHORT, budget, "--results", place / build, cwd=place, lane=lane, lenient=True)
        assert done.returncode == 0, done.stderr
        (made,) = (place / build).glob("*-race")
        for number in range(SESSIONS):  # sessions of nights: one, many times
            shutil.copytree(made, place / "nights" / f"{'ab'[build == 'new']}-{number}")

    found = headtohead("history", "nights", cwd=place, lane=lane, lenient=True)
    assert found.returncode == 0, found.stderr
    assert "between a-6 and b-0. The same command with --verify races the two versions" in " ".join(
        found.stdout.split()
    )
    assert not (place / "nights" / "verified").exists()

    verified = headtohead("history", "nights", "--verify", cwd=place, lane=lane, lenient=True)
    assert verified.returncode == 0, verified.stderr
    assert "between a-6 and b-0: a race of the two versions has a ratio of 0." in " ".join(verified.stdout.split())
    assert "Possible change" not in verified.stdout
