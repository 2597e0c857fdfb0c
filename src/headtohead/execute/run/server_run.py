"""A run of a server or of an engine in process: start, check, load case by case, check again, stop."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headtohead.execute.context.read_back_settings_and_usage import note_usage, read_back
from headtohead.execute.context.run_context import RunContext
from headtohead.execute.run.capacity_search import search
from headtohead.execute.run.drive_check_and_count import LoadClient, load_client
from headtohead.execute.run.walk_cases_repeat_excluded import walk
from headtohead.execute.subject.read_configuration_and_counters import configuration, joined
from headtohead.execute.subject.servers_of_treatment import SystemUnderTest
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Scalar
from headtohead.model.study.trials import Trial, users_of
from headtohead.model.study.workload import Workload

ARRIVALS = ("connections", "rate_per_s")
"""The fields of a case that are about how many requests come, not about which."""


def run_server(context: RunContext) -> None:
    """Go through the phases of a server's run; raises SubjectError if one fails."""
    log, request = context.log, context.request
    system = started(context)
    if not request.treatment.in_process:
        read_back(context)
    server = system.servers[-1]
    log.configuration = joined(log.configuration, configuration(server))
    workload = context.study_context.workload(request.experiment)
    dataset = server.words.get("dataset")
    data = {each.label: _files(context, workload, each, dataset=dataset) for each in context.supervised.senders}
    client = load_client(context, system, data=data)
    _check(context, client)
    _settle(context, client)
    if request.experiment.load.searches:
        search(context, client)
    else:
        _cases(context, client)
    if not client.compared:
        _check(context, client)
    if not log.read_back:
        read_back(context)
    note_usage(context)
    stop(context, system)


def stop(context: RunContext, system: SystemUnderTest) -> None:
    """Stop all parts, and note whether they ended by themselves in time."""
    with context.log.phase("stop"):
        stopped = system.stop()
    context.log.usage["stopped_in_time"] = float(all(stopped.values()))
    context.give_back(stopped)


def started(context: RunContext) -> SystemUnderTest:
    """Return the system under test after copying its data, starting all parts, and reading data into memory."""
    log = context.log
    if context.copies_data():
        with log.phase("copy"):
            system = context.system()
    else:
        system = context.system()
    with log.phase("start"):
        system.start()
    if system.warms():
        with log.phase("warm"):
            system.warm()
    return system


def _files(context: RunContext, workload: Workload, sender: SupervisedRun, *, dataset: Scalar | None) -> Path:
    """Return the folder of the files that requests name where they are sent: the data set, or the workload's folder."""
    if dataset is not None:
        far = context.study_context.far_data.get((context.request.experiment.name, sender.label))
        return Path(str(dataset)) if far is None else far
    named = any(each.expect.body or each.sends or each.urls for each in workload.requests)
    named |= workload.session is not None and any(True for step in workload.session.steps for _ in step.files)
    folder = Path(workload.folder)
    return sender.give_folder(folder, "workload") if named else folder


def _settle(context: RunContext, client: LoadClient) -> None:
    """Put a load on a server that is faster later, so that what is measured does not depend on how long it ran.

    It is of the requests of all cases, one after another, by no more users than a closed loop is measured with. An
    engine in process begins anew with each load program, so it cannot settle. Raises SubjectError if no response was
    correct.
    """
    request, load = context.request, context.request.experiment.load
    if not load.settle_s or request.treatment.in_process:
        return
    cases = request.planned.cases or (WHOLE_RUN,)
    asked = list(dict.fromkeys(Case({k: v for k, v in each.items() if k not in ARRIVALS}) for each in cases))
    given = [{**load.settings, **each}.get("connections") for each in cases]
    enough = users_of(len(request.treatment.cpus))
    users = min(enough, max((int(each) for each in given if each is not None), default=enough))
    each_s = load.settle_s / len(asked)
    with context.log.phase("settle"):
        right = sum(
            client.settle(Trial(Case({**case, "connections": users}), "closed", 0.0, each_s, drains=True, settles=True))
            for case in asked
        )
    if not right:
        raise SubjectError(
            f"{request.treatment.subject} had no correct response while it settled",
            why=f"It worked for {load.settle_s:g} s under a load of {users} users.",
            remedy="See logs/ in the run's folder; settle_s = 0 in the study's load measures without.",
        )


def _cases(context: RunContext, client: LoadClient) -> None:
    """Walk the planned cases; if a load may leave work behind, wait for an idle server before each case."""
    load = context.request.experiment.load
    loop = "closed" if load.loop == "batch" else load.loop
    gate = context.log.gate if loop == "closed" else context.log.gate_idle
    walks = [(case, (case,)) for case in context.request.planned.cases]

    def once(case: Case, _: Sequence[Case], name: str) -> list[dict[str, Any]]:
        return [client.drive(Trial(case, loop, load.warm_up_s, load.measure_s, drains=True), name=name)]

    walk(context, walks, once, gate=gate)


def _check(context: RunContext, client: LoadClient) -> None:
    with context.log.phase("check"):
        wrong = client.check()
    if wrong:
        raise SubjectError(
            f"{context.subject.name} answers wrongly",
            why=f"{'; '.join(wrong)}.",
            remedy="Send the request by hand, and see its log in the run's folder.",
        )
