"""Let POV-Ray render one frame into the working directory; print when it began and ended, and when it traced.

    render.py --scene FILE --frame N --width W --height H --threads T

Debian's POV-Ray may only read below the home directory and write into the working directory: so its home is the scene's
folder. What it prints goes to standard error unchanged. It prints as things happen, so that the instants of two of its
lines show when it traced.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

ASKED = ("frame", "width", "height", "threads")
TRACING = {b"==== [Rendering...] ": "trace_from_ns", b"Render Statistics": "trace_to_ns"}
"""The beginnings of the lines that POV-Ray prints when tracing begins and ends, and the names of their instants.
POV-Ray prints some 30 times a second."""


def argv(words: argparse.Namespace) -> list[str]:
    """Return POV-Ray's arguments: full quality, anti-aliasing of 2 x 2 samples where neighbors differ, no jitter."""
    drawn = [f"+I{words.scene}", f"+Oframe-{words.frame}.png", "+FN8", f"+W{words.width}", f"+H{words.height}"]
    how = [f"+K{words.frame}", f"+WT{words.threads}", "+Q9", "+A0.3", "+AM1", "+R2", "-J"]
    return ["povray", *drawn, *how, "-D", "-P", "-V", "-C"]


def passed_on(lines: Iterable[bytes]) -> dict[str, int]:
    """Pass on what POV-Ray prints, line by line; return when its tracing began and ended, if the lines show it."""
    seen: dict[str, int] = {}
    for line in lines:
        now_ns = time.monotonic_ns()
        sys.stderr.buffer.write(line)
        for begins, name in TRACING.items():
            if line.startswith(begins):
                seen.setdefault(name, now_ns)
    sys.stderr.buffer.flush()
    return seen


def main(arguments: Sequence[str]) -> int:
    """Render; print the options and the instants (ns, CLOCK_MONOTONIC) as JSON; return POV-Ray's exit status."""
    parser = argparse.ArgumentParser(description="Draw one frame with POV-Ray.")
    parser.add_argument("--scene", type=Path, required=True)
    for name in ASKED:
        parser.add_argument(f"--{name}", type=int, required=True)
    words = parser.parse_args(arguments)
    kept = {name: value for name, value in os.environ.items() if name != "POVINI"}
    from_ns = time.monotonic_ns()
    environment = {**kept, "HOME": str(words.scene.parent)}
    with subprocess.Popen(argv(words), env=environment, stdout=sys.stderr, stderr=subprocess.PIPE) as povray:
        traced = passed_on(povray.stderr or ())
    to_ns = time.monotonic_ns()
    asked = {name: getattr(words, name) for name in ASKED}
    print(json.dumps({**asked, "from_ns": from_ns, "to_ns": to_ns, **traced}))
    return povray.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
