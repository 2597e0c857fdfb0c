"""Where an order changes as a number grows, and what more of a countable factor bought."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.quantity import Scalar


@dataclass(frozen=True)
class Scaling:
    """What more of a countable factor (cpus, copies, threads) bought, from ``low`` to ``high`` of it.

    ``gain`` and its interval are shares (0.6 for +60 %); ``ideal`` is high / low - 1; ``efficiency`` is the ratio over
    high / low; ``serial_share`` is Karp and Flatt's e, None if it has no meaning. ``blocks_for_ideal`` is about how
    many blocks would show that the gain misses its ideal; of a comparison whose interval includes the ideal alone.
    """

    factor: str
    low: float
    high: float
    gain: float
    interval: Interval
    ideal: float
    efficiency: float
    serial_share: float | None
    blocks_for_ideal: int | None = None


@dataclass(frozen=True)
class Growth:
    """What more of a countable factor bought in one summary, ``fixed`` levels alike: exploratory, decides nothing.

    With a ``case`` it is what it bought in that case of a sweep, and ``summary`` is the metric's name.
    """

    summary: str
    baseline: str
    other: str
    fixed: Mapping[str, Scalar]
    scaling: Scaling
    case: Case = WHOLE_RUN


@dataclass(frozen=True)
class Overtaking:
    """Where the order of two treatments changes along a sweep, all else equal: exploratory, decides nothing.

    ``behind`` is worse than ``ahead`` at level ``low`` and better at level ``high``; ``at_low`` and ``at_high`` are the
    ratios behind / ahead of the metric there. ``shown`` is whether both intervals leave 1 out; if not, only the
    estimates change their order, and the intervals allow either.
    """

    ahead: str
    behind: str
    fixed: Mapping[str, Scalar]
    low: float
    high: float
    at_low: Estimate
    at_high: Estimate
    shown: bool


@dataclass(frozen=True)
class Crossing:
    """Where two treatments cross over as ``over`` grows, a case field or a factor such as cpus, or that they do not.

    ``ahead`` leads before the change and ``behind`` after it, which is between the levels ``low`` and ``high``; both
    are None if there is none in the range of ``levels``, all of which were measured: then ``ahead`` leads at most of
    them. ``shown`` is whether the intervals carry it: at both ends of a change, or at every level where there is none.
    Names are labels, or where these differ in the counted factor alone, levels of the compared one. Exploratory.
    """

    over: str
    ahead: str
    behind: str
    fixed: Mapping[str, Scalar]
    levels: tuple[float, ...]
    low: float | None
    high: float | None
    shown: bool


@dataclass(frozen=True)
class Sweep:
    """Cases that differ in one number alone, such as clients: the levels of that field, rising, and their cases' texts.

    ``fixed`` is what they have in common and other sweeps of the experiment have not (``operation=read``); empty if
    the sweep is all there is.
    """

    field: str
    levels: tuple[float, ...]
    cases: tuple[Case, ...]
    fixed: Case = WHOLE_RUN
