"""Metrics, summaries, and the small types that they are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Scalar = str | int | float | bool
Better = Literal["higher", "lower", "neither"]
Source = Literal["load", "batch", "run", "search"]
By = Literal["geometric-mean", "mean", "max", "min", "where-max"]


@dataclass(frozen=True)
class Metric:
    """A named quantity from ``schemas/metrics.toml``.

    ``words`` are the words of prose for a better and for a worse value. ``source`` is the kind of record that holds
    it. For batch records the value is work / elapsed seconds of records whose work is counted in ``work``, divided by
    the record's own figure named by ``per`` if there is one; a batch metric without ``work`` is read from the
    record's ``metrics``.
    """

    name: str
    says: str
    unit: str
    better: Better
    words: tuple[str, str] | None
    source: Source
    work: str | None = None
    per: str | None = None


@dataclass(frozen=True)
class Summary:
    """A summary of the cases of one run: ``by`` over the cases whose fields are in ``where`` (empty: all).

    ``where-max`` is not a value of the metric but of the case field ``at``, a number, in the case with the highest
    metric (the smallest such number if several are equal): shown, never judged, without a unit.
    """

    name: str
    of: str
    by: By
    where: Mapping[str, tuple[Scalar, ...]]
    at: str | None = None


def scalar_text(value: Scalar) -> str:
    """Return a level or a case field as people write it: ``1``, ``0.85``, ``on``.

    >>> scalar_text(0.85), scalar_text(True), scalar_text(1.0)
    ('0.85', 'true', '1')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)
