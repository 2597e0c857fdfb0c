"""What is laid row by row: walls of bricks with openings, a roof of tiles."""

from collections.abc import Callable, Sequence
from random import Random

from architecture.mesh import UNIT, Mesh, Point, between, draw, turn

Opening = tuple[int, int, int, int]
"""Where a wall has none: from, to along the wall, then up."""
Place = Callable[[int, int, int], Point]
"""From (along a wall, up, out of it) to a point."""

BRICK, COURSE, JOINT = 240, 80, 9
TILE, TILE_ROW, TILE_STEPS = 240, 330, 10
THOUSAND = 1000


def lay_bricks(
    meshes: Sequence[Mesh], place: Place, *, size: tuple[int, int], openings: Sequence[Opening], rng: Random, k: int
) -> None:
    """Lay a wall in running bond, each brick into one of some meshes; ``k`` thousandths of a brick's usual size."""
    long, high = BRICK * k // THOUSAND, COURSE * k // THOUSAND
    for course, low in enumerate(range(0, size[1], high)):
        for begin in range(-(long // 2) * (course % 2), size[0], long):
            left, right = max(0, begin), min(size[0], begin + long) - JOINT
            top = min(size[1], low + high) - JOINT
            if right - left < JOINT or top <= low or _within(openings, left, right, low, top):
                continue
            out = between(rng, 45, 60)
            one, two = place(left, low, 0), place(right, top, out)
            _lay(meshes[draw(rng, len(meshes))], one, two)


def _lay(mesh: Mesh, one: Point, two: Point) -> None:
    lows, highs = (tuple(pick(a, b) for a, b in zip(one, two, strict=True)) for pick in (min, max))
    mesh.box((lows[0], lows[1], lows[2]), (highs[0], highs[1], highs[2]))


def _within(openings: Sequence[Opening], left: int, right: int, low: int, top: int) -> bool:
    return any(left < to and right > begin and low < high and top > bottom for begin, to, bottom, high in openings)


def lay_tiles(mesh: Mesh, eave: tuple[Point, Point], ridge: Point, *, k: int) -> None:
    """Lay one slope of a roof: from the eave's two ends up to the height and depth of the ridge."""
    (left, low, near), (right, _, _) = eave
    wide, deep = TILE * k // THOUSAND, TILE_ROW * k // THOUSAND
    rise, run = ridge[1] - low, ridge[2] - near
    rows = max(2, (abs(run) + rise) * 4 // (5 * deep))
    bow = [turn(step, 2 * TILE_STEPS) for step in range(TILE_STEPS + 1)]
    for row in range(rows):
        y0, z0 = low + rise * row // rows, near + run * row // rows
        y1, z1 = low + rise * (row + 1) // rows, near + run * (row + 1) // rows
        for begin in range(left, right, wide):
            half = min(wide, right - begin) // 2
            lifted = [(begin + half - half * c // UNIT, half * s // UNIT) for c, s in bow]
            mesh.grid([[(x, y0 + 45 + up // 2, z0) for x, up in lifted], [(x, y1 + up // 3, z1) for x, up in lifted]])
