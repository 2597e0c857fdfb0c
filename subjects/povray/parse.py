"""Turn the output of render.py and POV-Ray 3.7 for a frame, and the image, into a batch record.

    parse.py STDOUT STDERR RUN ANSWERS WORKLOAD

POV-Ray prints its own times at the end (``Parse Time: ... (2.227 seconds)``, ``Trace Time: ...``, ``using 2
thread(s)``). All must fit between the first and the last instant of render.py, and the trace between the two at which
render.py saw it begin and end. The record has these two, so that the CPU in its window is that of tracing. The image in
the folder RUN is compared with the table in the folder WORKLOAD that is named by the scene's checksum, which is in
ANSWERS, the data set's answers.csv.
"""

import csv
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # python -I adds no folder of its own
import pictures

NS_PER_S = 1_000_000_000
STEP_S = 0.002
"""POV-Ray prints each of three times in milliseconds."""
AROUND_S, AROUND_SHARE = 1.0, 0.25
"""The most that starting, opening the scene and writing the image may take: a time, and a share of the whole. The
instants at which tracing was seen may be as far off, because POV-Ray's output comes in pieces."""
TOLERANCE = pictures.Tolerance(block=1.0, block_by_chance=120.0, mean=0.25, mean_by_chance=8.5)
"""Measured: see the workload's README."""
TIME = re.compile(r"^\s*(?P<what>Parse|Bounding|Trace) Time:.*\((?P<seconds>\d+(?:\.\d+)?) seconds\)\s*$", re.MULTILINE)
THREADS = re.compile(r"Trace Time:[^\n]*\n\s*using (?P<threads>\d+) thread\(s\)")


class ParseError(Exception):
    """The output lacks a figure for the record."""


def times_s(stderr: str) -> Mapping[str, float]:
    """Return POV-Ray's own times in seconds, by their names."""
    found = {each["what"]: float(each["seconds"]) for each in TIME.finditer(stderr)}
    for what in ("Parse", "Trace"):
        if what not in found:
            raise ParseError(f"POV-Ray told no {what} Time")
    return found


def misfit(told: Mapping[str, float], threads: str | None, asked: Mapping[str, int]) -> str | None:
    """Return what is wrong with the times and threads that POV-Ray prints, or None if nothing is."""
    wall_s, sum_s = (asked["to_ns"] - asked["from_ns"]) / NS_PER_S, sum(told.values())
    if sum_s > wall_s + STEP_S or wall_s - sum_s > AROUND_S + AROUND_SHARE * wall_s:
        return f"POV-Ray tells of {sum_s:.3f} s where {wall_s:.3f} s went by"
    seen_s = (asked["trace_to_ns"] - asked["trace_from_ns"]) / NS_PER_S
    if abs(seen_s - told["Trace"]) > AROUND_S + AROUND_SHARE * told["Trace"]:
        return f"POV-Ray tells of a trace of {told['Trace']:.3f} s where it was seen for {seen_s:.3f} s"
    if told["Trace"] <= 0:
        return "the trace took no time that POV-Ray could tell"
    if threads != str(asked["threads"]):
        return f"POV-Ray used {threads or 'an untold number of'} threads, not {asked['threads']}"
    return None


def looks(asked: Mapping[str, int], folder: Path, *, answers: Path, workload: Path) -> str:
    """Return "as the reference", or what is wrong with the image."""
    (scene,) = csv.DictReader(answers.read_text("ascii").splitlines())
    table = workload / "reference" / f"{scene['sha256'][:16]}.csv"
    if not table.is_file():
        return f"nothing to compare with: {table.name} is not among the workload's references"
    name = f"frame-{asked['frame']}.png"
    try:
        descriptor = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            image = pictures.pixels(file, width=asked["width"], height=asked["height"])
        right = pictures.reference(table, frame=asked["frame"])
        return pictures.compare(image, right, tolerance=TOLERANCE)
    except OSError as error:
        return f"{name} cannot be read: {error.strerror}"
    except pictures.PictureError as error:
        return f"{name} cannot be compared: {error}"


def record(stdout: str, stderr: str, folder: Path, *, answers: Path, workload: Path) -> dict[str, object]:
    """Return the batch record of a frame. Raise ParseError if a figure is missing."""
    try:
        asked = json.loads(stdout)
    except ValueError as error:
        raise ParseError(f"render.py printed no JSON: {error}") from error
    if not {"trace_from_ns", "trace_to_ns"} <= asked.keys():
        raise ParseError("POV-Ray did not say when it traced")
    told = times_s(stderr)
    used = THREADS.search(stderr)
    complaint = misfit(told, used and used["threads"], asked)
    return {
        "format": 1,
        "record": "batch",
        "case": {"frame": asked["frame"]},
        "work": asked["width"] * asked["height"],
        "work_in": "pixels",
        "elapsed_ns": max(1, round(NS_PER_S * told["Trace"])),
        "answer": complaint or looks(asked, folder, answers=answers, workload=workload),
        "metrics": {
            "parse_s": told["Parse"] + told.get("Bounding", 0.0),
            "trace_s": told["Trace"],
            "frame_s": (asked["to_ns"] - asked["from_ns"]) / NS_PER_S,
        },
        "from_ns": asked["trace_from_ns"],
        "to_ns": asked["trace_to_ns"],
    }


def main(arguments: Sequence[str]) -> int:
    """Print the record of a frame; 1 if there is none."""
    stdout, stderr, folder, answers, workload = map(Path, arguments)
    said = [each.read_text(encoding="utf-8", errors="replace") for each in (stdout, stderr)]
    try:
        made = record(*said, folder, answers=answers, workload=workload)
    except ParseError as error:
        print(f"parse.py: {error}", file=sys.stderr)
        return 1
    print(json.dumps(made))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
