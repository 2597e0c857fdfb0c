"""The files that installing packages reads and writes, on a host over SSH."""

import contextlib
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from headtohead.hosts.paths import RUNS
from headtohead.hosts.ssh.host import SshHost
from headtohead.model.errors import HostError

WITHIN_S = 30.0


class RemoteFiles:
    """The files of a host over SSH."""

    def __init__(self, host: SshHost) -> None:
        self._host = host

    def text(self, path: Path) -> str | None:
        """Return a file's text, None if it cannot be read."""
        try:
            return self._host.run(("cat", "--", str(path)), within_s=WITHIN_S)
        except HostError:
            return None

    def exists(self, path: Path) -> bool:
        """Return whether there is such a file."""
        try:
            self._host.run(("test", "-e", str(path)), within_s=WITHIN_S)
        except HostError:
            return False
        return True

    def names(self, folder: Path, pattern: str) -> tuple[str, ...]:
        """Return the last names of the paths that match."""
        found = self._host.agent.order("record", {"patterns": [f"{folder}/{pattern}"]})
        paths = [path for kind in ("files", "links", "folders", "refused") for path in _paths(found[kind])]
        return tuple(sorted(PurePosixPath(path).name for path in paths))

    @contextlib.contextmanager
    def staged(self, text: str) -> Iterator[str]:
        """Yield the path of a temporary file with this text, on the host."""
        there = RUNS / f"{self._host.label}-{secrets.token_hex(8)}"
        with tempfile.NamedTemporaryFile("w", prefix="headtohead-setup-") as ours:
            ours.write(text)
            ours.flush()
            self._host.put(Path(ours.name), there)
        try:
            yield str(there)
        finally:
            self._host.run(("rm", "--force", "--", str(there)), within_s=WITHIN_S)


def _paths(found: object) -> list[str]:
    return [str(each) for each in found] if isinstance(found, list | dict) else []
