"""The client side of one run: drive its load, check answers, and count by the subject's own counters."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from headtohead.execute.context.read_back_settings_and_usage import observe, observe_load
from headtohead.execute.context.run_context import RunContext
from headtohead.execute.load.common_options import LoadOptions, Share
from headtohead.execute.load.driver import Driver, unseen
from headtohead.execute.load.http_options_and_requests import HttpLoad
from headtohead.execute.load.several_drivers import Drivers
from headtohead.execute.load.sql_options_and_queries import SqlLoad
from headtohead.execute.response_checks.pages import wrong_pages_of
from headtohead.execute.response_checks.pages_over_link import PageCheck
from headtohead.execute.response_checks.query_results import SqlCheck
from headtohead.execute.response_checks.session import SessionCheck
from headtohead.execute.subject.read_configuration_and_counters import Counters, counted
from headtohead.execute.subject.server import Server
from headtohead.execute.subject.servers_of_treatment import SystemUnderTest
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.model.case import WHOLE_RUN
from headtohead.model.errors import SubjectError
from headtohead.model.study.trials import Trial


@dataclass(frozen=True)
class LoadClient:
    """The client of a run's subject; ``wrong`` checks some answers and returns what is wrong with them.

    ``compared`` is true if the load itself compares every answer, so that a check after it adds nothing.
    """

    driver: Driver | Drivers
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

    def settle(self, trial: Trial) -> int:
        """Put a load on the subject of which nothing is recorded; return the number of correct responses."""
        with self._alive():
            return self.driver.settle(trial)

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


def load_client(context: RunContext, system: SystemUnderTest, *, data: Mapping[str, Path]) -> LoadClient:
    """Return the client for a run's subject and its interface.

    ``data`` is the folder of the data set on each machine that sends. Answers are checked from the first of these.
    """
    request, server = context.request, system.servers[-1]
    supervised, workload = server.supervised, context.study_context.workload(request.experiment)
    drivers = []
    for number, sender in enumerate(supervised.senders):
        far_cpus = len(sender.environment.cpus) if supervised.drivers else 0
        options = LoadOptions(workload, request, far_cpus, Share(number, len(supervised.senders)))
        kind = SqlLoad if request.experiment.of_queries else HttpLoad
        protocol = kind(options, server, sender, data[sender.label])
        drivers.append(Driver(options, server, sender, protocol, _running(context, server, sender)))
    first = drivers[0]
    driver = first if len(drivers) == 1 else Drivers(drivers)
    if isinstance(first.protocol, SqlLoad):
        answers = SqlCheck(first.protocol, first, request.planned.cases or (WHOLE_RUN,))
        return LoadClient(driver, system, Counters(server), answers.wrong, compared=answers.all_compared)
    assert isinstance(first.protocol, HttpLoad)
    wrong: Callable[[], list[str]] = partial(wrong_pages_of, first.protocol)
    if workload.session is not None:
        wrong = SessionCheck(workload.session, first.protocol, first).wrong
    elif supervised.reached_from_driver:
        wrong = PageCheck(first.protocol, first).wrong
    return LoadClient(driver, system, Counters(server), wrong)


def _running(context: RunContext, server: Server, sender: SupervisedRun) -> Callable[[str], None]:
    """Return what observes a run while a load program runs: in process it is the subject itself.

    Several drivers begin at one instant, which to observe the first would miss.
    """
    if server.in_process:
        return partial(observe, context)
    return unseen if len(context.supervised.senders) > 1 else partial(observe_load, context, sender)
