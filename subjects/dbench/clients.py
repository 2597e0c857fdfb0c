"""Let dbench act as the clients of a file server in the working directory, and record when its measured time ended.

    clients.py --clients N --seconds T

dbench prints a line each second. Its output, and when the last line of its measured time came (ns, CLOCK_MONOTONIC),
go to standard output as JSON. The exit status is 1 if an operation failed, with dbench's message on standard error.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

LOAD = "/usr/share/dbench/client.txt"
MEASURED = re.compile(r"MB/sec\s+execute\s+\d+ sec")
ONGOING = re.compile(r"MB/sec\s+(execute|warmup)|\bcleanup\b|prepared for launch|releasing clients")
LITTLE_BYTES = 64 * 1024 * 1024
SAID_AT_MOST = 300


def main(arguments: Sequence[str]) -> int:
    """Run dbench; print its output, or why it failed."""
    parser = argparse.ArgumentParser(description="Play the clients of a file server with dbench.")
    parser.add_argument("--clients", type=int, required=True)
    parser.add_argument("--seconds", type=int, required=True)
    asked = parser.parse_args(arguments)
    argv = ["dbench", "-c", LOAD, "-D", ".", "-t", str(asked.seconds), str(asked.clients)]
    lines, last_ns = [], None
    with subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", process_group=0
    ) as dbench:
        for line in dbench.stdout or ():
            if MEASURED.search(line):
                last_ns = time.monotonic_ns()
            lines.append(line.rstrip("\n"))
            if line.startswith("Child failed"):
                os.killpg(dbench.pid, signal.SIGKILL)  # otherwise the other clients would go on
    said = failure(lines, dbench.returncode)
    shutil.rmtree("clients", ignore_errors=True)  # before this, a full disk has no room for messages
    if said:
        print(said, file=sys.stderr)
        return 1
    print(json.dumps({"clients": asked.clients, "seconds": asked.seconds, "last_ns": last_ns, "said": lines}))
    return 0


def failure(lines: Sequence[str], code: int) -> str:
    """Return what dbench printed about a failed operation, and the free disk space if small; empty if none failed."""
    if code == 0:
        return ""
    free = os.statvfs(".").f_bavail * os.statvfs(".").f_frsize
    room = f"; {free // 1024**2} MiB are left on the disk" if free < LITTLE_BYTES else ""
    told = [line for line in lines if line.strip() and not ONGOING.search(line)][2:]
    return " / ".join(told)[:SAID_AT_MOST] + room or f"dbench ended with {code}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
