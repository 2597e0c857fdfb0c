"""One run: one treatment once, on a freshly started subject, until its folder is written."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from headtohead.execute.context.clock_offsets import compared, set_clocks
from headtohead.execute.context.run_context import RunContext
from headtohead.execute.context.run_log import RunLog
from headtohead.execute.context.run_request import RunRequest
from headtohead.execute.context.study_context import StudyContext
from headtohead.execute.data.disk_space import check_free_space, work_bytes
from headtohead.execute.run.batch_run import run_batch
from headtohead.execute.run.own_client_run import run_client
from headtohead.execute.run.server_run import run_server
from headtohead.execute.supervise_process_of_run import new_run
from headtohead.hosts.facts.storage import lies_on
from headtohead.hosts.kernel_files import Tree
from headtohead.hosts.supervise.messages import Limits
from headtohead.model.errors import HeadToHeadError, HostError
from headtohead.model.plan import Treatment
from headtohead.model.record import Recorded, Setting
from headtohead.model.study.subject import Subject
from headtohead.store import write
from headtohead.store.layout import Layout
from headtohead.store.run.images import FOLDER
from headtohead.store.run.settings import settings_text


def carry_out(study_context: StudyContext, layout: Layout, request: RunRequest) -> Recorded:
    """Carry out one run and store it; errors inside it become its status and reasons, not exceptions.

    Only Ctrl-C, or a results folder that cannot be written, ends it with an exception.
    """
    treatment = request.treatment
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    seed = f"{study_context.study.seed}:{request.number}"
    environment = study_context.environment
    if environment.elsewhere is None:
        leave_subject_cpus(treatment, cpus=environment.cpus)
    kept: Recorded | None = None
    try:
        userland = study_context.userland(treatment)
        with new_run(
            environment,
            harness_cpus=treatment.driver_cpus,
            seed=seed,
            drivers=treatment.drivers,
            userland=None if userland is None else userland.root,
        ) as supervised:
            log = RunLog(supervised, treatment.apart or (), study_context.show_wait)
            log.userland = None if userland is None else userland.text().encode()
            context = RunContext(study_context, request, supervised, log)
            status = _make(context, treatment)
            kept = _keep(context, layout, status=status, started_at=started_at)
    except HostError:
        if kept is None:  # else the run's reasons already include the error
            raise
    return kept


def _keep(context: RunContext, layout: Layout, *, status: str, started_at: str) -> Recorded:
    """Judge the run and write its folder; if this process dies, supervise removes the incomplete folder."""
    supervised, request = context.supervised, context.request
    partial = layout.runs / f".{request.number:04d}-{supervised.id}"
    with contextlib.suppress(HostError):  # supervise itself may have failed
        supervised.supervisor.own(partial.absolute())
    try:
        files = context.log.files()
    except HostError as error:  # a machine of a bench is out of reach: its files are lost
        if supervised.environment.elsewhere is None:
            raise
        context.log.reasons.append(f"failed: {error}")
        status, files = "failed", {"records.jsonl": b""}
    readings = None
    try:
        readings = context.log.readings_so_far() if "readings.csv" in files else None
    except HeadToHeadError as error:  # keep the file with the logs, because `report` could not read it either
        context.log.reasons.append(f"failed: {error}")
        status = "failed"
        files["logs/readings.csv"] = files.pop("readings.csv")
    note = replace(context.note(status), started_at=started_at)
    so_far = Recorded(note, context.log.records(), readings)
    judged = context.study_context.rules.judge(so_far, request.experiment)
    if judged.run.status == "valid" and request.earlier:  # the first valid run of the treatment has kept the images
        files = {name: each for name, each in files.items() if not name.startswith(f"{FOLDER}/")}
    return replace(judged, run=write.run(layout, judged.run, files=files, partial=partial))


def _make(context: RunContext, treatment: Treatment) -> str:
    """Go through the phases; return "valid", or "failed" with the reason in the run's log."""
    supervisor, log = context.supervised.supervisor, context.log
    try:
        supervisor.group("subject", context.request.limits)
        supervisor.group("driver", Limits(cpus=treatment.driver_cpus or treatment.cpus))
        for driver in context.supervised.drivers:
            driver.supervisor.group("driver", Limits(cpus=tuple(sorted(driver.environment.cpus))))
        before = set_clocks(context.supervised)
        _check_disk(context)
        context.set_settings()
        context.link()
        supervisor.watch(context.supervised.readings)
        _work_of(context.subject)(context)
        supervisor.unwatch()
        log.clocks = compared(before, context.supervised)
    except HeadToHeadError as error:
        log.reasons.append(f"failed: {error}")
        return "failed"
    return "valid"


def _check_disk(context: RunContext) -> None:
    """Record the disk of the run's directory if the work uses disk space; raises HostError if it is too full."""
    experiment = context.request.experiment
    wanted = work_bytes(experiment, context.study_context.workload(experiment))
    if not wanted:
        return
    folder = context.supervised.run_dir
    check_free_space(folder, wanted, what="the files that this run works on")
    disk = lies_on(folder, tree=Tree())
    context.log.configuration = settings_text(Setting(name, value) for name, value in disk.items()).encode()


def _work_of(subject: Subject) -> Callable[[RunContext], None]:
    """Return the function that does the work of a run, by the kind of subject."""
    if subject.batch is not None:
        return run_batch
    return run_server if subject.driver is None else run_client


def leave_subject_cpus(treatment: Treatment, *, cpus: frozenset[int]) -> None:
    """Move this process off the subject's CPUs if there are others; else it may use all CPUs."""
    os.sched_setaffinity(0, set(treatment.driver_cpus) or cpus - set(treatment.cpus) or cpus)
