"""`headtohead race` for real: two servers, two programs, from one line."""

import json
import shutil
from pathlib import Path

import pytest

from tests.contract.bench import left_behind, nothing
from tests.end_to_end.command import Done, headtohead

SERVER = Path(__file__).with_name("race_server.py")
PYTHON = "/usr/bin/python3"
SHORT = ("--measure", "0.2s", "--budget", "1s")
"""Short runs, and no more blocks than the first interim analysis has."""

pytestmark = [pytest.mark.real, pytest.mark.alone]


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that every user may enter, with the server in it."""
    folder = tmp_path_factory.mktemp("race")
    folder.chmod(0o755)
    shutil.copy(SERVER, folder / "server.py")
    return folder


def race(place: Path, *words: str | Path) -> Done:
    """Race in that folder; what this machine does meanwhile discards no run."""
    return headtohead("race", *words, cwd=place, hurried=True)


def serve(*words: str) -> tuple[str, str]:
    """Return the option for the server with these words."""
    return "--serve", " ".join((PYTHON, "server.py", "--port", "@port@", *words))


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_two_servers_race_from_one_line_and_the_faster_has_the_higher_rate(place: Path) -> None:
    (place / "order.json").write_text("{}")
    sent = ("--get", "/echo", "--post", "order.json", "--header", "X-Token: abc")
    names = ("--name", "light", "--name", "heavy")
    done = race(
        place, *serve(), *serve("--work", "60"), *sent, *names, *SHORT, "--save", "bench/mine.toml", "--junit", "v.xml"
    )
    assert done.returncode == 0, done.stderr
    assert 'subject = ["light", "heavy"]' in done.stderr

    (folder,) = (place / "results").iterdir()
    analysis = json.loads((folder / "analysis.json").read_text())
    (comparison,) = analysis["experiments"][0]["comparisons"]
    assert comparison["other"] == "heavy"
    assert comparison["ratio"]["value"] < 0.5
    record = json.loads((folder / "runs" / "0001" / "records.jsonl").read_text().splitlines()[0])
    assert record["right"] > 0
    assert record["errors"] == {}, "each response to the posted file was compared"

    assert 'name="heavy against light"' in (place / "v.xml").read_text()
    checked = headtohead("check", place / "bench" / "mine.toml")
    assert checked.returncode == 0, checked.stderr
    assert left_behind() == nothing()


def test_servers_that_respond_otherwise_are_not_raced(place: Path) -> None:
    done = race(place, *serve(), *serve("--says", "other"), "--get", "/health")

    assert done.returncode == 1
    assert "the racers do not do the same work" in done.stderr
    assert not (place / "results").exists()
    assert left_behind() == nothing()


def test_two_programs_race_and_their_outputs_are_compared(place: Path) -> None:
    programs = ("--batch", "sleep 0.05", "--batch", "sleep 0.01", "--name", "long", "--name", "short")
    done = race(place, *programs, *SHORT, "--fail-if", "worse")

    assert done.returncode == 0, done.stderr
    (folder,) = (place / "results").iterdir()
    (comparison,) = json.loads((folder / "analysis.json").read_text())["experiments"][0]["comparisons"]
    assert comparison["ratio"]["value"] < 0.6

    other = race(place, "--batch", "echo a", "--batch", "echo b")
    assert other.returncode == 1
    assert "not the same bytes" in other.stderr
