"""What the renderers' filters make of times that do not fit; and images that are not the reference."""

import importlib
import json
import runpy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from headtohead.describe.home import find_home

HOME = find_home()
sys.path.insert(0, str(HOME.subjects / "shared"))
pictures: Any = importlib.import_module("pictures")
sys.path.pop(0)
POVRAY, BLENDER = (HOME.subjects / name / "parse.py" for name in ("povray", "blender"))
SAID = """  Parse Time:       0 hours  0 minutes  2 seconds (2.000 seconds)
              using 1 thread(s) with 1.9 CPU-seconds total
  Bounding Time:    0 hours  0 minutes  0 seconds (0.100 seconds)
  Trace Time:       0 hours  0 minutes  6 seconds (6.000 seconds)
              using 2 thread(s) with 11.9 CPU-seconds total
"""
PASSES_ON = """
import json, runpy, sys, time

def lines():
    yield b"Parser Time\\n"
    yield b"==== [Rendering...] ====\\n"
    time.sleep(0.2)
    yield b"Render Statistics\\n"
    yield b"  Trace Time: 0 s\\n"

render = runpy.run_path(sys.argv[1] + "/render.py")
print(json.dumps(render["passed_on"](lines())))
"""
LIMITS = pictures.Tolerance(block=1.0, block_by_chance=0.0, mean=1.0, mean_by_chance=0.0)


def drawn(folder: Path, *, width: int = 50, height: int = 30) -> Path:
    """Return a frame 20 and, as the workload's reference, its own block means."""
    levels = np.arange(width * height * 3, dtype=np.uint8).reshape(height, width, 3)
    Image.fromarray(levels).save(folder / "frame-20.png")
    (folder / "answers.csv").write_text(f"key,sha256\nbuilding.pov,{'a' * 64}\n")
    (folder / "reference").mkdir()
    table = pictures.make_table([f"20={folder / 'frame-20.png'}"])
    (folder / "reference" / f"{'a' * 16}.csv").write_text(table)
    return folder


def parse(
    folder: Path, *, said: str = SAID, took_s: float = 8.5, asked: Mapping[str, int] | None = None
) -> subprocess.CompletedProcess[str]:
    words = {"frame": 20, "width": 50, "height": 30, "threads": 2, "from_ns": 0, "to_ns": round(took_s * 1e9)}
    words |= {"trace_from_ns": 2_200_000_000, "trace_to_ns": 8_240_000_000}
    words |= asked or {}
    out, err = folder / "out", folder / "err"
    out.write_text(json.dumps(words))
    err.write_text(said)
    paths = (out, err, folder, folder / "answers.csv", folder)
    argv = [sys.executable, "-I", str(POVRAY), *map(str, paths)]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_a_frame_becomes_a_record_whose_work_is_the_tracing_alone(tmp_path: Path) -> None:
    made = json.loads(parse(drawn(tmp_path)).stdout)

    assert made["answer"] == "as the reference"
    assert (made["case"], made["work"], made["elapsed_ns"]) == ({"frame": 20}, 1500, 6_000_000_000)
    assert made["metrics"] == {"parse_s": 2.1, "trace_s": 6.0, "frame_s": 8.5}
    assert (made["from_ns"], made["to_ns"]) == (2_200_000_000, 8_240_000_000)


def test_the_instants_of_tracing_are_those_of_its_two_lines() -> None:
    argv = [sys.executable, "-I", "-c", PASSES_ON, str(POVRAY.parent)]
    done = subprocess.run(argv, capture_output=True, check=True)

    seen = json.loads(done.stdout)
    assert 0.2e9 <= seen["trace_to_ns"] - seen["trace_from_ns"] < 10e9
    assert done.stderr.startswith(b"Parser Time")
    assert done.stderr.endswith(b"  Trace Time: 0 s\n")


def test_a_frame_whose_tracing_was_not_seen_gives_no_record(tmp_path: Path) -> None:
    unseen = runpy.run_path(str(POVRAY))
    out = json.dumps({"frame": 20, "width": 50, "height": 30, "threads": 2, "from_ns": 0, "to_ns": 8_500_000_000})

    with pytest.raises(unseen["ParseError"], match="when it traced"):
        unseen["record"](out, SAID, tmp_path, answers=tmp_path, workload=tmp_path)


@pytest.mark.parametrize(
    ("took_s", "asked", "says"),
    [
        (8.0, {}, "tells of 8.100 s where 8.000 s went by"),
        (60.0, {}, "tells of 8.100 s where 60.000 s went by"),
        (8.5, {"trace_to_ns": 5_000_000_000}, "a trace of 6.000 s where it was seen for 2.800 s"),
        (8.5, {"threads": 1}, "used 2 threads, not 1"),
        (8.5, {"width": 60}, "it is 50 x 30, not 60 x 30"),
        (8.5, {"frame": 21}, "frame-21.png cannot be read"),
    ],
)
def test_what_does_not_fit_is_no_right_answer(tmp_path: Path, took_s: float, asked: dict[str, int], says: str) -> None:
    assert says in json.loads(parse(drawn(tmp_path), took_s=took_s, asked=asked).stdout)["answer"]


def test_a_scene_without_a_reference_is_no_right_answer(tmp_path: Path) -> None:
    (drawn(tmp_path) / "answers.csv").write_text(f"key,sha256\nbuilding.pov,{'b' * 64}\n")

    assert "nothing to compare with" in json.loads(parse(tmp_path).stdout)["answer"]


@pytest.mark.parametrize("gone", ["Parse", "Trace"])
def test_output_without_its_times_gives_no_record(tmp_path: Path, gone: str) -> None:
    done = parse(drawn(tmp_path), said=SAID.replace(f"{gone} Time", "Some Time"))

    assert done.returncode == 1
    assert f"told no {gone} Time" in done.stderr


@pytest.mark.parametrize("gone", ["sampling", "finished", "written"])
def test_a_rendering_that_does_not_tell_an_instant_gives_no_record(gone: str) -> None:
    parsed: dict[str, Any] = runpy.run_path(str(BLENDER))
    at_ns = {name: number for number, name in enumerate(parsed["ORDER"]) if name != gone}

    with pytest.raises(parsed["ParseError"], match=gone):
        parsed["instants"]({"at_ns": at_ns})


def test_one_block_that_is_off_is_named() -> None:
    image = np.full((30, 50, 3), 100.0)
    right = pictures.block_means(image)
    image[2:4, 4:6, 0] += 9

    assert pictures.compare(image, right, tolerance=LIMITS).startswith("off the reference by 9.0 of 255 in block 3,2")


def test_a_little_everywhere_is_seen_too() -> None:
    image = np.full((30, 50, 3), 100.0)
    limits = pictures.Tolerance(block=5.0, block_by_chance=0.0, mean=1.0, mean_by_chance=0.0)

    assert pictures.compare(image + 2, pictures.block_means(image), tolerance=limits) != pictures.RIGHT
    assert pictures.compare(image + 0.5, pictures.block_means(image), tolerance=limits) == pictures.RIGHT


def test_what_is_no_png_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"GIF89a")

    with pytest.raises(pictures.PictureError, match="no PNG"):
        pictures.pixels(tmp_path / "a.png", width=1, height=1)
