"""Answers of kernels that walk over arrays, worked out another way than in C: STREAM, BLAS, Livermore loops, grids."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.signal import convolve2d

Array = NDArray[np.float64]
STREAM = range(0, 2097152, 509)


def stream_add() -> float:
    """Every 509th of a + b, in whole numbers."""
    return float(sum(1 + i % 7 + i % 13 for i in STREAM))


def stream_copy() -> float:
    """Every 509th of a, in whole numbers."""
    return float(sum(1 + i % 7 for i in STREAM))


def stream_scale() -> float:
    """Every 509th of 3 c, in whole numbers."""
    return float(sum(3 * (i % 13) for i in STREAM))


def daxpy() -> float:
    """All factors together, times the sum of x, and the sum of y, in fractions."""
    factors = sum(Fraction(1 + time % 5, 1024) for time in range(2000))
    x = sum(Fraction(7 * i % 17, 16) for i in range(1024))
    return float(factors * x + sum(Fraction(i % 13, 16) for i in range(1024)))


def dot_product() -> float:
    """Each y times all x that it meets, in whole numbers of 1/256."""
    x = np.cumsum([0, *(7 * i % 17 for i in range(8192 + 100))])
    met = x[100:][:8192] - x[:8192]
    return float(np.sum(met * ((5 * np.arange(8192) + 3) % 19))) / 256


def matrix_vector() -> float:
    """Whole numbers: the matrix of 1/16, the product of 1/256."""
    i, j = np.indices((1024, 1024))
    y = ((7 * i + 3 * j) % 13) @ (5 * np.arange(1024) % 11)
    return float(np.sum((1 + np.arange(1024) % 8) * y)) / 256


def hydro_fragment() -> float:
    """One place of each of 1000 times, in fractions."""
    total = Fraction(0)
    for time in range(1000):
        k = 37 * time % 1000
        near = Fraction(7 * (k + 10) % 13, 64) + Fraction(7 * (k + 11) % 13, 128)
        total += Fraction(time, 256) + Fraction(5 * k % 11, 16) * near
    return float(total)


def linear_recurrence() -> float:
    """Solve the triangular system (1 - B) w = 1 as one."""
    matrix = np.eye(512)
    for i in range(512):
        for k in range(i):
            matrix[i, i - k - 1] -= (1 + (7 * i + 3 * k) % 13) / 8192
    return float(np.sum(np.linalg.solve(matrix, np.ones(512))))


def explicit_hydrodynamics() -> float:
    """5 steps on whole grids: pressures push, speeds follow, places follow them."""
    k, j = np.indices((66, 66))
    p = (1 + (7 * k + 13 * j) % 17) / 16 + (5 * k + 3 * j) % 11 / 32
    m = 1 + (3 * k + 5 * j) % 7 / 8
    r, z = j + k % 5 / 8, k + j % 7 / 8
    u, v, across, upward = (np.zeros((66, 66)) for _ in range(4))
    for _ in range(5):
        left, here = _inner(p, 0, -1), _inner(p)
        across[1:-1, 1:-1] = (_inner(p, 1, -1) - left) * (_inner(r) + _inner(r, 0, -1))
        across[1:-1, 1:-1] /= _inner(m, 0, -1) + _inner(m, 1, -1)
        upward[1:-1, 1:-1] = (left - here) * (_inner(r) + _inner(r, -1, 0)) / (_inner(m) + _inner(m, 0, -1))
        faster = [_pushed(each, across, upward) / 64 for each in (z, r)]
        u[1:-1, 1:-1] += faster[0]
        v[1:-1, 1:-1] += faster[1]
        r, z = r + u / 64, z + v / 64
    return float(np.sum((_inner(u) ** 2 + _inner(v) ** 2).ravel()[::5]))


def _inner(grid: Array, down: int = 0, right: int = 0) -> Array:
    """Return the inner points of a grid, or the neighbors of each in one direction."""
    rows, columns = grid.shape
    return grid[1 + down : rows - 1 + down, 1 + right : columns - 1 + right]


def _pushed(place: Array, across: Array, upward: Array) -> Array:
    here = _inner(place)
    sideways = _inner(across) * (here - _inner(place, 0, 1)) - _inner(across, 0, -1) * (here - _inner(place, 0, -1))
    lengthwise = _inner(upward, 1, 0) * (here - _inner(place, 1, 0)) - _inner(upward) * (here - _inner(place, -1, 0))
    return sideways + lengthwise


def gauss_seidel() -> float:
    """10 sweeps along the diagonals i + j: what one point needs is new before it and old behind it."""
    i, j = np.indices((130, 130))
    f, u = (7 * i + 13 * j) % 17 / 16, np.zeros((130, 130))
    for _ in range(10):
        for diagonal in range(2, 257):
            row = np.arange(max(1, diagonal - 128), min(128, diagonal - 1) + 1)
            column = diagonal - row
            around = u[row - 1, column] + u[row + 1, column] + u[row, column - 1] + u[row, column + 1]
            u[row, column] = (around + f[row, column]) / 4
    return float(np.sum(_inner(u).ravel()[::5]))


def stencil_7_point() -> float:
    """2 steps of heat conduction on whole blocks."""
    i, j, k = np.indices((66, 66, 66))
    heat = (7 * i + 13 * j + 5 * k) % 17 / 16
    inside = slice(1, -1)
    for _ in range(2):
        new = 0.25 * heat[inside, inside, inside]
        for axis in range(3):
            new += 0.125 * (np.roll(heat, 1, axis) + np.roll(heat, -1, axis))[inside, inside, inside]
        heat[inside, inside, inside] = new
    return float(np.sum(heat[inside, inside, inside].ravel()[::5]))


def convolution() -> float:
    """Use scipy's, in whole numbers of 1/1024."""
    i, j = np.indices((196, 196))
    a, b = np.indices((5, 5))
    made = convolve2d((7 * i + 13 * j) % 17, 1 + (3 * a + 5 * b) % 7, mode="valid")
    return float(np.sum((1 + np.arange(192) % 8) * made)) / 1024


RECKONED: dict[str, Callable[[], float]] = {
    "convolution": convolution,
    "daxpy": daxpy,
    "dot-product": dot_product,
    "explicit-hydrodynamics": explicit_hydrodynamics,
    "gauss-seidel": gauss_seidel,
    "hydro-fragment": hydro_fragment,
    "linear-recurrence": linear_recurrence,
    "matrix-vector": matrix_vector,
    "stencil-7-point": stencil_7_point,
    "stream-add": stream_add,
    "stream-copy": stream_copy,
    "stream-scale": stream_scale,
}
