"""The data set "building" is the same bytes everywhere, and counts its triangles rightly."""

import csv
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.store.fingerprint import content_sha256

HOME = find_home()
GENERATE = HOME.datasets / "building" / "generate.py"
REFERENCES = HOME.workloads / "render-architecture" / "reference"
SCALE_1 = "8c3f1779b04a9a2e"
"""How the SHA-256 of the scene of scale 1 and seed 1 begins: its reference goes by that name."""
SOURCES = "d15507b7cf312352bf7fb4b9a8581b35cf0ad97e9cad4e9ba78f9814f91ca1ba"
"""The SHA-256 of the generator with which that scene was made and checked: another one makes it anew."""


def generate(out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, str(GENERATE), *words, "--out", str(out)]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def answers(out: Path) -> dict[str, str]:
    (line,) = csv.DictReader((out / "answers.csv").read_text().splitlines())
    return line


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generate the scene that the contract test draws."""
    out = tmp_path_factory.mktemp("building")
    assert generate(out, "--scale", "0.02", "--seed", "1").returncode == 0
    return out


def test_the_whole_scene_has_600000_distinct_triangles_and_is_the_one_that_the_reference_is_of(tmp_path: Path) -> None:
    assert (REFERENCES / f"{SCALE_1}.csv").is_file()
    if (made_by := content_sha256(GENERATE.parent)) == SOURCES:
        return
    assert generate(tmp_path, "--scale", "1", "--seed", "1").returncode == 0

    assert answers(tmp_path)["sha256"].startswith(SCALE_1)
    assert int(answers(tmp_path)["triangles"]) >= 600_000
    assert made_by == SOURCES, "all is as it was: write this sum in place of the other"


def test_what_answers_csv_says_is_what_the_scene_holds(small: Path) -> None:
    told, content = answers(small), (small / "building.pov").read_bytes()

    assert told["length_bytes"] == str(len(content))
    assert told["sha256"] == hashlib.sha256(content).hexdigest()
    assert (REFERENCES / f"{told['sha256'][:16]}.csv").is_file()


def test_the_triangles_are_counted_rightly(small: Path) -> None:
    text = (small / "building.pov").read_text()
    bodies = re.findall(r"(?:Part_(\w+) = )?mesh2 \{\n(.*?)face_indices \{ (\d+),\n(.*?)\}", text, re.DOTALL)
    held = {name or number: faces.count("<") for number, (name, _, _, faces) in enumerate(bodies)}
    placed = {name: text.count(f"object {{ Part_{name} ") for name in held}

    assert all(int(count) == faces.count("<") for _, _, count, faces in bodies)
    assert int(answers(small)["triangles"]) == sum(held.values())
    shown = sum(faces * (placed[name] if isinstance(name, str) else 1) for name, faces in held.items())
    assert int(answers(small)["triangles_with_instances"]) == shown


def test_every_face_names_vertices_that_are_there(small: Path) -> None:
    text = (small / "building.pov").read_text()
    found = re.findall(r"vertex_vectors \{ (\d+),\n(.*?)\} face_indices \{ \d+,\n(.*?)\}", text, re.DOTALL)

    assert len(found) == 13
    for count, vertices, faces in found:
        assert vertices.count("<") == int(count)
        assert max(map(int, re.findall(r"\d+", faces))) == int(count) - 1


def test_seven_lights_and_fog_are_there(small: Path) -> None:
    text = (small / "building.pov").read_text()

    assert text.count("light_source") == 7
    assert text.count("fog {") == 2
    assert "area_light" not in text


def test_another_seed_is_another_scene(small: Path, tmp_path: Path) -> None:
    assert generate(tmp_path, "--scale", "0.02", "--seed", "2").returncode == 0

    assert answers(tmp_path)["sha256"] != answers(small)["sha256"]


@pytest.mark.parametrize("words", [("--scale", "0"), ("--scale", "11"), ("--scale", "nan"), ("--seed", "x")])
def test_wrong_words_are_refused_with_the_reason(words: tuple[str, str], tmp_path: Path) -> None:
    done = generate(tmp_path / "out", *words)

    assert done.returncode == 2
    assert words[0] in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_is_left_alone(small: Path) -> None:
    done = generate(small, "--scale", "0.02")

    assert done.returncode == 2
    assert "is not empty" in done.stderr
