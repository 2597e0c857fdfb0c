"""Have POV-Ray draw one frame into the working directory, and tell when it began and ended.

    render.py --scene FILE --frame N --width W --height H --threads T

Debian lets POV-Ray read below the home directory and write into the working directory alone: so its home is the
scene's folder. What it says of parsing and tracing goes to standard error as it is.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ASKED = ("frame", "width", "height", "threads")


def argv(words: argparse.Namespace) -> list[str]:
    """Return POV-Ray's arguments: full quality, anti-aliasing of 2 x 2 samples where neighbors differ, no chance."""
    drawn = [f"+I{words.scene}", f"+Oframe-{words.frame}.png", "+FN8", f"+W{words.width}", f"+H{words.height}"]
    how = [f"+K{words.frame}", f"+WT{words.threads}", "+Q9", "+A0.3", "+AM1", "+R2", "-J"]
    return ["povray", *drawn, *how, "-D", "-P", "-V", "-C"]


def main(arguments: Sequence[str]) -> int:
    """Draw; print what was asked and the two instants (ns, CLOCK_MONOTONIC) as JSON; end as POV-Ray ends."""
    parser = argparse.ArgumentParser(description="Draw one frame with POV-Ray.")
    parser.add_argument("--scene", type=Path, required=True)
    for name in ASKED:
        parser.add_argument(f"--{name}", type=int, required=True)
    words = parser.parse_args(arguments)
    kept = {name: value for name, value in os.environ.items() if name != "POVINI"}
    from_ns = time.monotonic_ns()
    done = subprocess.run(argv(words), env={**kept, "HOME": str(words.scene.parent)}, stdout=sys.stderr, check=False)
    to_ns = time.monotonic_ns()
    print(json.dumps({**{name: getattr(words, name) for name in ASKED}, "from_ns": from_ns, "to_ns": to_ns}))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
