"""Have smbtorture's nbench load a share for some seconds with some clients, and print a batch record.

ask --smbtorture PATH --smbclient PATH --load FILE --configuration FILE --own DIRECTORY
    --address ADDRESS --port PORT --clients N --seconds S

Files put on the share must come back as they were, before the load and after it. What nbench says goes to standard
error.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from said import NS_PER_S, Line, SaidError, Told, complaints, read
from share import Share, ShareError

RIGHT = "right"
LEAST_S = 2
WARM_UP_FROM_S = 20
"""nbench warms up for a twentieth of its time, in whole seconds."""


class AskError(Exception):
    """nbench did not do the work."""


def run(argv: Sequence[str]) -> list[Line]:
    """Return what a program said on both its outputs, each line with the instant it came; AskError where it fails."""
    lines: list[Line] = []
    with subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as program:
        for text in program.stdout or ():
            lines.append(Line(time.monotonic_ns(), text.rstrip("\n")))
            print(lines[-1].text, file=sys.stderr)
    if program.returncode != 0:
        said = next(iter(complaints(lines)), "it said nothing of why")
        raise AskError(f"nbench ended with {program.returncode}: {said}")
    return lines


def answer(told: Told, *, clients: int) -> str:
    """Return "right", or what speaks against it: every client began, moved bytes and ended without a complaint."""
    if told.complaints:
        return told.complaints[0]
    if told.clients != clients:
        return f"{told.clients} clients began, and {clients} were asked for"
    if not told.succeeded:
        return "nbench told of no success"
    if told.waited_in_vain:
        return f"{clients} clients took over a second to begin: ask for {WARM_UP_FROM_S} seconds, which have a warm-up"
    return RIGHT if told.bytes > 0 else "nothing was moved"


def record(told: Told, *, clients: int, complaint: str | None) -> dict[str, object]:
    """Return the record of a case, whose seconds are those that nbench's throughput is of."""
    return {
        "format": 1,
        "record": "batch",
        "case": {"clients": clients},
        "work": told.bytes,
        "work_in": "bytes",
        "elapsed_ns": told.seconds * NS_PER_S,
        "from_ns": told.at_ns - told.seconds * NS_PER_S,
        "to_ns": told.at_ns,
        "answer": complaint or answer(told, clients=clients),
        "metrics": {"clients": clients},
    }


def ask(words: argparse.Namespace) -> dict[str, object]:
    """Prove the share, have it loaded, prove it again; return the record."""
    reach = [f"//{words.address}/share", f"--configfile={words.configuration}", "-p", str(words.port), "--user=%"]
    load = [f"--num-progs={words.clients}", f"--timelimit={words.seconds}", f"--loadfile={words.load}"]
    share = Share([words.smbclient, *reach], words.own)
    first, second = 2 * words.clients, 2 * words.clients + 1
    before = share.wrong(kept=(), new=first)
    told = read(run([words.smbtorture, *reach, *load, "bench.nbench"]))
    return record(told, clients=words.clients, complaint=before or share.wrong(kept=(first,), new=second))


def main(arguments: Sequence[str]) -> int:
    """Print the record; 1 where the server or nbench fails, 2 where the words are wrong."""
    parser = argparse.ArgumentParser(prog="ask", description="Load a share.")
    for name in ("--smbtorture", "--smbclient", "--address"):
        parser.add_argument(name, required=True)
    for name in ("--load", "--configuration", "--own"):
        parser.add_argument(name, type=Path, required=True)
    for name in ("--port", "--clients", "--seconds"):
        parser.add_argument(name, type=int, required=True)
    words = parser.parse_args(arguments)
    if words.clients < 1 or words.seconds < LEAST_S:
        parser.error(f"1 client and {LEAST_S} seconds are the least")
    try:
        print(json.dumps(ask(words)), flush=True)
    except (AskError, SaidError, ShareError, OSError) as error:
        print(f"ask: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
