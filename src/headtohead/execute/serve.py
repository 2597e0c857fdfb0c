"""A run of a server: started, checked, loaded case by case or trial by trial, checked again, stopped."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headtohead.execute.drive import Driver
from headtohead.execute.making import Making
from headtohead.execute.pages import wrong_pages
from headtohead.execute.search import search
from headtohead.execute.system import System
from headtohead.execute.walk import walk
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Case
from headtohead.model.search import Trial


def serve(making: Making) -> None:
    """Go through the phases of a server's run; SubjectError where one of them fails."""
    diary, order = making.diary, making.order
    system = _started(making)
    making.read_back()
    server = system.servers[-1]
    data = Path(str(server.words.get("dataset", making.stand.run_dir)))
    driver = Driver(server, making.bench.workload(order.experiment), order, data)
    driver.write_mix()
    _check(making, driver)
    if order.experiment.load.searches:
        search(making, driver)
    else:
        _cases(making, driver)
    _check(making, driver)
    making.used()
    with diary.phase("stop"):
        stopped = system.stop()
    diary.usage["stopped_in_time"] = float(all(stopped.values()))
    making.give_back(stopped)


def _started(making: Making) -> System:
    """Return the system under test, its data copied, all parts ready, what should be in memory read in."""
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


def _cases(making: Making, driver: Driver) -> None:
    """Walk the planned cases; the server is waited for to become idle where a load may leave it work to do."""
    load = driver.load
    loop = "closed" if load.loop == "batch" else load.loop
    gate = making.diary.gate if loop == "closed" else making.diary.gate_idle
    walks = [(case, (case,)) for case in making.order.planned.cases]

    def once(case: Case, _: Sequence[Case], name: str) -> list[dict[str, Any]]:
        return [driver.drive(Trial(case, loop, load.warm_up_s, load.measure_s, drains=True), name=name)]

    walk(making, walks, once, gate=gate)


def _check(making: Making, driver: Driver) -> None:
    with making.diary.phase("check"):
        site, within_s = driver.server.site(), driver.timeout_s
        wrong = wrong_pages(site, driver.workload, data=driver.data, gzip=driver.gzip, within_s=within_s)
    if wrong:
        raise SubjectError(
            f"{making.subject.name} answers wrongly",
            why=f"{'; '.join(wrong)}.",
            remedy="Ask it by hand, and see its log in the run's folder.",
        )
