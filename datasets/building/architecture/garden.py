"""What grows and what lies around the house: ground, grass, hedges, trees."""

import math
from collections.abc import Iterator
from random import Random

from architecture.mesh import UNIT, Mesh, Point, between, draw, turn

EDGE, BACK = 60_000, 90_000
"""The ground reaches so far to both sides and to the front, and so far to the back."""
FLAT = 24_000
"""Within so many millimeters of the house and its garden the ground is flat."""
BASIN = ((-8_500, 8_500), (-18_500, -8_500))
"""From where to where the basin reaches, along x and z."""


def ground(rng: Random, *, cell: int) -> Mesh:
    """Return the ground: flat around the house, hills behind and beside."""
    mesh = Mesh()
    xs, zs = (range(-EDGE, reach + cell, cell) for reach in (EDGE, BACK))
    mesh.grid([[(x, _height(x, z, rng), z) for x in xs] for z in zs])
    return mesh


def _height(x: int, z: int, rng: Random) -> int:
    beyond = max(0, abs(x) - FLAT, z - FLAT, -z - 2 * FLAT)
    roll = turn((3 * x + 2 * z) // 64, 2_500)[1] + turn((x - 3 * z) // 64, 1_700)[0]
    return -30 + beyond // 5 + beyond * roll // (9 * UNIT) + between(rng, 0, beyond // 20)


def grass(rng: Random, *, count: int) -> Mesh:
    """Return blades of grass, a triangle each, on the lawn before the house."""
    mesh = Mesh()
    while len(mesh.faces) < count:
        x, z = between(rng, -24_000, 24_000), between(rng, -31_000, -5_500)
        if BASIN[0][0] < x < BASIN[0][1] and BASIN[1][0] < z < BASIN[1][1]:
            continue
        c, s = turn(draw(rng, 64), 64)
        wide, high, lean = between(rng, 15, 35), between(rng, 60, 170), between(rng, -40, 40)
        side = (wide * c // UNIT, wide * s // UNIT)
        mesh.triangle((x - side[0], -30, z - side[1]), (x + side[0], -30, z + side[1]), (x + lean, high, z + lean))
    return mesh


def leaf(mesh: Mesh, center: Point, *, size: int, rng: Random) -> None:
    """Add a leaf: two triangles, folded along their common side."""
    c, s = turn(draw(rng, 64), 64)
    tilt, (x, y, z) = between(rng, -size, size), center
    along, across = (size * c // UNIT, size * s // UNIT), (-size * s // (2 * UNIT), size * c // (2 * UNIT))
    stem, tip = (x - along[0], y - tilt // 2, z - along[1]), (x + along[0], y + tilt // 2, z + along[1])
    mesh.triangle(stem, tip, (x + across[0], y + size // 3, z + across[1]))
    mesh.triangle(stem, tip, (x - across[0], y + size // 3, z - across[1]))


def hedge(rng: Random, *, count: int, size: int) -> Mesh:
    """Return a hedge 11 m long, 1 m high, along z: leaves close to its outside."""
    mesh = Mesh()
    for _ in range(count):
        x, y, z = between(rng, -400, 400), between(rng, 0, 1_000), between(rng, 0, 11_000)
        if draw(rng, 3):
            y = between(rng, 930, 1_000)
        else:
            x = (-400, 400)[draw(rng, 2)]
        leaf(mesh, (x, y, z), size=size, rng=rng)
    return mesh


def tree(rng: Random, *, count: int, size: int) -> Mesh:
    """Return the crown of a tree: leaves in balls around the ends of its boughs."""
    mesh = Mesh()
    balls = [(*_ball(rng), between(rng, 900, 1_500)) for _ in range(14)]
    for _ in range(count):
        x, y, z, radius = balls[draw(rng, len(balls))]
        dx, dy, dz = _direction(rng)
        out = radius * between(rng, 700, 1_000) // 1_000
        leaf(mesh, (x + dx * out // UNIT, y + dy * out // UNIT, z + dz * out // UNIT), size=size, rng=rng)
    return mesh


def _ball(rng: Random) -> Point:
    c, s = turn(draw(rng, 128), 128)
    out = between(rng, 0, 1_600)
    return (out * c // UNIT, between(rng, 3_600, 7_200), out * s // UNIT)


def _direction(rng: Random) -> Point:
    """Return a direction, all as likely: the first point of a cube that lies in the ball, brought to length one."""
    for x, y, z in _points(rng):
        square = x * x + y * y + z * z
        if 0 < square <= 1_000_000:
            length = math.isqrt(square * 1_000_000)
            return (x * UNIT * 1_000 // length, y * UNIT * 1_000 // length, z * UNIT * 1_000 // length)
    raise AssertionError("points never end")


def _points(rng: Random) -> Iterator[Point]:
    while True:
        yield between(rng, -1_000, 1_000), between(rng, -1_000, 1_000), between(rng, -1_000, 1_000)
