"""Write the data set "building": a house in its garden at dusk, as a scene for POV-Ray 3.7, and what it holds.

The bytes depend on the scale and the seed alone: only integers and ``random.random()`` are used, both of which are
the same everywhere. docs/reference/interfaces/batch-render-architecture-v1.md says what the files hold.

    generate.py --scale 1 --seed 1 --out DIR
"""

import argparse
import csv
import hashlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent))  # the harness runs this file by its path

from architecture.scene import make_scene

SMALLEST_SCALE, LARGEST_SCALE = 0.005, 10
BYTES_AT_SCALE_1 = 27_000_000
"""What the files take: the harness asks for that much room, times the scale."""
SCENE = "building.pov"


def write(out: Path, *, scale: float, seed: int) -> None:
    """Write the scene and ``answers.csv`` (key, length_bytes, sha256, triangles, instances) into an empty ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise FileExistsError(f"{out} is not empty")
    scene = make_scene(Random(seed), scale=scale)
    content = ("\n".join(scene.lines()) + "\n").encode("ascii")
    (out / SCENE).write_bytes(content)
    answers = io.StringIO()
    table = csv.writer(answers, lineterminator="\n")
    table.writerow(("key", "length_bytes", "sha256", "triangles", "triangles_with_instances"))
    table.writerow((SCENE, len(content), hashlib.sha256(content).hexdigest(), scene.distinct, scene.shown))
    (out / "answers.csv").write_bytes(answers.getvalue().encode("ascii"))


def main(arguments: Sequence[str]) -> int:
    """Read the arguments, write the data set; 2 where the words are wrong."""
    parser = argparse.ArgumentParser(description="Write the data set 'building'.")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is 600,000 distinct triangles or more (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="what chance is drawn from (default 1)")
    parser.add_argument("--out", type=Path, required=True, help="an empty or missing directory")
    words = parser.parse_args(arguments)
    if not SMALLEST_SCALE <= words.scale <= LARGEST_SCALE:
        parser.error(f"--scale is from {SMALLEST_SCALE} to {LARGEST_SCALE}")
    try:
        write(words.out, scale=words.scale, seed=words.seed)
    except FileExistsError as error:
        parser.error(f"{error}: a scene is only written where nothing is overwritten")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
