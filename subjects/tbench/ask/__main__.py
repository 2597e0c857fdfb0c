"""Have tbench ask its server for some seconds with some clients, and print a batch record.

ask --program PATH --address ADDRESS --port PORT --clients N --seconds S

The server's echo is proved before the load and after it. What tbench says goes to standard error.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence

from echo import wrong
from said import NS_PER_S, Line, SaidError, Told, complaints, read

RIGHT = "right"
LEAST_S = 2
"""tbench tells its first figure after one second, and none where it ends then."""


class AskError(Exception):
    """tbench did not do the work."""


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
        raise AskError(f"tbench ended with {program.returncode}: {said}")
    return lines


def answer(told: Told, *, clients: int) -> str:
    """Return "right", or what speaks against it: every client moved bytes and ended without a complaint."""
    if told.complaints:
        return told.complaints[0]
    if (told.clients, len(told.each_bytes)) != (clients, clients):
        return f"{len(told.each_bytes)} of {told.clients} clients told what they moved, and {clients} were asked for"
    if told.unfinished > 0:
        return f"{told.unfinished} of {clients} clients did not end by themselves"
    if min(told.each_bytes) == 0 or told.bytes == 0:
        return "a client moved nothing"
    if sum(told.each_bytes) < told.bytes:
        return f"all clients moved {sum(told.each_bytes)} bytes, less than the {told.bytes} of the throughput"
    return RIGHT


def record(told: Told, *, clients: int, complaint: str | None) -> dict[str, object]:
    """Return the record of a case, whose seconds are those that tbench's throughput is of."""
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
        "metrics": {
            "clients": clients,
            "client_least_bytes_per_s": min(told.each_bytes) / told.each_seconds,
            "operation_latency_mean_ns": told.latency_mean_ns,
            "operation_latency_max_ns": told.latency_max_ns,
        },
    }


def ask(words: argparse.Namespace) -> dict[str, object]:
    """Prove the server, have it loaded, prove it again; return the record."""
    argv = [words.program, "--per-client-results", "-t", str(words.seconds), str(words.clients), words.address]
    before = wrong(words.address, words.port, seed=words.clients)
    told = read(run(argv))
    after = wrong(words.address, words.port, seed=words.clients + 1)
    return record(told, clients=words.clients, complaint=before or after)


def main(arguments: Sequence[str]) -> int:
    """Print the record; 1 where tbench fails, 2 where the words are wrong."""
    parser = argparse.ArgumentParser(prog="ask", description="Load a tbench server.")
    for name in ("--program", "--address"):
        parser.add_argument(name, required=True)
    for name in ("--port", "--clients", "--seconds"):
        parser.add_argument(name, type=int, required=True)
    words = parser.parse_args(arguments)
    if words.clients < 1 or words.seconds < LEAST_S:
        parser.error(f"1 client and {LEAST_S} seconds are the least")
    try:
        print(json.dumps(ask(words)), flush=True)
    except (AskError, SaidError, OSError) as error:
        print(f"ask: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
