"""Let fio read or write files from end to end in the working directory, and compare what they hold afterwards.

    stream.py --engine E --processes N --operation read|write --access buffered|direct
              --size-mib M --block-kib K --depth D

Each process has a file of its own, ``stream.0`` and so on. Files to be read are written first, unless an earlier start
has left them. Every block of 64 KiB holds a header of fio's with its offset, and a pattern after it. The timed pass
writes both, or reads them unchecked; a second pass, which is not timed, compares all of it.

The options, the instants around the timed pass (ns, CLOCK_MONOTONIC) and fio's output go to standard output as JSON.
The exit status is 1 if fio failed, with its message on standard error.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MIB = 1024 * 1024
PATTERN = ("--verify_pattern=0x6832682e73747265616d", "--verify_interval=65536")
"""With a pattern and no named kind of check, fio writes a header before each interval: magic, offset, checksum."""
QUIET = ("--fallocate=none", "--output-format=json", "--eta=never", "--verify_state_save=0")
DIFFERS = re.compile(r"verify failed|bad magic|bad header|bad pattern")
SAID_AT_MOST = 400


def main(arguments: Sequence[str]) -> int:
    """Write the files, time the pass, compare; print the results."""
    asked = _asked(arguments)
    files = [Path(f"stream.{number}") for number in range(asked.processes)]
    size = asked.size_mib * MIB
    try:
        if asked.operation == "read":
            lay([each for each in files if not each.is_file() or each.stat().st_size != size], size)
        else:
            for each in files:
                each.unlink(missing_ok=True)
        os.sync()
        from_ns = time.monotonic_ns()
        timed = fio(files, size, *_words(asked))
        to_ns = time.monotonic_ns()
        compared = compare(files, size)
    except FioError as error:
        for each in files:  # a full disk has no room for messages
            each.unlink(missing_ok=True)
        print(error, file=sys.stderr)
        return 1
    told = {name: getattr(asked, name) for name in ("processes", "operation", "access", "size_mib", "block_kib")}
    said = {"asked": told, "from_ns": from_ns, "to_ns": to_ns, "timed": timed["jobs"], "compared": compared}
    print(json.dumps(said))
    return 0


class FioError(Exception):
    """fio failed; the text is its message."""


def lay(files: Sequence[Path], size: int) -> None:
    """Write files that do not exist yet, and flush them to the disk."""
    for each in files:
        each.unlink(missing_ok=True)
    if files:
        fio(files, size, "--rw=write", "--bs=1m", "--ioengine=psync", *PATTERN, "--do_verify=0", "--end_fsync=1")


def compare(files: Sequence[Path], size: int) -> dict[str, Any]:
    """Read files back and compare every byte: ``bytes`` that are right, and in ``wrong`` fio's message if some are not.

    Raise FioError if they cannot be read.
    """
    there = sum(each.is_file() and each.stat().st_size == size for each in files)
    if there < len(files):
        return {"bytes": 0, "wrong": f"{len(files) - there} of {len(files)} files are not there, or of another size"}
    try:
        said = fio(files, size, "--rw=read", "--bs=1m", "--ioengine=psync", *PATTERN, "--verify_fatal=1")
    except FioError as error:
        if not DIFFERS.search(str(error)):
            raise
        return {"bytes": 0, "wrong": str(error)}
    return {"bytes": sum(job["read"]["io_bytes"] for job in said["jobs"]), "wrong": ""}


def fio(files: Sequence[Path], size: int, *words: str) -> dict[str, Any]:
    """Run fio with one process per file; return its output. Raise FioError if it fails."""
    argv = ["fio", *QUIET, "--name=global", f"--size={size}", *words]
    for each in files:
        argv += [f"--name={each.name}", f"--filename={each.name}"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    try:
        said = json.loads(done.stdout[done.stdout.index("{") :])
    except ValueError:
        said = None
    if done.returncode != 0 or said is None or any(job["error"] for job in said["jobs"]):
        lines = [each.strip() for each in done.stderr.splitlines() if each.strip()]
        first = next((each for each in lines if "verify failed" in each or "io_u error" in each), "")
        raise FioError(
            " / ".join(filter(None, dict.fromkeys((first, *lines[-1:]))))[:SAID_AT_MOST]
            or f"fio ended with {done.returncode}"
        )
    return dict(said)


def _words(asked: argparse.Namespace) -> list[str]:
    """Return fio's options for the timed pass: a write counts until it is on the disk."""
    words = [f"--rw={asked.operation}", f"--bs={asked.block_kib}k", f"--ioengine={asked.engine}"]
    words += [f"--direct={int(asked.access == 'direct')}"]
    if asked.engine != "psync":
        words += [f"--iodepth={asked.depth}"]
    return [*words, *PATTERN, "--do_verify=0", "--end_fsync=1"] if asked.operation == "write" else words


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Read or write files from end to end with fio.")
    parser.add_argument("--engine", choices=("psync", "libaio", "io_uring"), required=True)
    parser.add_argument("--operation", choices=("read", "write"), required=True)
    parser.add_argument("--access", choices=("buffered", "direct"), required=True)
    for name in ("processes", "size-mib", "block-kib", "depth"):
        parser.add_argument(f"--{name}", type=int, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
