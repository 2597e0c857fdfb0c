"""The clock of the CPUs of a treatment while a run was measured."""

import statistics

from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.runs.use_in_window import gauge


def clock_hz(seen: RunSeen) -> float | None:
    """Return the mean clock of the treatment's CPUs while the run was measured; None if it was not read."""
    read = [hz for cpu in seen.treatment.cpus for hz in gauge(seen.columns, f"cpu{cpu}_hz", windows=seen.windows)]
    return statistics.fmean(read) if read else None
