"""Load a tbench server for some seconds with some clients, and print a batch record.

client --program PATH --address ADDRESS --port PORT --clients N --seconds S

The server's echo is checked before the load and after it. What tbench prints goes to standard error.
"""

import argparse
import sys

from echo import wrong
from load_program import RIGHT, print_record, record, run
from tbench import EXPECTED, Measured, read


def answer(measured: Measured, *, clients: int) -> str:
    """Return "right" if every client moved bytes and ended without a complaint; otherwise what is wrong."""
    each, total = measured.each_bytes, measured.throughput.bytes
    if measured.complaints:
        return measured.complaints[0]
    if (measured.clients, len(each)) != (clients, clients):
        return f"{len(each)} of {measured.clients} clients reported what they moved, {clients} were requested"
    if measured.unfinished > 0:
        return f"{measured.unfinished} of {clients} clients did not end by themselves"
    if min(each) == 0 or total == 0:
        return "a client moved no bytes"
    if sum(each) < total:
        return f"all clients moved {sum(each)} bytes, less than the {total} of the throughput"
    return RIGHT


def load(options: argparse.Namespace) -> dict[str, object]:
    """Check the server, load it, check it again; return the record."""
    argv = [options.program, "--per-client-results", "-t", str(options.seconds), str(options.clients), options.address]
    before = wrong(options.address, options.port, seed=options.clients)
    measured = read(run(argv, name="tbench", expected=EXPECTED))
    after = wrong(options.address, options.port, seed=options.clients + 1)
    return record(
        measured.throughput,
        clients=options.clients,
        answer=before or after or answer(measured, clients=options.clients),
        metrics={
            "client_least_bytes_per_s": min(measured.each_bytes) / measured.each_seconds,
            "operation_latency_mean_ns": measured.latency_mean_ns,
            "operation_latency_max_ns": measured.latency_max_ns,
        },
    )


def make_parser() -> argparse.ArgumentParser:
    """Return a parser of the argument that only this program has."""
    parser = argparse.ArgumentParser(prog="client", description="Load a tbench server.")
    parser.add_argument("--program", required=True)
    return parser


if __name__ == "__main__":
    sys.exit(print_record(sys.argv[1:], make_parser(), load))
