"""The few files that installing packages reads and writes on a host, in terms of that host."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol


class Files(Protocol):
    """The files of one host. Writing goes through commands of the host, as it needs privileges."""

    def text(self, path: Path) -> str | None:
        """Return a file's text, None if it cannot be read."""

    def exists(self, path: Path) -> bool:
        """Return whether there is such a file."""

    def names(self, folder: Path, pattern: str) -> tuple[str, ...]:
        """Return the last names of the paths below a folder that match a pattern; links count, wherever they lead."""

    def staged(self, text: str) -> contextlib.AbstractContextManager[str]:
        """Return a context that yields the path of a temporary file with this text on the host."""


class LocalFiles:
    """The files of this machine."""

    def text(self, path: Path) -> str | None:
        """Return a file's text, None if it cannot be read."""
        try:
            return path.read_text(errors="replace")
        except OSError:
            return None

    def exists(self, path: Path) -> bool:
        """Return whether there is such a file."""
        return path.exists()

    def names(self, folder: Path, pattern: str) -> tuple[str, ...]:
        """Return the last names of the paths that match."""
        return tuple(each.name for each in folder.glob(pattern))

    @contextlib.contextmanager
    def staged(self, text: str) -> Iterator[str]:
        """Yield the path of a temporary file with this text."""
        with tempfile.NamedTemporaryFile("w", prefix="headtohead-setup-") as ours:
            ours.write(text)
            ours.flush()
            yield ours.name


HERE = LocalFiles()
