"""Run all tests of Bonnie++ once in the working directory: it cannot run single ones.

    tests.py --cases FILE --size-mib M --files-1024 N

FILE has one case per line (``test=put_block``). The options and the line that Bonnie++ printed go to standard output
as JSON. The exit status is 1 if it failed, with its message on standard error.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SEED = 1
TABLE = re.compile(r"^(Version|h2h |Latency|Name:|\s)")
"""The lines of its table for readers."""
LITTLE_BYTES = 64 * 1024 * 1024
SAID_AT_MOST = 300


def main(arguments: Sequence[str]) -> int:
    """Run it; print its output, or why it failed."""
    parser = argparse.ArgumentParser(description="Run Bonnie++ once.")
    parser.add_argument("--cases", type=Path, required=True)
    for name in ("size-mib", "files-1024"):
        parser.add_argument(f"--{name}", type=int, required=True)
    asked = parser.parse_args(arguments)
    tests = [line.partition("=")[2] for line in asked.cases.read_text().splitlines()]
    # With -r 0 it does not compare the size with the machine's memory: of a limit of memory it knows nothing.
    argv = ["bonnie++", "-q", "-d", ".", "-m", "h2h", "-r", "0", "-z", str(SEED)]
    argv += ["-s", str(asked.size_mib), "-n", str(asked.files_1024)]
    done = subprocess.run(argv, capture_output=True, text=True, errors="replace", check=False)
    free = os.statvfs(".").f_bavail * os.statvfs(".").f_frsize
    for each in Path().glob(
        "Bonnie.*"
    ):  # what it leaves where it fails; on a full disk there is no room for words before
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip() and not TABLE.match(line)]
        room = f"; {free // 1024**2} MiB are left on the disk" if free < LITTLE_BYTES else ""
        print(f"{' / '.join(lines)[-SAID_AT_MOST:] or 'it said nothing'}{room}", file=sys.stderr)
        return 1
    print(json.dumps({"tests": tests, "size_mib": asked.size_mib, "files_1024": asked.files_1024, "csv": done.stdout}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
