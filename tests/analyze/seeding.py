"""Recordings changed a little: what the violations of the checklist, and clean studies, are made with."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from headtohead.analyze.findings import judge
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Summary
from headtohead.model.readings import Readings
from headtohead.model.record import CaseRecord, LoadRecord, Recorded, Recording
from headtohead.model.study.workload import Load
from tests.analyze.building import P99, blocks_of, experiment, plan, readings, recording, steady, treatment
from tests.analyze.suites import KERNELS, scaled, suiting, swept

CLEAR = {"apache": steady(1000), "nginx": steady(2000)}
RATES = [100.0, 2000.0, 350.0, 80.0, 900.0, 410.0, 77.0, 1200.0, 55.0, 640.0]
ALONE = readings(driver_cpu_ns=0.0)
"""What is read of batch work, which has no driver."""


def folder(runs: Sequence[Recorded], of: PlannedExperiment | None = None) -> Recording:
    """Return a results folder of one experiment."""
    return recording(runs, of=plan(of or experiment()))


def judged(runs: Sequence[Recorded], of: PlannedExperiment) -> list[Recorded]:
    """Return the runs with the status that the session gives them."""
    told = [(each, judge(each, of)) for each in runs]
    return [with_run(each, status=found.status, reasons=found.reasons) for each, found in told]


def with_run(each: Recorded, **changes: Any) -> Recorded:  # noqa: ANN401
    """Return the run with other fields in its run.json."""
    return dataclasses.replace(each, run=dataclasses.replace(each.run, **changes))


def arms(
    nginx: Mapping[str, Any],
    apache: Mapping[str, Any] | None = None,
    **changes: Any,  # noqa: ANN401
) -> PlannedExperiment:
    """Return apache against nginx with other fields in their treatments."""
    return experiment(treatments=(treatment("apache", **(apache or {})), treatment("nginx", **nginx)), **changes)


def of_label(runs: Sequence[Recorded], label: str, change: Callable[[Recorded], Recorded]) -> list[Recorded]:
    """Return the runs, those of one treatment changed."""
    return [change(each) if each.run.label == label else each for each in runs]


def telling(each: Recorded, **changes: Any) -> Recorded:  # noqa: ANN401
    """Return the run with other fields in each of its load records; ``values`` are laid over those that are there."""
    return dataclasses.replace(each, records=tuple(_telling(told, **changes) for told in each.records))


def _telling(
    record: CaseRecord,
    *,
    values: Mapping[str, float] | None = None,
    **changes: Any,  # noqa: ANN401
) -> CaseRecord:
    assert isinstance(record, LoadRecord)
    return dataclasses.replace(record, values={**record.values, **(values or {})}, **changes)


def watched(runs: Sequence[Recorded], **used: float) -> list[Recorded]:
    """Return the runs with other readings."""
    return [dataclasses.replace(each, readings=readings(**used)) for each in runs]


def page(_: bool = True) -> Recording:
    """Return two servers, one of them twice as fast, and nothing amiss."""
    return folder(blocks_of(CLEAR))


def suite(factors: Sequence[float], *, asked: Sequence[str] = KERNELS) -> Recording:
    """Return two compilers on some of ten kernels, the second by these factors faster in each."""
    compilers = (treatment(each, driver_cpus=()) for each in ("gcc", "clang"))
    of = suiting(*compilers, kernels=asked, declared={"kernel": KERNELS})
    rates = {"gcc": RATES[: len(asked)], "clang": scaled(RATES[: len(asked)], list(factors)[: len(asked)])}
    return folder(swept(of, rates, monitors=ALONE), of)


def sending(runs: Sequence[Recorded], bytes_an_answer: Mapping[str, float]) -> list[Recorded]:
    """Return the runs with so many bytes over the wire for each answer of a treatment."""

    def sent(each: Recorded) -> Recorded:
        record = each.records[0]
        assert isinstance(record, LoadRecord)
        rate = record.values["goodput_per_s"] or 0.0
        size = bytes_an_answer[each.run.label]
        return telling(each, values={"response_rate_per_s": rate, "received_bytes_per_s": rate * size})

    return [sent(each) for each in runs]


def by_times(**settings: float) -> PlannedExperiment:
    """Return an experiment in which the p99 decides, of a closed loop."""
    return experiment(
        primary=Summary("p99", P99.name, "geometric-mean", {}),
        metrics={P99.name: P99},
        load=Load("closed", {}, settings, warm_up_s=1, measure_s=3),
    )


def faster_after(middle_s: float, factor: float) -> Readings:
    """Return readings in which a gigabyte a second passes until then, and so many times as many from then on."""
    plain = readings()
    rows = []
    for row in plain.rows:
        seconds = (row[0] or 0.0) / 1e9
        passed_s = min(seconds, middle_s) + factor * max(0.0, seconds - middle_s)
        rows.append((*row, 1e9 * passed_s))
    return Readings((*plain.columns, "loopback_bytes"), tuple(rows))
