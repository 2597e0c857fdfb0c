"""What tbench_srv is told and must say: a length, a length to answer with, and the bytes that came, sent back.

echo.py ADDRESS PORT: 0 where the server there answers rightly, 1 where it does not.
"""

import random
import socket
import struct
import sys
from collections.abc import Iterator, Sequence

HEAD = struct.Struct("!II")
"""How many bytes follow the first field, and how many shall follow the first field of the answer."""
SIZES = (0, 1, 24, 1_460, 4_096, 65_000)
"""Lengths of what is sent, in bytes; the load itself sends up to 65,593 bytes at once."""
WITHIN_S = 10.0


def wrong(address: str, port: int, *, seed: int) -> str | None:
    """Return what is wrong with the answers of the server there; None where it sends back what it got."""
    rng = random.Random(seed)
    try:
        with socket.create_connection((address, port), timeout=WITHIN_S) as server:
            for size in SIZES:
                complaint = _spoiled(server, rng.randbytes(size))
                if complaint is not None:
                    return complaint
    except OSError as error:
        return f"asking the server failed: {error}"
    return None


def _spoiled(server: socket.socket, body: bytes) -> str | None:
    follows = HEAD.size - 4 + len(body)
    message = HEAD.pack(follows, follows) + body
    server.sendall(message)
    answer = b"".join(_received(server, len(message)))
    if len(answer) < len(message):
        return f"the server ended an answer after {len(answer)} of {len(message)} bytes"
    return None if answer == message else f"the server sent back other bytes than the {len(body)} that it got"


def _received(server: socket.socket, count: int) -> Iterator[bytes]:
    """Yield what comes, until so many bytes came or the server ended."""
    while count > 0 and (part := server.recv(count)):
        count -= len(part)
        yield part


def main(arguments: Sequence[str]) -> int:
    """Ask the server once."""
    address, port = arguments
    complaint = wrong(address, int(port), seed=0)
    if complaint is not None:
        print(f"echo: {complaint}", file=sys.stderr)
    return int(complaint is not None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
