"""A share, asked by smbclient to keep files and to give them back."""

import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

WITHIN_S = 60.0
FILE_BYTES = 3 * 1024 * 1024 + 1
"""More than a request can hold, and no multiple of one."""


class ShareError(Exception):
    """The server did not do what it was asked."""


@dataclass(frozen=True)
class Share:
    """A share, how to reach it, and a folder of ours for the files that go there and come back."""

    smbclient: Sequence[str]
    own: Path

    def wrong(self, *, kept: Sequence[int], new: int) -> str | None:
        """Put a file made from ``new`` there and get it back, with those of ``kept`` that were put there before.

        Return what is wrong with what came back; None where all is as it was. ShareError where the server refuses.
        """
        sent = self.own / f"sent-{new}"
        sent.write_bytes(content(new))
        self._ask(f"put {sent.name} proof-{new}")
        sent.unlink()
        for seed in (*kept, new):
            back = self.own / f"back-{seed}"
            self._ask(f"get proof-{seed} {back.name}")
            same = back.read_bytes() == content(seed)
            back.unlink()
            if not same:
                return "the server gave back another file than the one that was put there"
        return None

    def _ask(self, command: str) -> None:
        argv = [*self.smbclient, f"--command={command}"]
        try:
            done = subprocess.run(
                argv, cwd=self.own, stdin=subprocess.DEVNULL, capture_output=True, timeout=WITHIN_S, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise ShareError(f"the server did not {command} within {WITHIN_S:g} s") from error
        if done.returncode != 0:
            said = b" ".join((done.stdout + done.stderr).split()).decode(errors="replace")
            raise ShareError(f"the server did not {command}: {said[-200:]}")


def content(seed: int) -> bytes:
    """Return the bytes of a file, always the same ones from a seed."""
    return random.Random(seed).randbytes(FILE_BYTES)
