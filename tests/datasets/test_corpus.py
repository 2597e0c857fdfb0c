"""The data set "corpus" is the same bytes everywhere, and knows what is right to print of it."""

import csv
import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from headtohead.store.fingerprint import folder_sha256

GENERATE = Path(__file__).parents[2] / "datasets" / "corpus" / "generate.py"
FILES = {"text.txt", "log.txt", "program.c", "film.yuv", "sales.sql"}
PRINTED = {"gawk", "gcc", "perl", "python3", "sort", "sqlite3"}
BYTES_OF_SEED_1 = "600856d495e9d299338ef1e2d457762136e66c366edc772c4bb5a4460efed659"


def generate(out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, str(GENERATE), *words, "--out", str(out)]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpus")
    assert generate(out, "--scale", "0.01", "--seed", "1").returncode == 0
    return out


def test_a_seed_gives_the_same_bytes_on_every_machine(corpus: Path) -> None:
    assert folder_sha256(corpus) == BYTES_OF_SEED_1


def test_another_seed_gives_other_bytes_of_every_file(corpus: Path, tmp_path: Path) -> None:
    assert generate(tmp_path, "--scale", "0.01", "--seed", "2").returncode == 0
    for name in FILES:
        assert (tmp_path / name).read_bytes() != (corpus / name).read_bytes()


def test_the_answers_tell_length_and_checksum_of_every_file_and_of_every_output(corpus: Path) -> None:
    with (corpus / "answers.csv").open(newline="") as file:
        answers = {row.pop("key"): row for row in csv.DictReader(file)}
    assert answers.keys() == FILES | PRINTED
    for name in FILES:
        content = (corpus / name).read_bytes()
        told = {"length_bytes": str(len(content)), "sha256": hashlib.sha256(content).hexdigest()}
        assert answers[name] == told
    assert all(int(row["length_bytes"]) > 0 for row in answers.values())


def test_the_film_has_whole_frames(corpus: Path) -> None:
    assert (corpus / "film.yuv").stat().st_size % (320 * 192 * 3 // 2) == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [(("--scale", "0"), "--scale is above 0"), (("--scale", "21"), "--scale is above 0"), ((), "is not empty")],
)
def test_wrong_words_write_nothing(tmp_path: Path, *, words: tuple[str, ...], says: str) -> None:
    (tmp_path / "mine").touch()
    done = generate(tmp_path, *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["mine"]
