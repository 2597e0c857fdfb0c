"""The data set "pages" is the same bytes everywhere, and says of itself what it holds."""

import csv
import hashlib
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

GENERATE = Path(__file__).parents[2] / "datasets" / "pages" / "generate.py"
ANSWERS_OF_SEED_1 = "78ae3fee5f98515c1c158a4460e7c8fea09a47587113814d0c7aaf48b19188e2"


def generate(out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", str(GENERATE), "--out", str(out), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pages")
    assert generate(out, "--scale", "1", "--seed", "1").returncode == 0
    return out


def test_the_article_has_the_length_of_the_old_article(pages: Path) -> None:
    assert (pages / "article.html").stat().st_size == 19251


def test_there_are_23_further_pages_from_200_bytes_to_64_kb(pages: Path) -> None:
    sizes = sorted(path.stat().st_size for path in pages.glob("page-*.html"))
    assert (len(sizes), sizes[0], sizes[-1]) == (23, 200, 65536)


def test_the_bytes_are_the_same_everywhere(pages: Path) -> None:
    assert hashlib.sha256((pages / "answers.csv").read_bytes()).hexdigest() == ANSWERS_OF_SEED_1


def test_the_answers_name_every_page_with_its_length_and_checksum(pages: Path) -> None:
    with (pages / "answers.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    told = {row["key"]: (int(row["length_bytes"]), row["sha256"]) for row in rows}
    seen = {
        path.name: (path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in pages.iterdir()
        if path.name != "answers.csv"
    }
    assert told == seen


def test_every_page_is_ascii_and_closes_what_it_opens(pages: Path) -> None:
    for path in pages.glob("*.html"):
        open_tags: list[str] = []

        class Nesting(HTMLParser):
            tags = open_tags

            def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
                self.tags.extend([] if tag == "meta" else [tag])
                assert dict(attrs).keys() <= {"lang", "charset"}

            def handle_endtag(self, tag: str) -> None:
                assert self.tags.pop() == tag

        Nesting().feed(path.read_bytes().decode("ascii"))
        assert open_tags == [], path.name


def test_another_seed_gives_other_pages_of_the_same_lengths(pages: Path, tmp_path: Path) -> None:
    assert generate(tmp_path, "--seed", "2").returncode == 0
    for path in pages.glob("*.html"):
        other = tmp_path / path.name
        assert other.stat().st_size == path.stat().st_size
        assert other.read_bytes() != path.read_bytes()


def test_a_small_scale_gives_fewer_pages_and_the_same_article(pages: Path, tmp_path: Path) -> None:
    assert generate(tmp_path, "--scale", "0.1", "--seed", "1").returncode == 0
    assert len(list(tmp_path.glob("page-*.html"))) == 2
    assert (tmp_path / "article.html").read_bytes() == (pages / "article.html").read_bytes()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep")
    done = generate(tmp_path)
    assert done.returncode == 2
    assert "is not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("scale", ["0", "-1", "1e9", "nan"])
def test_an_impossible_scale_is_refused(tmp_path: Path, scale: str) -> None:
    assert generate(tmp_path / "out", "--scale", scale).returncode == 2
    assert not (tmp_path / "out").exists()
