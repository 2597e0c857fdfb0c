"""The script of a fake machine: the clock, the programs, and everything that a test may make fail."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

NS_PER_S = 1_000_000_000
WARM_BOOT_NS = 1_000 * NS_PER_S
DURATIONS_S = {"ms": 1e-3, "s": 1.0, "m": 60.0}


class Clock:
    """A monotonic clock that moves only when something waits on it."""

    def __init__(self, now_ns: int = WARM_BOOT_NS) -> None:
        self._now_ns = now_ns

    def now_ns(self) -> int:
        """Return the time in nanoseconds."""
        return self._now_ns

    def now_s(self) -> float:
        """Return the time in seconds, as ``time.monotonic`` does."""
        return self._now_ns / NS_PER_S

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self._now_ns += max(0, round(seconds * NS_PER_S))

    def sleep_until(self, instant_ns: int) -> None:
        """Let time pass until an instant; none if it is past."""
        self._now_ns = max(self._now_ns, instant_ns)


@dataclass(frozen=True)
class Launch:
    """A program as requested, with the limits of its group. ``zero_ns`` is the run's start, ``at_ns`` is now."""

    name: str
    group: str
    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    stdin: Path | None
    cpus: tuple[int, ...] | None
    cpu_quota: float | None
    zero_ns: int
    at_ns: int

    def option(self, name: str) -> str | None:
        """Return the word after an option in argv, None if it is not there."""
        return self.argv[self.argv.index(name) + 1] if name in self.argv[:-1] else None


@dataclass(frozen=True)
class Outcome:
    """What a program does. ``takes_s`` None: it runs until it is stopped, as a server does.

    ``cpus_busy`` is how many CPUs it keeps busy while it runs.
    """

    takes_s: float | None = None
    stdout: str = ""
    stderr: str = ""
    code: int | None = 0
    signal: str | None = None
    cpus_busy: float = 0.9
    memory_bytes: int = 32 * 1024 * 1024
    processes: int = 1
    threads: int = 4


def plain_program(launch: Launch) -> Outcome:
    """Act as the default programs: ``h2h-load`` prints its record, what shows settings ends; the others are servers."""
    if launch.name.partition(".")[0] == "configuration":
        return Outcome(takes_s=0.1, stdout="workers\t1\n")
    return load_outcome(launch, rate_per_s=1_000.0) if is_load(launch) else Outcome()


def is_load(launch: Launch) -> bool:
    """Whether a program is the load generator, over HTTP or for queries."""
    return Path(launch.argv[0]).name == "h2h-load" and launch.argv[1] in ("http", "sql")


def load_outcome(launch: Launch, *, rate_per_s: float) -> Outcome:
    """Return the output of h2h-load if the subject responds correctly up to that rate.

    Requests beyond that are late. It writes the file of ``--hlog``. A number of ``--requests`` takes its time.
    """
    warm_up_s = _seconds(launch.option("--warm-up") or "0s")
    counted = launch.option("--requests")
    duration_s = _seconds(launch.option("--duration") or "1s") if counted is None else int(counted) / rate_per_s
    zero_ns = int(launch.option("--zero-ns") or launch.zero_ns)
    from_ns = launch.at_ns - zero_ns + round(warm_up_s * NS_PER_S)
    elapsed_ns = round(duration_s * NS_PER_S)
    arriving = _arriving(launch)
    given_per_s = rate_per_s if arriving is None else min(arriving, rate_per_s)
    right = round((given_per_s if arriving is None else arriving) * duration_s)
    hlog = launch.option("--hlog")
    if hlog is not None:
        Path(hlog).write_text("#[Histogram log format version 1.3]\n")
    of_queries = _of_queries(launch, right=right)
    record = {
        "format": 1,
        "record": "load",
        "driver": launch.option("--driver") or "local",
        "case": json.loads(launch.option("--case") or "{}"),
        "loop": "closed",
        "elapsed_ns": elapsed_ns,
        "from_ns": from_ns,
        "to_ns": from_ns + elapsed_ns,
        "sent": right,
        "right": right,
        "errors": {},
        "response_rate_per_s": given_per_s,
        "goodput_per_s": given_per_s,
        "response_time_p99_ns": 188_000,
        "response_time_p999_ns": 412_000,
        "service_time_p99_ns": 188_000,
        "driver_cpu_s": 0.5 * duration_s,
        "driver_delay_s": 0.001 * duration_s,
        "queries": of_queries,
        "rows": None if of_queries is None else right,
    }
    if arriving is not None:
        record |= _of_arrivals(launch, arriving, late=right - round(given_per_s * duration_s), scheduled=right)
    return Outcome(takes_s=warm_up_s + duration_s, stdout=json.dumps(record) + "\n", cpus_busy=0.5)


def _of_queries(launch: Launch, *, right: int) -> dict[str, dict[str, float]] | None:
    """Return the figures of each query of the mix by its weight, or of each step; None if pages are requested."""
    mix = launch.option("--mix")
    written = json.loads(Path(mix).read_text()) if mix is not None and Path(mix).is_file() else {}
    listed = written.get("queries") or written.get("session", {}).get("steps")
    if listed is None:
        return None
    total = sum(each.get("weight", 1) for each in listed)
    count = {each["name"]: round(right * each.get("weight", 1) / total) for each in listed}
    times = dict.fromkeys((f"response_time_{each}_ns" for each in ("mean", "p50", "p99")), 188_000)
    return {name: {"sent": n, "right": n, **times} for name, n in count.items()}


def _of_arrivals(launch: Launch, arriving: float, *, late: int, scheduled: int) -> dict[str, object]:
    """Return the figures of requests with arrivals of their own."""
    loop = "sessions" if "--calls" in launch.argv else "open"
    offered = {"scheduled": scheduled, "late": late, "offered_load_per_s": arriving}
    return {"loop": loop, **offered, "send_lag_p99_ns": 20_000}


def _arriving(launch: Launch) -> float | None:
    """Return the offered load in requests/s; None in the closed loop, where it is the response rate."""
    rate = launch.option("--rate")
    return None if rate is None else float(rate) * int(launch.option("--calls") or 1)


def _seconds(text: str) -> float:
    """Return a duration as headtohead's programs take it (``250ms``, ``3s``, ``2``) in seconds."""
    for unit, scale in DURATIONS_S.items():
        if text.endswith(unit) and text[: -len(unit)].replace(".", "", 1).isdigit():
            return float(text[: -len(unit)]) * scale
    return float(text)


@dataclass
class Script:
    """What a fake supervise does; a test may set each field, also in the middle of a session.

    ``program`` returns what a started program does. ``answer`` gets every request and its answer and returns the answer
    to give: another one, an ``{"error": ...}``, or None to let supervise die.
    """

    program: Callable[[Launch], Outcome] = plain_program
    answer: Callable[[Mapping[str, object], Mapping[str, object]], Mapping[str, object] | None] = field(
        default=lambda _, answer: answer
    )
    cgroups: str | None = "v2"
    uid: int = 999
    private_files: bool = True
    domains: bool = True
    machine_cpus: tuple[int, ...] = (0, 1)
    foreign_cpus: float = 0.01
    """CPUs used by other processes."""
    harness_cpus: float = 0.005
    steal_share: float = 0.0
    """Of each CPU's time."""
    request_s: float = 0.0002
    """What every request takes."""
    stop_s: float = 0.02
    end_status: int = 0
