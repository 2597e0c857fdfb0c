"""One run: one treatment once, on a freshly started subject, from its start to its folder."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from headtohead.execute.context.run_context import Making, Order
from headtohead.execute.context.run_log import Diary
from headtohead.execute.context.study_context import Bench
from headtohead.execute.run.batch_run import work
from headtohead.execute.run.client_run import converse
from headtohead.execute.run.run_disk import place
from headtohead.execute.run.server_run import serve
from headtohead.hosts.supervise.messages import Limits
from headtohead.model.errors import HeadToHeadError, HostError
from headtohead.model.plan import Treatment
from headtohead.model.record import Recorded
from headtohead.model.study.subject import Subject
from headtohead.store import write
from headtohead.store.images import FOLDER
from headtohead.store.layout import Layout


def carry_out(bench: Bench, layout: Layout, order: Order) -> Recorded:
    """Make one run and keep it; whatever goes wrong inside it is its status and reasons, never an exception.

    Only Ctrl-C, and a results folder that cannot be written, end it otherwise.
    """
    treatment = order.treatment
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    seed = f"{bench.study.seed}:{order.number}"
    keep_off(treatment, cpus=bench.ground.cpus)
    kept: Recorded | None = None
    try:
        with bench.ground.stand(harness_cpus=treatment.driver_cpus, seed=seed) as stand:
            making = Making(bench, order, stand, Diary(stand))
            status = _make(making, treatment)
            kept = _keep(making, layout, status=status, started_at=started_at)
    except HostError:
        if kept is None:  # what the run's end has to say is in its reasons already
            raise
    return kept


def _keep(making: Making, layout: Layout, *, status: str, started_at: str) -> Recorded:
    """Judge the run and write its folder; should we die meanwhile, supervise removes the part that is there."""
    stand, order = making.stand, making.order
    partial = layout.runs / f".{order.number:04d}-{stand.id}"
    with contextlib.suppress(HostError):  # supervise itself may be what failed
        stand.supervisor.own(partial.absolute())
    files = making.diary.files()
    try:
        readings = making.diary.readings_so_far()
    except HeadToHeadError as error:  # kept among the logs: `report` could not read it either
        making.diary.reasons.append(f"failed: {error}")
        status, readings = "failed", None
        files["logs/readings.csv"] = files.pop("readings.csv")
    note = replace(making.note(status), started_at=started_at)
    so_far = Recorded(note, making.diary.records(), readings)
    judged = making.bench.judgment.judge(so_far, order.experiment)
    if judged.run.status == "valid" and order.earlier:  # the first one kept the images of its treatment
        files = {name: each for name, each in files.items() if not name.startswith(f"{FOLDER}/")}
    return replace(judged, run=write.run(layout, judged.run, files=files, partial=partial))


def _make(making: Making, treatment: Treatment) -> str:
    """Go through the phases; return "valid", or "failed" with the reason in the diary."""
    supervisor, diary = making.stand.supervisor, making.diary
    try:
        supervisor.group("subject", making.order.limits)
        supervisor.group("driver", Limits(cpus=treatment.driver_cpus or treatment.cpus))
        place(making)
        making.link()
        supervisor.watch(making.stand.run_dir / "readings.csv")
        _way(making.subject)(making)
        supervisor.unwatch()
    except HeadToHeadError as error:
        diary.reasons.append(f"failed: {error}")
        return "failed"
    return "valid"


def _way(subject: Subject) -> Callable[[Making], None]:
    """Return how the work of a run is asked for."""
    if subject.batch is not None:
        return work
    return serve if subject.driver is None else converse


def keep_off(treatment: Treatment, *, cpus: frozenset[int]) -> None:
    """Keep this process off the subject's CPUs, where we may run on others; else nothing binds it."""
    os.sched_setaffinity(0, set(treatment.driver_cpus) or cpus - set(treatment.cpus) or cpus)
