"""A run of a server or of an engine in process: start, check, load case by case, check again, stop."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headtohead.execute.context.run_context import Making
from headtohead.execute.load.client import Asking, asking
from headtohead.execute.run.cases import walk
from headtohead.execute.run.search import search
from headtohead.execute.subject.introspection import configuration, joined
from headtohead.execute.subject.system import System
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Case
from headtohead.model.search import Trial


def serve(making: Making) -> None:
    """Go through the phases of a server's run; raises SubjectError if one fails."""
    diary, order = making.diary, making.order
    system = started(making)
    if not order.treatment.in_process:
        making.read_back()
    server = system.servers[-1]
    diary.configuration = joined(diary.configuration, configuration(server))
    asks = asking(making, system, data=Path(str(server.words.get("dataset", making.sandbox.run_dir))))
    _check(making, asks)
    if order.experiment.load.searches:
        search(making, asks)
    else:
        _cases(making, asks)
    if not asks.compared:
        _check(making, asks)
    if not diary.read_back:
        making.read_back()
    making.used()
    stop(making, system)


def stop(making: Making, system: System) -> None:
    """Stop all parts, and note whether they ended by themselves in time."""
    with making.diary.phase("stop"):
        stopped = system.stop()
    making.diary.usage["stopped_in_time"] = float(all(stopped.values()))
    making.give_back(stopped)


def started(making: Making) -> System:
    """Return the system under test after copying its data, starting all parts, and reading data into memory."""
    diary = making.diary
    if making.copies_data():
        with diary.phase("copy"):
            system = making.system()
    else:
        system = making.system()
    with diary.phase("start"):
        system.start()
    if system.warms():
        with diary.phase("warm"):
            system.warm()
    return system


def _cases(making: Making, asks: Asking) -> None:
    """Walk the planned cases; if a load may leave work behind, wait for an idle server before each case."""
    load = making.order.experiment.load
    loop = "closed" if load.loop == "batch" else load.loop
    gate = making.diary.gate if loop == "closed" else making.diary.gate_idle
    walks = [(case, (case,)) for case in making.order.planned.cases]

    def once(case: Case, _: Sequence[Case], name: str) -> list[dict[str, Any]]:
        return [asks.drive(Trial(case, loop, load.warm_up_s, load.measure_s, drains=True), name=name)]

    walk(making, walks, once, gate=gate)


def _check(making: Making, asks: Asking) -> None:
    with making.diary.phase("check"):
        wrong = asks.check()
    if wrong:
        raise SubjectError(
            f"{making.subject.name} answers wrongly",
            why=f"{'; '.join(wrong)}.",
            remedy="Send the request by hand, and see its log in the run's folder.",
        )
