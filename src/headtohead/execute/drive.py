"""The load on a server: one ``h2h-load`` a case or a trial, on the driver's CPUs."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.making import Order
from headtohead.execute.server import Server
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Case, Scalar, case_text, scalar_text
from headtohead.model.search import Trial
from headtohead.model.workload import Load, Request, Workload
from headtohead.store.convert import parsed
from headtohead.store.read import record

GRACE_S = 15.0
"""Beyond warm-up, measured time and one timeout, the load generator ends within this."""
COUNTED_WITHIN_S = 3600.0
"""A load of so many requests has no time of its own; at the slowest it ends within this."""
MIX = "mix.json"


@dataclass(frozen=True)
class Driver:
    """What asks a server for the workload's requests; chance comes from the run's block and the case."""

    server: Server
    workload: Workload
    order: Order
    data: Path

    @property
    def load(self) -> Load:
        """How the work is asked for."""
        return self.order.experiment.load

    @property
    def asks(self) -> Mapping[str, Scalar]:
        """The levels of the workload's own factors: what the driver asks for (gzip, connection, handshake)."""
        settings = self.order.treatment.settings
        return {name: settings.get(name, factor.default) for name, factor in self.workload.factors.items()}

    @property
    def gzip(self) -> bool:
        """Whether compressed answers are asked for."""
        return self.asks.get("gzip") == "on"

    @property
    def timeout_s(self) -> float:
        """The timeout of a request: a level's own where it has one, else the load's."""
        factors = self.workload.factors
        own = [factors[name].timeout_s.get(scalar_text(level)) for name, level in self.asks.items()]
        return next((each for each in own if each is not None), self.load.timeout_s)

    def write_mix(self) -> None:
        """Write the request mix where the load generator reads it."""
        listed = [_asked(each, self.data) for each in self.workload.requests]
        self.server.stand.write(MIX, json.dumps({"requests": listed}))

    def drive(self, trial: Trial, *, name: str) -> dict[str, Any]:
        """Drive one case or trial and return its record; SubjectError with what the generator said where it failed."""
        stand = self.server.stand
        stand.begin(name, self.argv(trial), group="driver")
        ended = stand.supervisor.wait(name, within_s=self._within_s(trial))
        if not ended.exited or ended.code != 0:
            code = ended.code if ended.signal is None else ended.signal
            how = f"ended with {code}" if ended.exited else "did not end"
            raise SubjectError(
                f"The load generator {how} in {case_text(trial.case) or 'its only case'}",
                why=f"{stand.tail(name)}.",
                remedy="See logs/ in the run's folder.",
            )
        return _document(stand.read(stand.said(name)[0]))

    def argv(self, trial: Trial) -> tuple[str, ...]:
        """Return the load generator's command line."""
        stand, site = self.server.stand, self.server.site()
        return (
            *("h2h-load", "http", *self._loop(trial), "--driver", "local"),
            *("--warm-up", _time(trial.warm_up_s), "--duration", _time(trial.measure_s)),
            *("--timeout", _time(self.timeout_s), "--zero-ns", str(stand.zero_ns)),
            *("--case", json.dumps(dict(trial.case)), "--seed", str(_seed(self.order.planned.block, trial.case))),
            *("--mix", str(stand.run_dir / MIX), "--hlog", str(stand.run_dir / "times.hlog")),
            *(() if site.ca is None else ("--ca", str(site.ca))),
            *("--json", "-", site.url),
        )

    def _loop(self, trial: Trial) -> Iterator[str]:
        """Yield how requests arrive and what a connection is."""
        words = {**self.load.settings, **trial.case}
        per_request = self.asks.get("connection") == "per-request" or self.asks.get("handshake") in {"full", "resumed"}
        calls = 1 if per_request else words.get("calls")
        if trial.loop == "closed":
            yield from ("--connections", str(words["connections"]))
            if "requests" in words:
                yield from ("--requests", str(words["requests"]))
        else:
            yield from ("--rate", f"{float(words['rate_per_s']):.9g}")
            yield from _option("--connections", words.get("connections"))
            yield from _option("--arrivals", words.get("arrivals"))
        if calls is not None and (trial.loop != "open" or per_request):
            yield from ("--calls", str(calls))
        yield from self._rest(trial, think_s=float(words.get("think_s", 0)))

    def _rest(self, trial: Trial, *, think_s: float) -> Iterator[str]:
        if think_s > 0 and trial.loop != "open":
            yield from ("--think", _time(think_s))
        yield from ("--threads", str(max(1, len(self.order.treatment.driver_cpus))))
        if self.gzip:
            yield "--gzip"
        yield from _option("--handshake", self.asks.get("handshake"))
        limits_ns = [limit for name, limit in self.load.objective.items() if name != "error_share"]
        if limits_ns:
            yield from ("--late-after", _time(min(limits_ns) / 1e9))
        if not trial.drains:
            yield "--no-drain"

    def _within_s(self, trial: Trial) -> float:
        counted = trial.loop == "closed" and "requests" in {**self.load.settings, **trial.case}
        measured_s = COUNTED_WITHIN_S if counted else trial.measure_s
        return trial.warm_up_s + measured_s + self.timeout_s + GRACE_S


def _asked(request: Request, data: Path) -> dict[str, Any]:
    expect = request.expect
    told = {"name": request.name, "weight": request.weight, "status": expect.status, "sample": expect.sample}
    if request.urls is not None:
        drawn = {"skew": request.skew, "exponent": request.exponent}
        return {**told, "urls": str(data / request.urls), **drawn}
    body = None if expect.body is None else str(data / expect.body)
    return {**told, "path": request.path, "length_bytes": expect.length_bytes, "body": body}


def _seed(block: int, case: Case) -> int:
    """Return where chance comes from: alike for all treatments of a block, another for each of its cases and trials."""
    return int.from_bytes(hashlib.sha256(f"{block} {case_text(case)}".encode()).digest()[:4])


def _option(name: str, value: Scalar | None) -> tuple[str, ...]:
    return () if value is None else (name, scalar_text(value))


def _time(seconds: float) -> str:
    """Return a time as the load generator reads it, to the nanosecond.

    >>> _time(0.25), _time(0.0005)
    ('250ms', '0.5ms')
    """
    return f"{seconds * 1000:.6f}".rstrip("0").rstrip(".") + "ms"


def _document(text: str) -> dict[str, Any]:
    """Return the one record that the load generator printed, checked; SubjectError where it is none."""
    try:
        document: dict[str, Any] = parsed(text)
        record(document)
    except (KeyError, TypeError, ValueError) as error:
        raise SubjectError(
            "What the load generator printed is no record",
            why=f"{type(error).__name__}: {error}.",
            remedy="Build the programs again (cargo build --release); see logs/ in the run's folder.",
        ) from error
    return document
