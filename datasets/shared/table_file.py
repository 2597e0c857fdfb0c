"""A table's file as it is written, and the sums by which an engine's copy of it is checked."""

import hashlib
from collections.abc import Iterable
from pathlib import Path


class TableFile:
    """A table's file, with its length and SHA-256."""

    def __init__(self, path: Path) -> None:
        self.length_bytes = 0
        self._sha256, self._file = hashlib.sha256(), path.open("wb")

    def write(self, lines: Iterable[str]) -> None:
        """Write lines, each with its end."""
        part = "".join(lines).encode()
        self.length_bytes += len(part)
        self._sha256.update(part)
        self._file.write(part)

    def close(self) -> str:
        """Close the file; return its SHA-256."""
        self._file.close()
        return self._sha256.hexdigest()


def sum32(texts: bytes) -> int:
    """Return the first 8 hexadecimal digits of the MD5 as a number."""
    return int.from_bytes(hashlib.md5(texts, usedforsecurity=False).digest()[:4], "big")
