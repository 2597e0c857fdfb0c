"""The options of the load generator that mean the same in every protocol."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from headtohead.execute.context.run_request import RunRequest
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.trials import Trial
from headtohead.model.study.workload import Load, Workload

GRACE_S = 15.0
"""The load generator ends within this time after warm-up, measured time and one timeout."""
COUNTED_WITHIN_S = 3600.0
"""A load with a fixed number of requests has no fixed duration; the slowest ends within this time."""


@dataclass(frozen=True)
class Share:
    """What one of several drivers sends of a load: its ``number``, from 0, and ``of``, the number of drivers."""

    number: int = 0
    of: int = 1

    def count(self, all_: int) -> int:
        """Return its part of a number of things; the parts differ by one at most.

        >>> [Share(number, 3).count(10) for number in range(3)]
        [4, 3, 3]
        """
        return all_ // self.of + (self.number < all_ % self.of)


WHOLE = Share()


@dataclass(frozen=True)
class LoadOptions:
    """The load of a run and the levels of its workload's own factors. Its seed depends on block and case.

    In process, the load generator is the subject and has the subject's CPUs. ``far_cpus`` is the number of CPUs of a
    driver on another machine. ``share`` is what this driver sends of the load.
    """

    workload: Workload
    request: RunRequest
    far_cpus: int = 0
    share: Share = WHOLE

    @property
    def load(self) -> Load:
        """The load of the run's experiment."""
        return self.request.experiment.load

    @property
    def levels(self) -> Mapping[str, Scalar]:
        """The levels of the workload's own factors, which the driver applies (gzip, handshake, write_share)."""
        settings = self.request.treatment.settings
        return {name: settings.get(name, factor.default) for name, factor in self.workload.factors.items()}

    @property
    def timeout_s(self) -> float:
        """The timeout of a request in seconds: that of a level if it has one, else the load's."""
        factors = self.workload.factors
        own = [factors[name].timeout_s.get(scalar_text(level)) for name, level in self.levels.items()]
        return next((each for each in own if each is not None), self.load.timeout_s)

    def words(self, trial: Trial) -> Mapping[str, Scalar]:
        """Return the settings of the load with the fields of a case or trial."""
        return {**self.load.settings, **trial.case}

    def sends(self, trial: Trial) -> bool:
        """Return whether this driver has a part of a case or trial: there may be fewer connections than drivers."""
        return self.share.number < self._shared(trial).of

    def _shared(self, trial: Trial) -> Share:
        """Return this driver's share of a case or trial: of the drivers that have a connection."""
        connections = self.words(trial).get("connections")
        return self.share if connections is None else replace(self.share, of=min(self.share.of, int(connections)))

    def _connections(self, trial: Trial) -> int | None:
        """Return the number of connections of this driver; None if the load gives none."""
        connections = self.words(trial).get("connections")
        return None if connections is None else self._shared(trial).count(int(connections))

    def arrivals(self, trial: Trial) -> Iterator[str]:
        """Yield the options for arrivals: a number of users who wait for responses, or a rate per second."""
        words = self.words(trial)
        yield from option("--connections", self._connections(trial))
        if trial.loop != "closed":
            yield from ("--rate", f"{float(words['rate_per_s']) / self._shared(trial).of:.9g}")
            yield from option("--arrivals", words.get("arrivals"))
        elif self._counted(trial):  # from one driver: a plan has no other
            yield from ("--requests", str(words["requests"]))

    def pace(self, trial: Trial) -> Iterator[str]:
        """Yield the options for think time, threads, polling, the late limit, and the wait for the last responses.

        In process each connection has its own thread; a driver has at most as many threads as connections.
        """
        words, treatment = self.words(trial), self.request.treatment
        think_s = float(words.get("think_s", 0))
        if think_s > 0 and trial.loop != "open" and not trial.settles:
            yield from ("--think", time_text(think_s))
        if not treatment.in_process:
            driver_cpus = self.far_cpus or max(1, len(treatment.driver_cpus))
            yield from ("--threads", str(min(driver_cpus, self._connections(trial) or driver_cpus)))
            yield from option("--poll", treatment.poll)
        limits_ns = [limit for name, limit in self.load.objective.items() if name != "error_share"]
        if limits_ns:
            yield from ("--late-after", time_text(min(limits_ns) / 1e9))
        if not trial.drains:
            yield "--no-drain"

    def times(self, trial: Trial) -> Iterator[str]:
        """Yield the options for times, the case and the random seed."""
        yield from ("--warm-up", time_text(trial.warm_up_s), "--duration", time_text(trial.measure_s))
        yield from ("--timeout", time_text(self.timeout_s))
        number = seed(self.request.planned.block, trial.case, driver=self.share.number)
        yield from ("--case", json.dumps(dict(trial.case)), "--seed", str(number))

    def within_s(self, trial: Trial) -> float:
        """Return the longest time that the load generator may run, in seconds."""
        longest_s = COUNTED_WITHIN_S if self._counted(trial) else trial.measure_s
        return trial.warm_up_s + longest_s + self.timeout_s + GRACE_S

    def _counted(self, trial: Trial) -> bool:
        """Return whether a case ends after a number of requests."""
        return trial.loop == "closed" and not trial.settles and "requests" in self.words(trial)


def seed(block: int, case: Case, *, driver: int = 0) -> int:
    """Return the random seed: the same for all treatments of a block, different for its cases, trials and drivers."""
    text = f"{block} {case.text}" + (f" driver {driver}" if driver else "")
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])


def option(name: str, value: Scalar | None) -> tuple[str, ...]:
    """Return an option with its value, or nothing for None."""
    return () if value is None else (name, scalar_text(value))


def time_text(seconds: float) -> str:
    """Return a time in the format of the load generator, to the nanosecond.

    >>> time_text(0.25), time_text(0.0005)
    ('250ms', '0.5ms')
    """
    return f"{seconds * 1000:.6f}".rstrip("0").rstrip(".") + "ms"
