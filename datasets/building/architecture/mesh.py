"""Triangles in whole millimeters, and how POV-Ray reads them fast."""

from collections.abc import Iterator, Sequence
from random import Random

Point = tuple[int, int, int]

UNIT = 1_000_000
"""Sines and cosines are whole numbers of a millionth."""
_FINE = 10**18
_PI = 3_141_592_653_589_793_238
A_LINE = 8
"""So many vertices or faces stand on a line of the file."""


class Mesh:
    """Vertices and triangles of one thing."""

    def __init__(self) -> None:
        self.vertices: list[Point] = []
        self.faces: list[tuple[int, int, int]] = []

    def triangle(self, first: Point, second: Point, third: Point) -> None:
        """Add a triangle of its own."""
        at = len(self.vertices)
        self.vertices += (first, second, third)
        self.faces.append((at, at + 1, at + 2))

    def grid(self, rows: Sequence[Sequence[Point]]) -> None:
        """Add a surface: rows of as many points, two triangles between each four."""
        at, wide = len(self.vertices), len(rows[0])
        for row in rows:
            self.vertices += row
        for down in range(len(rows) - 1):
            for along in range(wide - 1):
                corner = at + down * wide + along
                self.faces.append((corner, corner + 1, corner + wide))
                self.faces.append((corner + 1, corner + wide + 1, corner + wide))

    def box(self, low: Point, high: Point, *, open_back: bool = False) -> None:
        """Add a box of 12 triangles; 10 where its back, which nobody sees, is left open."""
        at, corners = len(self.vertices), ((low[0], high[0]), (low[1], high[1]), (low[2], high[2]))
        self.vertices += ((x, y, z) for x in corners[0] for y in corners[1] for z in corners[2])
        sides = [(0, 4, 6, 2), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6), (1, 3, 7, 5)]
        for a, b, c, d in sides[: 5 if open_back else 6]:
            self.faces += ((at + a, at + b, at + c), (at + a, at + c, at + d))

    def lathe(self, rings: Sequence[tuple[int, int]], *, steps: int, deep: int = 0) -> None:
        """Add a turned body: rings of (radius, height) with ``steps`` corners; every second two lie ``deep`` inside."""
        around = [(*turn(step, steps), deep if step % steps % 4 > 1 else 0) for step in range(steps + 1)]
        self.grid(
            [
                [((radius - less) * c // UNIT, height, (radius - less) * s // UNIT) for c, s, less in around]
                for radius, height in rings
            ]
        )

    def lines(self) -> Iterator[str]:
        """Yield the mesh as the body of a ``mesh2``, which is parsed fifty times as fast as a ``mesh``."""
        yield f"vertex_vectors {{ {len(self.vertices)},"
        yield from _listed(self.vertices)
        yield f"}} face_indices {{ {len(self.faces)},"
        yield from _listed(self.faces)
        yield "}"


def _listed(triples: Sequence[tuple[int, int, int]]) -> Iterator[str]:
    for at in range(0, len(triples), A_LINE):
        last = at + A_LINE >= len(triples)
        yield ",".join(f"<{a},{b},{c}>" for a, b, c in triples[at : at + A_LINE]) + ("" if last else ",")


def draw(rng: Random, count: int) -> int:
    """Return a number from 0 to ``count`` - 1, each as likely; made from ``random()`` alone."""
    return int(rng.random() * count)


def between(rng: Random, low: int, high: int) -> int:
    """Return a number from ``low`` to ``high``, each as likely."""
    return low + draw(rng, high - low + 1)


def turn(step: int, steps: int) -> tuple[int, int]:
    """Return cosine and sine of ``step`` of ``steps`` parts of a turn, in millionths.

    From whole numbers alone (Taylor's series), as the last bit of a library's sine differs between machines.

    >>> turn(1, 4), turn(1, 8)
    ((0, 1000000), (707107, 707107))
    """
    quarter, rest = divmod(4 * (step % steps), steps)
    angle = _PI * rest // (2 * steps)
    cosine, sine, term = 0, 0, _FINE
    for power in range(1, 40):
        sign = 1 if (power - 1) // 2 % 2 == 0 else -1
        if power % 2:
            cosine += sign * term
        else:
            sine += sign * term
        term = term * angle // (power * _FINE)
    c, s = ((each + _FINE // (2 * UNIT)) * UNIT // _FINE for each in (cosine, sine))
    return ((c, s), (-s, c), (-c, -s), (s, -c))[quarter]
