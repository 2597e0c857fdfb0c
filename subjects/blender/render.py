"""Let Blender make a scene and render it into the working directory; print when each part began and ended.

    render.py --seed N --width W --height H --samples S --threads T

What Blender prints goes to standard error unchanged. Cycles has no call for the beginning of the first sample: it is
the instant at which the line ``Sample 0/S`` arrives here.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ASKED = ("seed", "width", "height", "samples", "threads")
IMAGE = "image.png"
TOLD = re.compile(r"^h2h: (?P<what>[a-z]+) (?P<at>\d+)$")


def draw(words: argparse.Namespace) -> tuple[int, dict[str, int]]:
    """Return Blender's exit status and the instants (ns, CLOCK_MONOTONIC) by their names."""
    scene = Path(__file__).with_name("scene.py")
    values = [str(getattr(words, name)) for name in ASKED]
    argv = ["blender", "-b", "--factory-startup", "--python", str(scene), "--", *values, str(Path.cwd() / IMAGE)]
    at_ns = {"begun": time.monotonic_ns()}
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, errors="replace") as running:
        for line in running.stdout or ():
            now_ns = time.monotonic_ns()
            sys.stderr.write(line)
            told = TOLD.match(line.strip())
            if told:
                at_ns[told["what"]] = int(told["at"])
            elif f"Sample 0/{words.samples}" in line:
                at_ns.setdefault("sampling", now_ns)
            elif line.rstrip().endswith("| Finished"):
                at_ns["finished"] = now_ns
        status = running.wait()
    return status, {**at_ns, "ended": time.monotonic_ns()}


def main(arguments: Sequence[str]) -> int:
    """Render; print the options and the instants as JSON; return the exit status of Blender."""
    parser = argparse.ArgumentParser(description="Render a scene with Blender.")
    for name in ASKED:
        parser.add_argument(f"--{name}", type=int, required=True)
    words = parser.parse_args(arguments)
    status, at_ns = draw(words)
    print(json.dumps({**{name: getattr(words, name) for name in ASKED}, "at_ns": at_ns}))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
