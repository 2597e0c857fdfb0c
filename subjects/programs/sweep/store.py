"""Files in memory (memfd): what programs read and write here never waits for a disk, nor disturbs one."""

import hashlib
import os
from pathlib import Path

AT_ONCE_BYTES = 1 << 20


class Memory:
    """A file in memory that programs are given as standard input or output."""

    def __init__(self, name: str) -> None:
        """Make an empty one."""
        self.fd = os.memfd_create(name)

    def fill(self, path: Path) -> None:
        """Copy a file into it: pages of this process's own."""
        with path.open("rb") as file:
            while piece := file.read(AT_ONCE_BYTES):
                os.write(self.fd, piece)

    def rewind(self) -> None:
        """Go back to the beginning."""
        os.lseek(self.fd, 0, os.SEEK_SET)

    def empty(self) -> None:
        """Forget what it holds."""
        self.rewind()
        os.ftruncate(self.fd, 0)

    def bytes(self) -> bytes:
        """Return all that it holds."""
        return os.pread(self.fd, os.fstat(self.fd).st_size, 0)

    def sha256(self) -> str:
        """Return the checksum of all that it holds."""
        return hashlib.sha256(self.bytes()).hexdigest()
