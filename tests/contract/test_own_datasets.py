"""A generator of one's own is run under supervise, for real; reading a study never runs it."""

from pathlib import Path

import pytest

from headtohead.cli.this_machine import environment_here
from headtohead.execute.data.datasets import data_set, stated_bytes
from headtohead.model.errors import SubjectError
from headtohead.model.study.workload import DataSet
from tests.contract.leftovers import left_by_us, nothing

GENERATOR = """import argparse, pathlib
BYTES_AT_SCALE_1 = 1000
try:
    pathlib.Path("SEEN").write_text("it ran")
except OSError:
    pass
words = argparse.ArgumentParser()
words.add_argument("--scale", type=float)
words.add_argument("--seed", type=int)
words.add_argument("--out", type=pathlib.Path)
asked = words.parse_args()
(asked.out / "page.txt").write_text("x" * int(1000 * asked.scale))
"""
DATA = DataSet("mine", 0.5, 1, "kept", own=True)


def generator(folder: Path, text: str = GENERATOR) -> dict[str, Path]:
    (folder / "mine").mkdir()
    (folder / "mine" / "generate.py").write_text(text.replace("SEEN", str(folder / "seen")))
    return {"mine": folder / "mine"}


def test_the_size_is_read_without_running_the_generator(tmp_path: Path) -> None:
    assert stated_bytes(generator(tmp_path), DATA) == 500
    assert stated_bytes({"mine": tmp_path / "mine"}, DataSet("mine", 2, 1, "kept")) == 2000
    assert not (tmp_path / "seen").exists()


@pytest.mark.real
def test_the_generator_writes_into_its_folder_alone(tmp_path: Path) -> None:
    made = data_set(environment_here(), generator(tmp_path), DATA)

    assert [(each.name, each.read_text()) for each in made.iterdir()] == [("page.txt", "x" * 500)]
    assert not (tmp_path / "seen").exists()
    assert left_by_us() == nothing()


@pytest.mark.real
@pytest.mark.parametrize(
    "made", ['symlink_to("/etc/shadow")', "mkdir() or __import__('os').mkfifo(asked.out / 'secret' / 'x')"]
)
def test_a_generator_that_leaves_a_link_or_a_pipe_is_refused(tmp_path: Path, *, made: str) -> None:
    with pytest.raises(SubjectError, match="data set mine cannot be used") as caught:
        data_set(environment_here(), generator(tmp_path, f"{GENERATOR}(asked.out / 'secret').{made}\n"), DATA)

    assert "secret" in caught.value.why


@pytest.mark.real
def test_a_generator_that_fails_is_named_with_its_error(tmp_path: Path) -> None:
    with pytest.raises(SubjectError, match="data set mine was not generated") as caught:
        data_set(environment_here(), generator(tmp_path, "raise SystemExit('no such table')"), DATA)

    assert "no such table" in caught.value.why
