"""Load over HTTP: the load generator's options that only HTTP has, and its requests: a mix of them, or a session."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.load.common_options import LoadOptions, option
from headtohead.execute.pages.ready_over_link import reached
from headtohead.execute.subject.server import Server
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.model.case import Case
from headtohead.model.study.session import Session, SessionStep
from headtohead.model.study.study import HTTP_VERSION
from headtohead.model.study.trials import Trial
from headtohead.model.study.workload import Request


@dataclass(frozen=True)
class HttpLoad:
    """The requests to an http subject from a supervised run; ``data`` is the folder of its data set there."""

    options: LoadOptions
    server: Server
    sender: SupervisedRun
    data: Path

    @property
    def gzip(self) -> bool:
        """Whether the requests accept compressed responses: by the workload's factor, or by the server's own."""
        session, settings = self.options.workload.session, self.options.request.treatment.settings
        return self.options.levels.get("gzip", None if session else settings.get("gzip")) == "on"

    @property
    def is_http2(self) -> bool:
        """Whether the requests are sent over HTTP/2: by the workload's factor, or by the server's own."""
        settings = self.options.request.treatment.settings
        return self.options.levels.get(HTTP_VERSION, settings.get(HTTP_VERSION)) == "2"

    def program(self) -> tuple[str, ...]:
        """Return the load generator."""
        return "h2h-load", "http"

    def place(self) -> tuple[str, ...]:
        """Return the subject's address."""
        site = self.server.site(self.sender)
        return *reached(site), site.url

    def words(self, trial: Trial) -> Iterator[str]:
        """Yield the options for connections and for their requests."""
        levels = self.options.levels
        per_request = levels.get("connection") == "per-request" or levels.get("handshake") in {"full", "resumed"}
        calls = 1 if per_request else self.options.words(trial).get("calls")
        if self.options.workload.session is not None:
            calls = None  # the program counts the steps
        if calls is not None and (trial.loop != "open" or per_request):
            yield from ("--calls", str(calls))
        if self.gzip:
            yield "--gzip"
        yield from option("--handshake", levels.get("handshake"))
        if self.is_http2:
            yield from ("--http", "2")
            yield from option("--streams", self.options.words(trial).get("streams_per_connection"))

    def mix(self, _: Case, *, start: int) -> Mapping[str, Any]:
        """Return the requests, the same in every case and at every start."""
        del start
        session = self.options.workload.session
        if session is not None:
            return _session(session, self.data)
        return {"requests": [_listed(each, self.data) for each in self.options.workload.requests]}

    def only(self, request: Request) -> Mapping[str, Any]:
        """Return the mix of one request, with every response compared in full."""
        return {"requests": [{**_listed(request, self.data), "sample": 1.0}]}


def _listed(request: Request, data: Path) -> dict[str, Any]:
    expect = request.expect
    sends = None if request.sends is None else str(data / request.sends)
    fields = {
        "name": request.name,
        "weight": request.weight,
        "method": request.method,
        "headers": dict(request.headers),
        "sends": sends,
        "status": expect.status,
        "sample": expect.sample,
    }
    if request.urls is not None:
        drawn = {"skew": request.skew, "exponent": request.exponent}
        return {**fields, "urls": str(data / request.urls), **drawn}
    body = None if expect.body is None else str(data / expect.body)
    return {**fields, "path": request.path, "length_bytes": expect.length_bytes, "body": body, "sha256": expect.sha256}


def _session(session: Session, data: Path) -> Mapping[str, Any]:
    """Return the session as ``h2h-load`` reads it; ``data`` is the folder of the files that steps name."""
    values = {name: dict(value) for name, value in session.values.items()}
    return {"session": {"values": values, "steps": [_step(each, data) for each in session.steps]}}


def _step(step: SessionStep, data: Path) -> dict[str, Any]:
    expect = step.expect
    fields = {
        "name": step.name,
        "method": step.method,
        "path": step.path,
        "headers": dict(step.headers),
        "text": step.text,
        "sends": None if step.sends is None else str(data / step.sends),
        "status": expect.status,
        "length_bytes": expect.length_bytes,
        "body": None if expect.body is None else str(data / expect.body),
        "sha256": expect.sha256,
        "values": [dict(each.listed) for each in expect.values],
        "take": {name: dict(each.listed) for name, each in step.take.items()},
    }
    return {name: value for name, value in fields.items() if value is not None}
