"""The messages of tbench_srv: a length, the length of the response, and bytes, which the server must send back.

echo.py ADDRESS PORT: exits with 0 if the responses of the server are right, otherwise with 1.
"""

import random
import socket
import struct
import sys
from collections.abc import Iterator, Sequence

HEAD = struct.Struct("!II")
"""The number of bytes after the first field, and the number after the first field of the response."""
SIZES = (0, 1, 24, 1_460, 4_096, 65_000)
"""Lengths of the bytes that are sent; the load itself sends up to 65,593 bytes at once."""
WITHIN_S = 10.0


def wrong(address: str, port: int, *, seed: int) -> str | None:
    """Return what is wrong with the responses of the server, or None if it sends back what it got."""
    rng = random.Random(seed)
    try:
        with socket.create_connection((address, port), timeout=WITHIN_S) as server:
            for size in SIZES:
                complaint = _changed(server, rng.randbytes(size))
                if complaint is not None:
                    return complaint
    except OSError as error:
        return f"the request failed: {error}"
    return None


def _changed(server: socket.socket, body: bytes) -> str | None:
    follows = HEAD.size - 4 + len(body)
    message = HEAD.pack(follows, follows) + body
    server.sendall(message)
    response = b"".join(_received(server, len(message)))
    if len(response) < len(message):
        return f"the server ended a response after {len(response)} of {len(message)} bytes"
    return None if response == message else f"the server sent back other bytes than the {len(body)} that it got"


def _received(server: socket.socket, count: int) -> Iterator[bytes]:
    """Yield what comes, until ``count`` bytes came or the server ended."""
    while count > 0 and (part := server.recv(count)):
        count -= len(part)
        yield part


def main(arguments: Sequence[str]) -> int:
    """Check the server once."""
    address, port = arguments
    complaint = wrong(address, int(port), seed=0)
    if complaint is not None:
        print(f"echo: {complaint}", file=sys.stderr)
    return int(complaint is not None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
