"""A share that smbclient puts files on and gets them back from."""

import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from load_program import LoadError

WITHIN_S = 60.0
FILE_BYTES = 3 * 1024 * 1024 + 1
"""More than one request can hold, and no multiple of that."""


@dataclass(frozen=True)
class Share:
    """A share, the command that reaches it, and a folder of our own for the files that go there and come back."""

    smbclient: Sequence[str]
    own: Path

    def wrong(self, *, kept: Sequence[int], new: int) -> str | None:
        """Put a file made from ``new`` on the share; get it back, and those of ``kept`` that were put there before.

        Return what is wrong with what came back, or None if all is unchanged. Raise LoadError if the server refuses.
        """
        sent = self.own / f"sent-{new}"
        sent.write_bytes(content(new))
        self._request(f"put {sent.name} proof-{new}")
        sent.unlink()
        for seed in (*kept, new):
            back = self.own / f"back-{seed}"
            self._request(f"get proof-{seed} {back.name}")
            same = back.read_bytes() == content(seed)
            back.unlink()
            if not same:
                return "the server returned another file than the one that was put there"
        return None

    def _request(self, command: str) -> None:
        argv = [*self.smbclient, f"--command={command}"]
        try:
            done = subprocess.run(
                argv, cwd=self.own, stdin=subprocess.DEVNULL, capture_output=True, timeout=WITHIN_S, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise LoadError(f"the server did not {command} within {WITHIN_S:g} s") from error
        if done.returncode != 0:
            printed = b" ".join((done.stdout + done.stderr).split()).decode(errors="replace")
            raise LoadError(f"the server did not {command}: {printed[-200:]}")


def content(seed: int) -> bytes:
    """Return the bytes of a file, always the same ones for a seed."""
    return random.Random(seed).randbytes(FILE_BYTES)
