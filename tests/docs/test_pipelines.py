"""The example for pipelines is what `make bench-ci` measures."""

import shlex
from pathlib import Path

from benches.bench_ci import AS_IN_PIPELINES, race_argv

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "compare-my-service.md"


def follows(words: tuple[str, ...], argv: list[str]) -> bool:
    """Return whether words are in a command line, one after another."""
    return any(tuple(argv[at : at + len(words)]) == words for at in range(len(argv)))


def test_pipelines_race_with_the_words_of_the_bench(tmp_path: Path) -> None:
    section = PAGE.read_text().split("## In continuous integration")[1].split("## Every night")[0]
    lines = [line for line in section.splitlines() if "headtohead race --serve" in line]
    assert len(lines) == 3, "one by hand, one for each of two systems"
    assert all(follows(AS_IN_PIPELINES, shlex.split(line)) for line in lines)
    assert follows(AS_IN_PIPELINES, race_argv(tmp_path, (1, 1)))
