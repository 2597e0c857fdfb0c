"""Load a share with smbtorture's nbench for some seconds with some clients, and print a batch record.

client --smbtorture PATH --smbclient PATH --load FILE --configuration FILE --credentials FILE
       --own DIRECTORY --address ADDRESS --port PORT --clients N --seconds S

Files put on the share must come back unchanged, before the load and after it. What nbench prints goes to standard
error.
"""

import argparse
import sys
from pathlib import Path

from load_program import RIGHT, print_record, record, run
from nbench import EXPECTED, Measured, read
from share import Share

WARM_UP_FROM_S = 20
"""nbench warms up for a twentieth of its time, in whole seconds."""


def answer(measured: Measured, *, clients: int) -> str:
    """Return "right" if every client began, moved bytes and ended without a complaint; otherwise what is wrong."""
    if measured.complaints:
        return measured.complaints[0]
    if measured.clients != clients:
        return f"{measured.clients} clients began, {clients} were requested"
    if not measured.succeeded:
        return "nbench reported no success"
    if measured.late_without_warm_up:
        return f"{clients} clients took over a second to begin: set {WARM_UP_FROM_S} seconds, which include a warm-up"
    return RIGHT if measured.throughput.bytes > 0 else "no bytes were moved"


def load(options: argparse.Namespace) -> dict[str, object]:
    """Check the share, load it, check it again; return the record."""
    proof = f"--authentication-file={options.credentials}"
    reach = [f"//{options.address}/share", f"--configfile={options.configuration}", "-p", str(options.port), proof]
    work = [f"--num-progs={options.clients}", f"--timelimit={options.seconds}", f"--loadfile={options.load}"]
    share = Share([options.smbclient, *reach], options.own)
    first, second = 2 * options.clients, 2 * options.clients + 1
    before = share.wrong(kept=(), new=first)
    lines = run([options.smbtorture, *reach, *work, "bench.nbench"], name="nbench", expected=EXPECTED)
    measured = read(lines)
    complaint = before or share.wrong(kept=(first,), new=second)
    return record(
        measured.throughput, clients=options.clients, answer=complaint or answer(measured, clients=options.clients)
    )


def make_parser() -> argparse.ArgumentParser:
    """Return a parser of the arguments that only this program has."""
    parser = argparse.ArgumentParser(prog="client", description="Load a share.")
    for name in ("--smbtorture", "--smbclient"):
        parser.add_argument(name, required=True)
    for name in ("--load", "--configuration", "--credentials", "--own"):
        parser.add_argument(name, type=Path, required=True)
    return parser


if __name__ == "__main__":
    sys.exit(print_record(sys.argv[1:], make_parser(), load))
