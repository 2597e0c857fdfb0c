"""The example for pipelines is what `make bench-ci` measures, and begins with the noise of its runner."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from benches.bench_ci import AS_IN_PIPELINES, Pair, race_argv
from headtohead.cli.commands import noise
from headtohead.store.machine_records import read_floor
from tests.analyze.suites import CPU
from tests.cli.test_noise import FLOOR
from tests.conftest import Command

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "compare-my-service.md"
PIPELINE = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^ *- (?:run: )?(headtohead .+)$", re.MULTILINE)


def section() -> str:
    return PAGE.read_text().split("## In continuous integration")[1].split("## Every night")[0]


def pipelines() -> Iterator[list[str]]:
    """Yield the lines of each pipeline that run a command, in order."""
    for block in PIPELINE.findall(section()):
        yield STEP.findall(block)


def follows(words: tuple[str, ...], argv: list[str]) -> bool:
    """Return whether words are in a command line, one after another."""
    return any(tuple(argv[at : at + len(words)]) == words for at in range(len(argv)))


def test_pipelines_race_with_the_words_of_the_bench(tmp_path: Path) -> None:
    lines = [line for line in section().splitlines() if "headtohead race --serve" in line]
    assert len(lines) == 3, "one by hand, one for each of two systems"
    assert all(follows(AS_IN_PIPELINES, shlex.split(line)) for line in lines)
    assert follows(AS_IN_PIPELINES, race_argv(tmp_path, Pair(1, 1, measure="1s")))


def test_there_is_a_pipeline_for_each_of_two_systems() -> None:
    assert [len(steps) for steps in pipelines()] == [2, 2]


@pytest.mark.parametrize("steps", list(pipelines()), ids=["GitHub Actions", "GitLab"])
def test_each_pipeline_measures_and_shows_the_noise_of_a_fresh_runner_before_it_races(
    steps: list[str], command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, race = steps
    assert race.startswith("headtohead race ")
    setup, run, shows = (shlex.split(each) for each in first.split("&&"))
    assert setup == ["headtohead", "setup", "noise", "--yes"]
    assert run == ["headtohead", "run", "noise"]

    (tmp_path / "results" / "2026-11-20-noise").mkdir(parents=True)  # what `run noise` makes
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(noise, "cache_dir", lambda: tmp_path / "cache")
    monkeypatch.setattr(noise, "_replayed", lambda *_: FLOOR)
    monkeypatch.setattr(noise, "read_facts", lambda _: CPU)
    code, out, err = command(*(word for each in shows[1:] for word in sorted(map(str, Path().glob(each))) or [each]))

    assert (code, err) == (0, "")
    assert f"{FLOOR.false_winners} named a winner" in " ".join(out.split())
    assert read_floor(tmp_path / "cache") is not None, "the report of the race has it too"
