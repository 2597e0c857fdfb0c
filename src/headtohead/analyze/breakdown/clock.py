"""Work per clock: what a treatment did for each GHz at which its CPUs ran. Without a reading there is none."""

from collections.abc import Iterator, Sequence

from headtohead.analyze.breakdown.card import clock_hz
from headtohead.analyze.runs.usage import RunSeen
from headtohead.analyze.samples.samples import Samples
from headtohead.analyze.statistics.estimate import geometric
from headtohead.analyze.verdicts.suite import suite_of
from headtohead.model.analysis.estimates import Cell, Key


def per_ghz(samples: Samples, label: str, seen: Sequence[RunSeen]) -> tuple[Cell, ...]:
    """Return the primary summary over the clock of each run, and of a suite each case; empty for what is no rate per s.

    Empty where the clock of a valid run was not read. A run has one clock, the mean over its CPUs and its measured
    time: kernels that make a CPU slow down are not told apart.
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
