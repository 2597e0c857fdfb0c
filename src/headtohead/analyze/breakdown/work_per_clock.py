"""Work per clock: the work of a treatment for each GHz of its CPUs' clock; none without readings of the clock."""

from collections.abc import Iterator, Sequence

from headtohead.analyze.runs.clock_of_cpus import clock_hz
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.estimate import geometric
from headtohead.analyze.verdicts.suite_mean import suite_of
from headtohead.model.analysis.estimates import Cell, Key


def per_ghz(samples: Samples, label: str, seen: Sequence[RunSeen]) -> tuple[Cell, ...]:
    """Return the primary summary over the clock of each run, of a suite also each case; empty if it is no rate per s.

    Empty if the clock of a valid run was not read. A run has one clock, the mean over its CPUs and its measured time,
    so kernels that slow a CPU down are not distinguished.
    """
    experiment, cases = samples.experiment, suite_of(samples.experiment)
    metric = experiment.metrics[experiment.primary.of]
    clocks = {each.run.block: clock_hz(each) for each in seen}
    known = {block: hz / 1e9 for block, hz in clocks.items() if hz}
    if not clocks or len(known) < len(clocks) or (metric.better, metric.unit) != ("higher", "1/s"):
        return ()
    keys = [samples.primary, *(Key(case, metric.name) for case in (cases.cases if cases else ()))]
    return tuple(_cells(samples, label, keys, ghz=known))


def _cells(samples: Samples, label: str, keys: Sequence[Key], *, ghz: dict[int, float]) -> Iterator[Cell]:
    for key in keys:
        values = [value / ghz[block] for block, value in samples.of(label, key).items() if block in ghz]
        estimate = geometric(values)
        if estimate is not None:
            yield Cell(case=key.case, metric=key.metric, estimate=estimate)
