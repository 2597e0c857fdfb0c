"""Files in memory (memfd): programs that read and write them never wait for a disk or disturb one."""

import hashlib
import os
from pathlib import Path

AT_ONCE_BYTES = 1 << 20


class Memory:
    """A file in memory that is standard input or output of programs."""

    def __init__(self, name: str) -> None:
        """Make an empty one."""
        self.fd = os.memfd_create(name)

    def fill(self, path: Path) -> None:
        """Copy a file into it, into pages of this process."""
        with path.open("rb") as file:
            while piece := file.read(AT_ONCE_BYTES):
                os.write(self.fd, piece)

    def rewind(self) -> None:
        """Seek to the beginning."""
        os.lseek(self.fd, 0, os.SEEK_SET)

    def empty(self) -> None:
        """Empty it."""
        self.rewind()
        os.ftruncate(self.fd, 0)

    def bytes(self) -> bytes:
        """Return all that it holds."""
        return os.pread(self.fd, os.fstat(self.fd).st_size, 0)

    def sha256(self) -> str:
        """Return the checksum of all that it holds."""
        return hashlib.sha256(self.bytes()).hexdigest()
