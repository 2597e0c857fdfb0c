"""How the output of each program is checked, whatever its version."""

import os
from pathlib import Path

from film import film_complaint
from program import Check, Right, Stage
from store import Memory


def prints(name: str) -> Check:
    """Return the check of a program whose output is known byte for byte."""

    def check(stage: Stage) -> str | None:
        return _differs(stage.made, stage.data.right[name], what="its output")

    return check


def unpacks(*argv: str) -> Check:
    """Return the check of a program that compresses: decompressing must give the input again, from fewer bytes."""

    def check(stage: Stage) -> str | None:
        right = stage.data.right[stage.program.reads]
        if not 0 < os.fstat(stage.made.fd).st_size < right.length_bytes:
            return f"it made {os.fstat(stage.made.fd).st_size} bytes of {right.length_bytes}"
        return _differs(stage.through(list(argv), source=stage.made), right, what="what was unpacked")

    return check


def compiles(name: str) -> Check:
    """Return the check of a compiler: its output, assembled, linked and run, must print the right text."""

    def check(stage: Stage) -> str | None:
        path = stage.own / "compiled"
        linked = ["/usr/bin/gcc", "-x", "assembler", "-o", str(path), "-"]
        stage.through(linked, source=stage.made)
        printed = stage.through([str(path)], source=Memory("nothing"))
        return _differs(printed, stage.data.right[name], what="what the compiled program printed")

    return check


def encodes(*, width: int, height: int, least_db: float) -> Check:
    """Return the check of an encoder: every frame is there, and what a decoder would show is close to the film.

    The encoder runs once more, and also writes the frames that a decoder would make. Its output must be the same.
    """

    def check(stage: Stage) -> str | None:
        path: Path = stage.own / "decoded.yuv"
        again = stage.through([*stage.argv, "--dump-yuv", str(path)], source=stage.source)
        if again.bytes() != stage.made.bytes():
            return "the same film gave another output"
        shown = path.read_bytes()
        path.unlink()
        return film_complaint(stage.made.bytes(), stage.source.bytes(), shown, size=(width, height), least_db=least_db)

    return check


def _differs(made: Memory, right: Right, *, what: str) -> str | None:
    length = os.fstat(made.fd).st_size
    if length != right.length_bytes:
        return f"{what} has {length} bytes where {right.length_bytes} are right"
    return None if made.sha256() == right.sha256 else f"{what} has the right length and other bytes"
