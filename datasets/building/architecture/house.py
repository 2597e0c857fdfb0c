"""The house: walls of bricks, a tiled roof, windows, a portico, cornices. Its front is at z = 0, and looks to -z."""

from collections.abc import Iterator, Sequence
from random import Random

from architecture.mesh import Mesh, Point
from architecture.walls import Opening, lay_bricks, lay_tiles

HALF, DEEP, HIGH = 15_000, 12_000, 12_000
BAY, STOREY = 3_000, 4_000
WINDOW = (800, 2_200, 900, 3_200)
"""Of a bay and storey: from, to along the wall, then up."""
RIDGE = 15_600
COLUMNS = (-7_500, -4_500, -1_500, 1_500, 4_500, 7_500)
PORCH, PORCH_HIGH = 3_000, 3_900


def bricks(rng: Random, *, k: int) -> tuple[Mesh, ...]:
    """Return the bricks of the front and of both sides, in three colors."""
    meshes = (Mesh(), Mesh(), Mesh())
    lay_bricks(
        meshes,
        lambda along, up, out: (along - HALF, up, -out),
        size=(2 * HALF, HIGH),
        openings=_openings(2 * HALF),
        rng=rng,
        k=k,
    )
    for side in (-1, 1):
        lay_bricks(
            meshes,
            lambda along, up, out, side=side: (side * (HALF + out), up, along),
            size=(DEEP, HIGH),
            openings=_openings(DEEP),
            rng=rng,
            k=k,
        )
    return meshes


def _openings(length: int) -> list[Opening]:
    left, right, low, high = WINDOW
    return [
        (bay + left, bay + right, storey + low, storey + high)
        for bay in range(0, length, BAY)
        for storey in range(0, HIGH, STOREY)
    ]


def roof(*, k: int) -> Mesh:
    """Return both slopes of tiles."""
    mesh, ridge = Mesh(), (0, RIDGE, DEEP // 2)
    for near in (-700, DEEP + 700):
        ends = (-HALF - 500, HIGH + 250, near), (HALF + 500, HIGH + 250, near)
        lay_tiles(mesh, ends, ridge, k=k)
    return mesh


def stone() -> Mesh:
    """Return what is of stone: the core behind the bricks, gables, cornice, sills, steps, porch, the basin's rim."""
    mesh = Mesh()
    for low, high in (*_core(), *_cornice(), *_porch(), *_rim()):
        mesh.box(low, high)
    for x in (-HALF, HALF):
        mesh.triangle((x, HIGH, 0), (x, HIGH, DEEP), (x, RIDGE - 100, DEEP // 2))
    return mesh


def _core() -> Iterator[tuple[Point, Point]]:
    """Yield the wall behind the bricks, which leaves the windows free."""
    left, right, low, high = WINDOW
    for storey in range(0, HIGH, STOREY):
        for bottom, top in ((storey, storey + low), (storey + high, storey + STOREY)):
            yield (-HALF, bottom, 0), (HALF, top, 300)
            yield (-HALF, bottom, 0), (-HALF + 300, top, DEEP)
            yield (HALF - 300, bottom, 0), (HALF, top, DEEP)
        for bay in range(0, 2 * HALF, BAY):
            x = bay - HALF
            yield (x, storey + low, 0), (x + left, storey + high, 300)
            yield (x + right, storey + low, 0), (x + BAY, storey + high, 300)
            yield (x + left - 120, storey + low - 110, -150), (x + right + 120, storey + low, 60)
        for bay in range(0, DEEP, BAY):
            for x in (-HALF, HALF - 300):
                yield (x, storey + low, bay), (x + 300, storey + high, bay + left)
                yield (x, storey + low, bay + right), (x + 300, storey + high, bay + BAY)
        yield (-HALF, storey + STOREY - 100, 300), (HALF, storey + STOREY, DEEP)


def _cornice() -> Iterator[tuple[Point, Point]]:
    yield (-HALF - 350, HIGH, -350), (HALF + 350, HIGH + 120, DEEP + 350)
    yield (-HALF - 550, HIGH + 120, -550), (HALF + 550, HIGH + 240, DEEP + 550)
    for x in range(-HALF - 300, HALF + 300, 300):
        yield (x, HIGH - 180, -300), (x + 150, HIGH, 0)
    for storey in (STOREY, 2 * STOREY):
        yield (-HALF - 120, storey - 60, -140), (HALF + 120, storey + 60, 0)


def _porch() -> Iterator[tuple[Point, Point]]:
    reach = COLUMNS[-1] + 700
    yield (-reach, PORCH_HIGH, -PORCH - 500), (reach, PORCH_HIGH + 350, 0)
    yield (-reach - 150, PORCH_HIGH + 350, -PORCH - 650), (reach + 150, PORCH_HIGH + 450, 0)
    for step in range(4):
        yield (-reach - 400 * step, -40, -PORCH - 700 - 400 * step), (reach + 400 * step, 280 - 80 * step, -60)
    for x in COLUMNS:
        yield (x - 430, 280, -PORCH - 430), (x + 430, 420, -PORCH + 430)
        yield (x - 420, PORCH_HIGH - 140, -PORCH - 420), (x + 420, PORCH_HIGH, -PORCH + 420)
    for low, high in ((450, 520), (1_250, 1_400)):
        yield (-reach, PORCH_HIGH + low, -PORCH - 560), (reach, PORCH_HIGH + high, -PORCH - 340)


def _rim() -> Iterator[tuple[Point, Point]]:
    yield (-8_500, -30, -18_500), (8_500, 350, -18_100)
    yield (-8_500, -30, -8_900), (8_500, 350, -8_500)
    yield (-8_500, -30, -18_100), (-8_100, 350, -8_900)
    yield (8_100, -30, -18_100), (8_500, 350, -8_900)


def window() -> Mesh:
    """Return the frame of a window with its bars, its lower left corner at the origin."""
    mesh, (left, right, low, high) = Mesh(), WINDOW
    wide, tall = right - left, high - low
    for x in (0, wide // 2 - 35, wide - 80):
        mesh.box((x, 0, 60), (x + (70 if x else 80), tall, 140))
    for y in (0, tall * 2 // 5, tall * 7 // 10, tall - 80):
        mesh.box((0, y, 65), (wide, y + (45 if 0 < y < tall - 80 else 80), 135))
    return mesh


def windows() -> Sequence[tuple[Point, int]]:
    """Return where windows are: the corner, and by how many degrees it is turned about the upright."""
    left, right, low, _ = WINDOW
    places: list[tuple[Point, int]] = []
    for storey in range(0, HIGH, STOREY):
        places += [((bay - HALF + left, storey + low, 0), 0) for bay in range(0, 2 * HALF, BAY)]
        places += [((-HALF, storey + low, bay + right), 90) for bay in range(0, DEEP, BAY)]
        places += [((HALF, storey + low, bay + left), -90) for bay in range(0, DEEP, BAY)]
    return places


def column() -> Mesh:
    """Return a fluted column that swells and tapers, its foot at the origin."""
    mesh, high = Mesh(), PORCH_HIGH - 560
    shaft = [(330 - 60 * ring * ring // 576, 130 + (high - 260) * ring // 24) for ring in range(25)]
    mesh.lathe([(400, 0), (410, 60), (360, 110), (335, 130)], steps=96)
    mesh.lathe(shaft, steps=96, deep=22)
    mesh.lathe([(275, high - 130), (330, high - 90), (390, high - 30), (390, high)], steps=96)
    return mesh


def baluster() -> Mesh:
    """Return one post of the balustrade, its foot at the origin."""
    profile = (70, 75, 60, 35, 30, 40, 62, 78, 84, 78, 60, 42, 34, 36, 55, 70, 70)
    mesh = Mesh()
    mesh.lathe([(radius, 730 * ring // 16) for ring, radius in enumerate(profile)], steps=24)
    return mesh
