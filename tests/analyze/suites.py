"""An experiment over named kernels, and its runs, from a rate for each treatment and kernel; a reference machine."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from headtohead.analyze.samples.values_from_records import measurements
from headtohead.analyze.study import analyze
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.suite import ReferenceMachine
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.plan import Comparison, Plan, PlannedExperiment, Treatment
from headtohead.model.quantity import Summary
from headtohead.model.readings import Readings
from headtohead.model.record import Recorded, Recording
from headtohead.model.study.workload import Load
from tests.analyze.building import ALPHA, OPERATIONS, batch_record, experiment, plan, recorded, run, treatment

KERNELS = ("daxpy", "fft", "heapsort", "lu", "mandelbrot", "n-body", "qr", "stencil", "triad", "wavelet")
OVERALL = Summary("overall", OPERATIONS.name, "geometric-mean", {})
CPU = HostFacts("local", (Fact("cpu", "model", "A processor", None, "made up"),))

Rates = Mapping[str, Sequence[float]]
"""From a treatment's label to its rate in each kernel."""


def suiting(*arms: Treatment, kernels: Sequence[str] = KERNELS, **changes: Any) -> PlannedExperiment:  # noqa: ANN401
    """Return an experiment over kernels; the first arm is the baseline of the others."""
    first, *others = arms or (treatment("gcc"), treatment("clang"))
    plain: dict[str, Any] = {
        "name": "kernels",
        "workload": "kernel-sweep",
        "asks": "batch/kernels-v1",
        "load": Load("batch", {"kernel": tuple(kernels)}, {"seconds": 1.5}),
        "primary": OVERALL,
        "summaries": (OVERALL,),
        "metrics": {OPERATIONS.name: OPERATIONS},
        "cases": tuple({"kernel": each} for each in kernels),
        "treatments": (first, *others),
        "comparisons": tuple(Comparison("subject", first.label, each.label, {}, ALPHA) for each in others),
    }
    return experiment(**(plain | changes))


def swept(
    of: PlannedExperiment, rates: Rates, *, blocks: int = 6, step: float = 0.002, monitors: Readings | None = None
) -> list[Recorded]:
    """Return the runs of complete blocks; values of one kernel differ from block to block by a few ``step``."""
    runs = []
    for number, planned in enumerate(of.runs[: blocks * len(of.treatments)], start=1):
        label, block = planned.treatment, planned.block
        arm = list(rates).index(label)
        made = run(label, number=number, block=block, place=planned.place, experiment=of.name)
        noise = [math.exp(step * ((block * 7 + arm * 3 + k * k * 2) % 5 - 2)) for k in range(len(of.cases))]
        values = [rate * each for rate, each in zip(rates[label], noise, strict=True)]
        told = [batch_record(value, case=case) for value, case in zip(values, of.cases, strict=True)]
        runs.append(recorded(made, records=told, monitors=monitors))
    return runs


def folder(of: PlannedExperiment, runs: Sequence[Recorded], *, name: str = "2026-11-20-kernels") -> Recording:
    """Return a results folder of that experiment, read."""
    return Recording(name, plan(of), (CPU,), tuple(runs))


def reference_of(recording: Recording, *, planned: Plan | None = None) -> ReferenceMachine:
    """Return what a results folder is as a reference machine."""
    lines = tuple(measurements(recording.plan, recording.runs))
    return ReferenceMachine(recording.name, planned or recording.plan, recording.hosts, lines, "0" * 64)


def result(
    rates: Rates,
    *,
    of: PlannedExperiment | None = None,
    reference: ReferenceMachine | None = None,
    **how: Any,  # noqa: ANN401
) -> ExperimentResult:
    """Return what an experiment over kernels comes to at these rates."""
    chosen = of or suiting(*(treatment(label) for label in rates))
    return analyze(folder(chosen, swept(chosen, rates, **how)), reference).experiments[0]


def scaled(rates: Sequence[float], factors: Sequence[float] | float) -> list[float]:
    """Return rates times a factor each."""
    each = [factors] * len(rates) if isinstance(factors, float) else factors
    return [rate * factor for rate, factor in zip(rates, each, strict=True)]


def renamed(of: PlannedExperiment, **changes: Any) -> PlannedExperiment:  # noqa: ANN401
    """Return the experiment with other fields."""
    return dataclasses.replace(of, **changes)
