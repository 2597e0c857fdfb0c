"""The answers of the kernels, worked out once more and another way, from what their header comments say."""

import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.fft import fft as transform  # scipy's, as another implementation than ours
from scipy.sparse import diags_array, eye_array, kron

from tests.subjects import reckoned_loops, reckoned_methods


def fft() -> float:
    """16384 points; the sum of (1 + k mod 8) |X_k|^2 / N over every fifth k."""
    j = np.arange(16384)
    spectrum = transform((37 * j % 101) / 101 - 0.5 + 1j * (53 * j % 97) / 97)
    return float(np.sum(((1 + j % 8) * np.abs(spectrum) ** 2)[::5])) / 16384


def mandelbrot() -> float:
    """Escape times of 64 x 48 points, at most 200 steps each."""
    total = 0
    for row in range(48):
        for column in range(64):
            c = complex(-2.25 + 3.0 * column / 64, -1.5 + 3.0 * row / 48)
            z, steps = 0j, 0
            while steps < 200 and z.real * z.real + z.imag * z.imag <= 4.0:
                z = complex(z.real * z.real - z.imag * z.imag + c.real, 2.0 * z.real * z.imag + c.imag)
                steps += 1
            total += steps
    return float(total)


def matrix_multiply() -> float:
    """Column sums of the left matrix times row sums of the right one, in fractions: all elements of the product."""
    order = range(128)
    left = [sum(Fraction((7 * i + 3 * k) % 13, 16) for i in order) for k in order]
    right = [sum(Fraction((5 * k + 11 * j) % 17, 16) for j in order) for k in order]
    return float(sum(a * b for a, b in zip(left, right, strict=True)))


def monte_carlo_pi() -> float:
    """100,000 points from Marsaglia's generator in whole numbers."""
    state, inside, mask = 88172645463325252 + 1_000_000, 0, 2**64 - 1
    drawn = []
    for _ in range(200_000):
        state ^= state << 13 & mask
        state ^= state >> 7
        state ^= state << 17 & mask
        drawn.append((state >> 11) * 2.0**-53)
    for x, y in zip(drawn[::2], drawn[1::2], strict=True):
        inside += x * x + y * y <= 1.0
    return 4.0 * inside / 100_000


def n_body() -> float:
    """64 bodies, 20 steps of leapfrog; all pairs at once as arrays."""
    i = np.arange(64)
    mixed = np.stack([(37 * i + 11) % 64, (29 * i + 5) % 61, (43 * i + 17) % 59], axis=1)
    at, speed, mass = mixed / 64, (np.roll(mixed, -1, axis=1) - 30) / 128, (1 + i % 3) / 64

    def pull() -> np.ndarray:
        apart = at[None, :, :] - at[:, None, :]
        return np.asarray(np.einsum("j,ijx->ix", mass, apart / (np.sum(apart**2, axis=2) + 0.01)[:, :, None] ** 1.5))

    for _ in range(20):
        speed = speed + 0.005 * pull()
        at = at + 0.01 * speed
        speed = speed + 0.005 * pull()
    return float(np.sum((i + 1) * np.sum(at**2, axis=1)))


def sparse_matrix_vector() -> float:
    """10 steps of Richardson's iteration; the matrix as a sum of Kronecker products."""
    line = diags_array([-np.ones(127), 2 * np.ones(128), -np.ones(127)], offsets=[-1, 0, 1])
    laplacian = kron(line, eye_array(128)) + kron(eye_array(128), line)
    right, x = 1.0 + np.arange(128 * 128) % 7, np.zeros(128 * 128)
    for _ in range(10):
        x = x + 0.2 * (right - laplacian @ x)
    return float(np.sum(x[::5]))


def stencil_5_point() -> float:
    """10 steps of heat conduction on whole slices."""
    i, j = np.indices((258, 258))
    heat = (7 * i + 13 * j) % 17 / 16
    for _ in range(10):
        around = heat[:-2, 1:-1] + heat[2:, 1:-1] + heat[1:-1, :-2] + heat[1:-1, 2:]
        heat[1:-1, 1:-1] = 0.2 * heat[1:-1, 1:-1] + 0.2 * around
    return float(np.sum(heat[1:-1, 1:-1].ravel()[::5]))


def stream_triad() -> float:
    """Every 509th of b + 3 c, added up in whole numbers."""
    return float(sum(1 + i % 7 + 3 * (i % 13) for i in range(0, 2097152, 509)))


RECKONED: dict[str, Callable[[], float]] = {
    "fft": fft,
    "mandelbrot": mandelbrot,
    "matrix-multiply": matrix_multiply,
    "monte-carlo-pi": monte_carlo_pi,
    "n-body": n_body,
    "sparse-matrix-vector": sparse_matrix_vector,
    "stencil-5-point": stencil_5_point,
    "stream-triad": stream_triad,
}


ALL = {**RECKONED, **reckoned_loops.RECKONED, **reckoned_methods.RECKONED}
WORKLOADS = Path(__file__).parents[2] / "workloads"


def expected(workload: str) -> dict[str, float]:
    told = tomllib.loads((WORKLOADS / workload / "answers.toml").read_text())["answers"]
    return {case.removeprefix("kernel="): float(answer) for case, answer in told.items()}


def test_every_answer_of_the_workloads_is_worked_out_here() -> None:
    assert set(RECKONED) == set(expected("kernel-sweep-8"))
    assert set(ALL) == set(expected("kernel-sweep"))


def test_a_kernel_has_one_answer_in_both_workloads() -> None:
    assert expected("kernel-sweep").items() >= expected("kernel-sweep-8").items()


@pytest.mark.parametrize("kernel", sorted(ALL))
def test_the_answer_of_the_workload_is_what_python_works_out(kernel: str) -> None:
    assert ALL[kernel]() == pytest.approx(expected("kernel-sweep")[kernel], rel=1e-9)
