"""Positions as EPD: the first four fields of a FEN, and ``dm N`` if the side to move can force mate in N moves."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

EPD = re.compile(r"(?P<fields>[1-8/KQRBNPkqrbnp]+ [wb] (?:-|[KQkq]+) (?:-|[a-h][36]))(?: dm (?P<mate>[1-9]\d?);)?")


class PositionError(Exception):
    """A line of the file is not a position."""


@dataclass(frozen=True)
class Position:
    """A position; ``mate_in`` is the fewest moves in which the side to move mates, or None if no mate is known."""

    fen: str
    mate_in: int | None = None


def read_positions(path: Path, *, count: int) -> tuple[Position, ...]:
    """Return the first ``count`` positions of a file. Raise PositionError if it holds fewer, or other lines."""
    found = tuple(_positions(path.read_text(encoding="ascii").splitlines()))
    if not 0 < count <= len(found):
        raise PositionError(f"{count} positions are asked for; {path.name} holds {len(found)}")
    return found[:count]


def _positions(lines: list[str]) -> Iterator[Position]:
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("#"):
            continue
        matched = EPD.fullmatch(line)
        if matched is None:
            raise PositionError(f"line {number} is no position: {line[:80]!r}")
        yield Position(f"{matched['fields']} 0 1", int(matched["mate"]) if matched["mate"] else None)
