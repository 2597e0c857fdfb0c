"""Turn the output of render.py, and the image, into a batch record.

    parse.py STDOUT RUN WORKLOAD

The image in the folder RUN is compared with ``reference/seed-<seed>.csv`` in the folder WORKLOAD.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -I adds no folder of its own
import pictures

NS_PER_S = 1_000_000_000
IMAGE = "image.png"
TOLERANCE = pictures.Tolerance(block=3.0, block_by_chance=500.0, mean=0.3, mean_by_chance=40.0)
"""Measured: see the workload's README."""
ORDER = ("begun", "building", "rendering", "sampling", "finished", "written", "ended")


class ParseError(Exception):
    """The output lacks a figure for the record."""


def instants(asked: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the instants in ns. Raise ParseError if one is missing or out of order."""
    at_ns: Mapping[str, int] = asked["at_ns"]
    missing = [name for name in ORDER if name not in at_ns]
    if missing:
        raise ParseError(f"Blender did not tell when it was {' and '.join(missing)}")
    told = [at_ns[name] for name in ORDER]
    if told != sorted(told) or at_ns["finished"] == at_ns["sampling"]:
        raise ParseError("the instants that Blender told are out of order")
    return at_ns


def looks(asked: Mapping[str, Any], folder: Path, *, workload: Path) -> str:
    """Return "as the reference", or what is wrong with the image."""
    table = workload / "reference" / f"seed-{asked['seed']}.csv"
    if not table.is_file():
        return f"nothing to compare with: {table.name} is not among the workload's references"
    try:
        descriptor = os.open(folder / IMAGE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            image = pictures.pixels(file, width=asked["width"], height=asked["height"])
        right = pictures.reference(table, frame=1)
        return pictures.compare(image, right, tolerance=TOLERANCE, samples=asked["samples"])
    except OSError as error:
        return f"{IMAGE} cannot be read: {error.strerror}"
    except pictures.PictureError as error:
        return f"{IMAGE} cannot be compared: {error}"


def record(asked: Mapping[str, Any], folder: Path, *, workload: Path) -> dict[str, object]:
    """Return the batch record of the image. Raise ParseError if a figure is missing."""
    at_ns = instants(asked)
    trace_ns = at_ns["finished"] - at_ns["sampling"]
    return {
        "format": 1,
        "record": "batch",
        "case": {},
        "work": asked["width"] * asked["height"],
        "work_in": "pixels",
        "elapsed_ns": trace_ns,
        "answer": looks(asked, folder, workload=workload),
        "metrics": {
            "parse_s": (at_ns["sampling"] - at_ns["building"]) / NS_PER_S,
            "trace_s": trace_ns / NS_PER_S,
            "frame_s": (at_ns["ended"] - at_ns["begun"]) / NS_PER_S,
        },
        "from_ns": at_ns["begun"],
        "to_ns": at_ns["ended"],
    }


def main(arguments: Sequence[str]) -> int:
    """Print the record; 1 if there is none."""
    stdout, folder, workload = map(Path, arguments)
    try:
        made = record(json.loads(stdout.read_text("utf-8", errors="replace")), folder, workload=workload)
    except (KeyError, ParseError, TypeError, ValueError) as error:
        print(f"parse.py: {error}", file=sys.stderr)
        return 1
    print(json.dumps(made))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
