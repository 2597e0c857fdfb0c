"""The kind of query, or the step of a session, that makes most of the difference between two setups, if one does."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.analysis.curves import QueryTime
from headtohead.model.analysis.results import ExperimentResult
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.names import case_phrase
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import scale_for, significant
from headtohead.report.text.setup_names import short
from headtohead.report.text.wording import capital

MOST = 1 / 2
"""One kind must make more than this part of the difference of the means."""
HALF = 0.5
"""A kind of more than this share of the requests is most of the load, and no surprise."""
CLEAR = 1.1
"""Means of two setups that are closer than this factor have no difference to look for."""


@dataclass(frozen=True)
class _Kind:
    name: str
    share: float
    times_ns: tuple[float, float]


def query_that_decides(result: ExperimentResult) -> str:
    """Return which kind makes most of the difference of the mean response times, and the means without it, or nothing.

    See ``_most_of_difference``.
    """
    kinds = _kinds_of(result)
    most = _most_of_difference(result, kinds)
    if most is None:
        return ""
    arms = arms_of(result)
    names = [short(each, result) for each in arms]
    where = case_phrase(arms[0].queries[0].case)
    only = " (the only level with times by kind)" if where and result.sweep else ""
    start = f"{capital(where)}{only}, " if where else ""
    took = " and ".join(f"{_time(ns)} with {name}" for ns, name in zip(most.times_ns, names, strict=True))
    rest = " and ".join(map(_time, _means([each for each in kinds if each is not most])))
    return (
        f"{start}“{most.name}” ({share(most.share)} of the requests, 1 of {len(kinds)} kinds) makes most of "
        f"the difference in response time: {took}; without it the mean is {rest} (best estimates)."
    )


def in_mix(result: ExperimentResult) -> str:
    """Return which kind of the mix makes most of the difference, and where, in brackets; empty if none does."""
    most = _most_of_difference(result, _kinds_of(result))
    if most is None:
        return ""
    where = case_phrase(arms_of(result)[0].queries[0].case)
    return f" (“{most.name}”, {share(most.share)} of them, makes most of the difference{f' {where}' if where else ''})"


def query_to_look_at(result: ExperimentResult) -> str:
    """Return what to do about a kind that makes most of the difference; empty if none does."""
    most = _most_of_difference(result, _kinds_of(result))
    loser = next((short(each, result) for each in arms_of(result) if each.label != _winner(result)), "")
    return f"See how {loser} runs “{most.name}”, and try your own mix." if most else ""


def _kinds_of(result: ExperimentResult) -> list[_Kind]:
    """Return the kinds of the two setups of an answer with a winner; none of any other answer."""
    arms = arms_of(result)
    if len(arms) != 2 or _winner(result) not in [each.label for each in arms]:
        return []
    return _kinds(*({each.query: each for each in arm.queries} for arm in arms))


def _most_of_difference(result: ExperimentResult, kinds: list[_Kind]) -> _Kind | None:
    """Return the kind that makes most of the difference of two mean response times, if it is not most of the load.

    None unless shares are known, and the winner has the shorter mean.
    """
    if len(kinds) < 2:
        return None
    means = _means(kinds)
    lost_ns, won_ns = means if arms_of(result)[-1].label == _winner(result) else means[::-1]
    if lost_ns < CLEAR * won_ns:
        return None
    difference = means[1] - means[0]
    most = max(kinds, key=lambda each: _added(each) / difference)
    return most if _added(most) / difference > MOST and most.share <= HALF else None


def _winner(result: ExperimentResult) -> str:
    """Return the label of the setup that won; empty if no comparison, or more than one, was made or has no winner."""
    if len(result.comparisons) != 1:
        return ""
    (pair,) = result.comparisons
    return {"better": pair.other, "worse": pair.baseline}.get(pair.verdict, "")


def _kinds(one: Mapping[str, QueryTime], other: Mapping[str, QueryTime]) -> list[_Kind]:
    """Return the kinds of two setups; none if one lacks a kind, or a share."""
    pairs = [(one[name], other[name]) for name in one if name in other]
    shares = [(a.share + b.share) / 2 for a, b in pairs if a.share is not None and b.share is not None]
    if len(shares) < max(len(one), len(other)):
        return []
    return [
        _Kind(a.query, part, (a.response_time_mean_ns.value, b.response_time_mean_ns.value))
        for (a, b), part in zip(pairs, shares, strict=True)
    ]


def _means(kinds: list[_Kind]) -> tuple[float, float]:
    """Return the mean response time of each setup over kinds, in ns; 0 without kinds."""
    whole = sum(each.share for each in kinds) or 1.0
    first, second = (sum(each.share * each.times_ns[place] for each in kinds) / whole for place in (0, 1))
    return first, second


def _added(kind: _Kind) -> float:
    return kind.share * (kind.times_ns[1] - kind.times_ns[0])


def _time(ns: float) -> str:
    scale = scale_for("ns", [ns])
    return f"{significant(ns / scale.factor)} {scale.unit}"
