"""The client side of one run: the load, the check of answers, and the subject's own counters."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.context.run_context import RunContext
from headtohead.execute.load.driver import Driver
from headtohead.execute.load.http_load import HttpLoad
from headtohead.execute.load.options import LoadOptions
from headtohead.execute.load.page_check import PageCheck
from headtohead.execute.load.session_check import SessionCheck
from headtohead.execute.load.sql_check import SqlCheck
from headtohead.execute.load.sql_load import SqlLoad
from headtohead.execute.subject.introspection import Counters, counted
from headtohead.execute.subject.system_under_test import SystemUnderTest
from headtohead.model.case import WHOLE_RUN
from headtohead.model.errors import SubjectError
from headtohead.model.search import Trial


@dataclass(frozen=True)
class LoadClient:
    """The client of a run's subject; ``wrong`` checks some answers and returns what is wrong with them.

    ``compared`` is true if the load itself compares every answer, so that a check after it adds nothing.
    """

    driver: Driver
    system: SystemUnderTest
    counters: Counters
    wrong: Callable[[], list[str]]
    compared: bool = False

    def drive(self, trial: Trial, *, name: str) -> dict[str, Any]:
        """Drive one case or trial; return its record, with the subject's counters during it."""
        before = self.counters.read()
        with self._alive():
            document = self.driver.drive(trial, name=name)
        risen = counted(before, self.counters.read())
        return {**document, "counters": risen} if risen else document

    def check(self) -> list[str]:
        """Return what is wrong with the subject's answers."""
        with self._alive():
            return self.wrong()

    @contextmanager
    def _alive(self) -> Iterator[None]:
        """Raise SubjectError if the subject has ended in the meantime: that explains any other error."""
        try:
            yield
        except SubjectError:
            self.system.check_alive()
            raise
        self.system.check_alive()


def load_client(context: RunContext, system: SystemUnderTest, *, data: Path) -> LoadClient:
    """Return the client for a run's subject and its interface; ``data`` is the folder of the data set."""
    request, server = context.request, system.servers[-1]
    sender, far = server.sandbox.sender, bool(server.sandbox.drivers)
    far_cpus = len(sender.environment.cpus) if far else 0
    options = LoadOptions(context.study_context.workload(request.experiment), request, far_cpus)
    counters, linked = Counters(server), server.sandbox.linked is not None
    if not request.experiment.of_queries:
        pages = HttpLoad(options, server, data)
        driver = Driver(options, server, pages)
        wrong = PageCheck(pages, driver).wrong if linked or far else pages.wrong
        if options.workload.session is not None:
            wrong = SessionCheck(options.workload.session, pages, driver).wrong
        if linked:
            driver.running = lambda _: context.observe_driver()
        return LoadClient(driver, system, counters, wrong)
    queries = SqlLoad(options, server, data)
    driver = Driver(options, server, queries)
    if server.in_process:
        driver.running = context.observe
    elif linked:
        driver.running = lambda _: context.observe_driver()
    answers = SqlCheck(queries, driver, request.planned.cases or (WHOLE_RUN,))
    return LoadClient(driver, system, counters, answers.wrong, compared=answers.all_compared)
