"""The record of one case, as in schemas/record.json. Fields that only a separate driver has are null."""

from typing import Any

from tally import Tally, quantile
from words import Words

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
NOT_APPLICABLE = (
    *("scheduled", "rate_error", "queued", "offered_load_per_s", "received_bytes_per_s", "reconnects", "connects"),
    *("handshakes", "handshakes_resumed", "handshakes_per_s", "send_lag_p50_ns", "send_lag_p99_ns", "send_lag_max_ns"),
    *("compression_ratio", "plain_answers", "driver_cpu_s", "driver_delay_s", "driver_memory_peak_bytes"),
)


def record(asked: Words, tally: Tally, *, zero_ns: int) -> dict[str, Any]:
    """Return the record; times count from ``zero_ns``."""
    return {
        **{"format": 1, "record": "load", "driver": asked.driver, "case": asked.case, "loop": "closed"},
        **{"from_ns": tally.from_ns - zero_ns, "to_ns": tally.to_ns - zero_ns, "elapsed_ns": tally.elapsed_ns},
        **{"sent": len(tally.courses), "right": tally.right, "errors": tally.errors, "late": tally.late},
        **dict.fromkeys(NOT_APPLICABLE),
        "response_rate_per_s": _per_s(sum(each.fault != "timeout" for each in tally.courses), tally),
        "goodput_per_s": _per_s(tally.right, tally),
        **_times("response_time", tally.times("intended_ns")),
        **_times("service_time", tally.times("sent_ns")),
        **_little(tally),
        "threads": asked.connections,
        "rows": sum(each.rows for each in tally.courses),
        "queries": {name: _of_query(tally, name) for name in tally.queries},
    }


def _of_query(tally: Tally, name: str) -> dict[str, int | None]:
    asked = [each for each in tally.courses if each.query == name]
    times = _times("response_time", tally.times("intended_ns", query=name))
    kept = {word: value for word, value in times.items() if word.endswith(("mean_ns", "p50_ns", "p99_ns"))}
    return {"sent": len(asked), "right": sum(each.fault is None for each in asked), **kept}


def _times(name: str, ordered: list[int]) -> dict[str, int | None]:
    mean_ns = sum(ordered) // len(ordered) if ordered else None
    told = {f"{name}_{word}_ns": quantile(ordered, share) for word, share in QUANTILES.items()}
    return {f"{name}_mean_ns": mean_ns, **told, f"{name}_max_ns": ordered[-1] if ordered else None}


def _little(tally: Tally) -> dict[str, float | None]:
    """Return the mean number of requests under way by the clock, and how far Little's law is from it."""
    under_way_ns, elapsed_ns = tally.under_way_ns, max(1, tally.elapsed_ns)
    off = abs(under_way_ns - tally.ended_ns) / under_way_ns if under_way_ns else None
    return {
        "concurrency_mean": _rounded(under_way_ns / elapsed_ns),
        "littles_law_error": None if off is None else _rounded(off),
    }


def _per_s(count: int, tally: Tally) -> float:
    return _rounded(count * 1e9 / max(1, tally.elapsed_ns))


def _rounded(value: float) -> float:
    """Return nine significant digits, as in all our files."""
    return float(f"{value:.8e}")
