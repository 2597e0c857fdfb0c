"""A straight line through points: its slope, the p of that, and what it leaves unexplained."""

from collections.abc import Mapping, Sequence

import numpy as np

from headtohead.analyze.statistics.paired import Floats, t_tail


def slope(at: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return the slope of a straight line through the points and its two-sided p (1 if there is none)."""
    x, y = _centered(at), _centered(values)
    n, spread = len(x), float(x @ x)
    if n < 3 or spread == 0:
        return 0.0, 1.0
    steep = float(x @ y) / spread
    left = float(((y - steep * x) ** 2).sum())
    if left <= 0:
        return steep, 0.0 if steep else 1.0
    return steep, t_tail(steep / (left / (n - 2) / spread) ** 0.5, n - 2)


def _centered(values: Sequence[float]) -> Floats:
    table = np.asarray(values, dtype=np.float64)
    return np.asarray(table - table.mean())


def left_by_line(logs: Mapping[int, float]) -> float:
    """Return the sum of squares that a straight line over the blocks leaves unexplained."""
    values: Sequence[float] = [*logs.values()]
    line = np.polyval(np.polyfit([*logs], values, 1), [*logs])
    return float(np.sum((np.asarray(values) - line) ** 2))
