"""Try each racer of `headtohead race` once, before any measurement: which responses and which output does it give?"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.execute.context.run_context import NO_LIMIT
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.pages.ready_over_link import page_argv
from headtohead.execute.pages.request_page import BROKEN, Answer, Sent, Site
from headtohead.execute.subject.fill_templates import fill_argv
from headtohead.execute.subject.list_subjects_of_treatment import Part
from headtohead.execute.subject.server import working_directory
from headtohead.execute.subject.servers_of_treatment import SystemUnderTest
from headtohead.execute.supervise_process_of_run import NO_LIMITS, SupervisedRun, new_run
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Scalar
from headtohead.model.study.study import HTTP_VERSION
from headtohead.model.study.subject import Subject

RESPONSE_WITHIN_S = 5.0
PROGRAM_WITHIN_S = 600.0
SHORTEST_S = 0.001
TRY_AGAIN_AFTER_S = 0.1
FAILS = 500
"""The lowest status of a server that fails, as one does that responds before it has loaded what it needs."""
NEVER_READY = (501, 505)
"""What no waiting changes: the server does not know the method, or the version of HTTP."""


@dataclass(frozen=True)
class TriedRequest:
    """A request to try: the path with its query, what else is sent, and the status that its response must have.

    ``status`` is None if that is not known.
    """

    path: str
    sent: Sent
    status: int | None = None

    def waits(self, status: int) -> bool:
        """Return whether a response with this status may be that of a server that has not loaded everything yet."""
        return status >= FAILS and status not in NEVER_READY if self.status is None else status != self.status


def first_responses(
    environment: Environment, subject: Subject, requests: Sequence[TriedRequest], *, times: int, http: str
) -> tuple[tuple[Answer, ...], ...]:
    """Start a server once; return, for each request, its responses to ``times`` requests over a version of HTTP.

    The first request is sent again for a while if its response may be that of a server that still loads something.
    Raises SubjectError if it does not become ready, or does not respond.
    """
    with new_run(environment) as supervised:
        system = _system(supervised, subject, {"path": requests[0].path, HTTP_VERSION: http})
        site = system.start().site()
        if site.url.startswith("https:") and not site.http2:
            _ask_trusted(supervised, site, requests[0].path)
        responses: list[tuple[Answer, ...]] = []
        loads_within_s = 0.0 if subject.start is None else subject.start.within_s
        for each in requests:
            try:
                _wait_until_loaded(site, each, within_s=0.0 if responses else loads_within_s)
                found = [_response(site, each) for _ in range(times)]
            except BROKEN as error:
                system.check_alive()
                raise SubjectError(
                    f"{subject.name} gave no response to {each.sent.method} {each.path}",
                    why=f"{type(error).__name__}: {error}.",
                    remedy="Send the request by hand.",
                ) from error
            responses.append(tuple(found))
        system.stop()
        return tuple(responses)


def _response(site: Site, request: TriedRequest) -> Answer:
    return site.page(request.path, within_s=RESPONSE_WITHIN_S, sent=request.sent)


def _wait_until_loaded(site: Site, request: TriedRequest, *, within_s: float) -> None:
    deadline_s = time.monotonic() + within_s
    while time.monotonic() < deadline_s and request.waits(_response(site, request).status):
        time.sleep(TRY_AGAIN_AFTER_S)


def _ask_trusted(supervised: SupervisedRun, site: Site, path: str) -> None:
    """Raise SubjectError if the load generator does not trust the certificate, which it checks more strictly."""
    supervised.begin("certificate", page_argv(site, site.url + path), group="driver")
    supervised.supervisor.wait("certificate", within_s=PROGRAM_WITHIN_S)
    if not supervised.read(supervised.output_files("certificate")[0]).strip():
        raise SubjectError(
            f"The load generator sends nothing to {site.url}",
            why=f"{supervised.tail('certificate')}.",
            remedy="See `headtohead race` in docs/how-to/compare-my-service.md for the certificate that it needs.",
        )


def first_answer(environment: Environment, subject: Subject) -> tuple[str, str]:
    """Run a program that repeats itself (``h2h-load repeat``) once; return its answer, and why it failed if it did."""
    with new_run(environment) as supervised:
        system = _system(supervised, subject, {"seconds": SHORTEST_S})
        words, batch = system.next().words, subject.batch
        if batch is None:
            raise SubjectError(
                f"{subject.title} is not a program", why="It has no [batch].", remedy="Race programs by `--batch`."
            )
        argv = fill_argv(batch.argv, words, where=f"subject {subject.name}")
        supervised.begin("subject", argv, group="subject", cwd=working_directory(batch, subject))
        ended = supervised.supervisor.wait("subject", within_s=PROGRAM_WITHIN_S)
        if not ended.exited or ended.code != 0:
            raise SubjectError(
                f"{subject.title} failed", why=f"{supervised.tail('subject')}.", remedy="Run its command by hand."
            )
        record = json.loads(supervised.read(supervised.output_files("subject")[0]))
        return str(record["answer"]), str(record.get("why_not", ""))


def _system(supervised: SupervisedRun, subject: Subject, words: dict[str, Scalar]) -> SystemUnderTest:
    for group in ("subject", "driver"):
        supervised.supervisor.group(group, NO_LIMITS)
    settings = {name: factor.resolved(factor.default, cpus=1) for name, factor in subject.factors.items()}
    part = Part(subject, settings, subject.serves[0])
    return SystemUnderTest(supervised, (part,), {part.name: {"cpus": 1, "memory_mib": NO_LIMIT, **words}})
