"""What the results of a plan will take: the time of a report, and the disk of all runs. Ranges, as machines differ."""

from dataclasses import dataclass

from headtohead.model.plan import Plan

LARGE_S, LARGE_BYTES = 20.0, 1e9
"""A report that takes longer, or runs that take more of the disk, are worth a line before they begin."""

_STARTS_S = 1.5
_RUN_S = 0.002
_PER_S_OF_RUN_S = 0.0002
_EXPERIMENT_S = 0.4
"""CPU time of a report: its start, each run, each second of a run (ten lines of readings), the charts of an experiment.

Measured with ``benches.make_runs``: 2,000 runs of 10 s in 50 experiments took 8 s to read and analyze and 19 s to draw.
"""
_SLOWER = (0.5, 2.0)
"""How much faster or slower other machines and other studies are."""

_RUN_BYTES = (20e3, 150e3)
_PER_S_OF_RUN_BYTES = (2e3, 10e3)
"""A run's files, and its readings for each second: from a floor on 2 CPUs to a database with hundreds of settings."""


@dataclass(frozen=True)
class ReportForecast:
    """What all planned runs together will take, each from the least to the most that is likely."""

    runs: int
    seconds: tuple[float, float]
    """CPU time of one `headtohead report`."""
    size_bytes: tuple[float, float]
    """Of the results folder."""

    @property
    def is_large(self) -> bool:
        """Whether that is worth a line."""
        return self.seconds[1] > LARGE_S or self.size_bytes[1] > LARGE_BYTES


def report_forecast(plan: Plan) -> ReportForecast:
    """Return what the results are expected to take if every experiment goes on to its last interim analysis."""
    lasting = [each.run_s[run.treatment] for each in plan.experiments for run in each.runs]
    runs, measured_s = len(lasting), sum(lasting)
    report_s = _STARTS_S + runs * _RUN_S + measured_s * _PER_S_OF_RUN_S + len(plan.experiments) * _EXPERIMENT_S
    low, high = (runs * fixed + measured_s * each for fixed, each in zip(_RUN_BYTES, _PER_S_OF_RUN_BYTES, strict=True))
    return ReportForecast(runs, (_SLOWER[0] * report_s, _SLOWER[1] * report_s), (low, high))
