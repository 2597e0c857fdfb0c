"""Answers of kernels that solve something, worked out another way than in C: by LAPACK, scipy or whole numbers."""

from collections.abc import Callable
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm, solve_banded
from scipy.special import ndtr

from tests.subjects.draws import FIRST_STATE, draws, states

Array = NDArray[np.float64]


def black_scholes() -> float:
    """Price all options at once, with scipy's normal distribution."""
    i = np.arange(4096)
    spot, strike, years = 80.0 + 37 * i % 41, 70.0 + 53 * i % 61, (1 + i % 24) / 12
    spread = 0.2 * np.sqrt(years)
    first = (np.log(spot / strike) + (0.05 + 0.02) * years) / spread
    return float(np.sum(spot * ndtr(first) - strike * np.exp(-0.05 * years) * ndtr(first - spread)))


def _near(order: int) -> Array:
    i, j = np.indices((order, order))
    return np.asarray(1.0 / (1 + np.abs(i - j)))


def cholesky() -> float:
    """LAPACK's factor."""
    factor = np.linalg.cholesky(_near(160) + np.eye(160))
    return float(np.sum((1 + np.arange(160) % 8) @ factor))


def jacobi_eigenvalues() -> float:
    """LAPACK's eigenvalues."""
    values = np.linalg.eigvalsh(_near(40) + np.diag(np.arange(40) / 40))
    return float(np.sum(np.sqrt(values)))


def lu_decomposition() -> float:
    """LAPACK's solution."""
    x = np.linalg.solve(np.array(draws(128 * 128)).reshape(128, 128) - 0.5, 1.0 + np.arange(128) % 7)
    return float(np.sum((1 + np.arange(128) % 8) * x**2))


def qr_decomposition() -> float:
    """LAPACK's triangle; the signs of its rows do not matter."""
    triangle = np.asarray(np.linalg.qr((np.array(draws(96 * 96)).reshape(96, 96) - 0.5).T, mode="r"))
    return float(np.sum((1 + np.arange(96) % 8) @ triangle**2))


def matrix_exponential() -> float:
    """scipy's, by Pade's approximation."""
    i, j = np.indices((32, 32))
    return float(np.sum((1 + np.arange(32) % 8) @ expm(((7 * i + 3 * j) % 13 - 6) / 64) ** 2))


def tridiagonal_solve() -> float:
    """LAPACK's banded solution, with row interchanges."""
    i = np.arange(32768)
    below, diagonal, above = -(1 + i % 3) / 4, 2 + i % 5 / 4, -(1 + i % 4) / 8
    bands = np.stack([np.roll(above, 1), diagonal, np.roll(below, -1)])
    return float(np.sum(solve_banded((1, 1), bands, 1.0 + i % 7)[::5]))


def conjugate_gradient() -> float:
    """20 steps on whole grids."""
    i, j = np.indices((64, 64))
    x, residual = np.zeros((64, 64)), 1 + (7 * i + 13 * j) % 17 / 16
    direction, square = residual, float(np.sum(residual**2))
    for _ in range(20):
        padded = np.pad(direction, 1)
        product = 4 * direction - padded[:-2, 1:-1] - padded[2:, 1:-1] - padded[1:-1, :-2] - padded[1:-1, 2:]
        length = square / float(np.sum(direction * product))
        x, residual = x + length * direction, residual - length * product
        left = float(np.sum(residual**2))
        direction, square = residual + left / square * direction, left
    return float(np.sum(x.ravel()[::5]))


def wavelet() -> float:
    """Each level as a filter around the circle, every second value of it."""
    root = np.sqrt(3.0)
    low = np.array([1 + root, 3 + root, 3 - root, 1 - root]) / (4 * np.sqrt(2.0))
    high = low[::-1] * [1, -1, 1, -1]
    smooth, parts = 37 * np.arange(32768) % 101 / 101 - 0.5, []
    while len(smooth) >= 4:
        ahead = np.stack([np.roll(smooth, -k)[::2] for k in range(4)])
        smooth, detail = low @ ahead, high @ ahead
        parts.append(detail)
    made = np.concatenate([smooth, *reversed(parts)])
    return float(np.sum((1 + np.arange(32768) % 8) * made**2))


def polynomial() -> float:
    """All powers of each point, term by term."""
    x, k = np.arange(32768) / 32768, np.arange(32)
    return float(sum(np.sum((1 + 7 * k % 5) / (1 + k) * each**k) for each in x))


def runge_kutta() -> float:
    """All 256 points at once."""
    i = np.arange(256)
    at = np.stack([(37 * i % 64 - 32) / 4, (29 * i % 61 - 30) / 4, 20 + 43 * i % 59 / 4])
    for _ in range(40):
        first = _lorenz(at)
        second = _lorenz(at + 0.005 * first)
        third = _lorenz(at + 0.005 * second)
        at = at + 0.01 / 6 * (first + 2 * (second + third) + _lorenz(at + 0.01 * third))
    return float(np.sum(at**2))


def _lorenz(at: Array) -> Array:
    x, y, z = at
    return np.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])


def heapsort() -> float:
    """Let numpy put them in order."""
    return float(np.sum((1 + np.arange(8192) % 8) * np.sort(draws(8192))))


def random_access() -> float:
    """Only those entries that are changed, in a dictionary."""
    table: dict[int, int] = {}
    total = 0
    for state in islice(states(FIRST_STATE + 1_000_000), 32768):
        place = state % 2**22
        table[place] = table.get(place, place) ^ state
        total += table[place] >> 54
    return float(total)


def edit_distance() -> float:
    """Follow each diagonal as far as so many edits reach (Ukkonen 1985)."""
    letters = [int(4 * each) for each in draws(1024)]
    one, other, edits, reach = letters[::2], letters[1::2], 0, {0: _slide(letters[::2], letters[1::2], 0, 0)}
    while reach.get(0, -1) < len(one):
        edits += 1
        reach = {d: _slide(one, other, d, _farthest(reach, d)) for d in range(-edits, edits + 1)}
    return float(edits)


def _farthest(reach: dict[int, int], diagonal: int) -> int:
    """Return how far in the first text one edit more leads on a diagonal (place in the other less that in the one)."""
    never = -2
    changed, left_out = reach.get(diagonal, never) + 1, reach.get(diagonal + 1, never) + 1
    return min(max(changed, left_out, reach.get(diagonal - 1, never)), 512, 512 - diagonal)


def _slide(one: list[int], other: list[int], diagonal: int, at: int) -> int:
    while 0 <= at < len(one) and 0 <= at + diagonal < len(other) and one[at] == other[at + diagonal]:
        at += 1
    return at


RECKONED: dict[str, Callable[[], float]] = {
    "black-scholes": black_scholes,
    "cholesky": cholesky,
    "conjugate-gradient": conjugate_gradient,
    "edit-distance": edit_distance,
    "heapsort": heapsort,
    "jacobi-eigenvalues": jacobi_eigenvalues,
    "lu-decomposition": lu_decomposition,
    "matrix-exponential": matrix_exponential,
    "polynomial": polynomial,
    "qr-decomposition": qr_decomposition,
    "random-access": random_access,
    "runge-kutta": runge_kutta,
    "tridiagonal-solve": tridiagonal_solve,
    "wavelet": wavelet,
}
