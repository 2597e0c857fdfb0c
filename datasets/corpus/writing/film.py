"""A film without sound: a pattern, two boxes that move over it, and grain; planes of 8-bit samples, 4:2:0."""

from collections.abc import Iterator
from random import Random

from writing.draws import draw

WIDTH, HEIGHT = 320, 192
GRAINS = 16
"""Rows of grain, drawn once; each row of each frame has one of them."""


def film(rng: Random, *, frames: int) -> bytes:
    """Return so many frames, each its luma plane and its two planes of color."""
    grain = [bytes(draw(rng, 9) for _ in range(WIDTH)) for _ in range(GRAINS)]
    wave = bytes(64 + _triangle(7 * x, 96) for x in range(4 * WIDTH))
    return b"".join(_frame(rng, number, grain=grain, wave=wave) for number in range(frames))


def _frame(rng: Random, number: int, *, grain: list[bytes], wave: bytes) -> bytes:
    luma = b"".join(_row(rng, number, y, grain=grain, wave=wave) for y in range(HEIGHT))
    colors = (
        bytes(128 + sign * (_triangle(x + 2 * number, 40) - _triangle(y + number, 30)) for x in range(WIDTH // 2))
        for sign in (1, -1)
        for y in range(HEIGHT // 2)
    )
    return luma + b"".join(colors)


def _row(rng: Random, number: int, y: int, *, grain: list[bytes], wave: bytes) -> bytes:
    begins = (3 * number + 2 * y) % (2 * WIDTH)
    row = bytearray(wave[begins : begins + WIDTH])
    for left, wide, light in _boxes(number, y):
        row[left : left + wide] = bytes([light]) * wide
    return bytes(map(sum, zip(row, grain[draw(rng, GRAINS)], strict=True)))


def _boxes(number: int, y: int) -> Iterator[tuple[int, int, int]]:
    """Yield left edge, width and light of each box that a row of a frame has."""
    if 30 <= (y + number) % HEIGHT < 90:
        yield _triangle(5 * number, WIDTH - 80), 80, 220
    if 100 <= (y + 2 * number) % HEIGHT < 140:
        yield _triangle(3 * number + 50, WIDTH - 50), 50, 40


def _triangle(at: int, height: int) -> int:
    """Return a wave that climbs to a height and falls again, one a step."""
    return height - abs(at % (2 * height) - height)
