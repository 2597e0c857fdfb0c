"""Load over HTTP: its command line, its mix of requests, and the pages that must be right before it begins."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.http.check import wrong_pages
from headtohead.execute.load.options import Asked, option
from headtohead.execute.subject.server import Server
from headtohead.model.case import Case
from headtohead.model.search import Trial
from headtohead.model.study.workload import Request


@dataclass(frozen=True)
class Http:
    """What is asked of an http subject; ``data`` is the folder of its data set."""

    asked: Asked
    server: Server
    data: Path

    @property
    def gzip(self) -> bool:
        """Whether compressed answers are asked for."""
        return self.asked.levels.get("gzip") == "on"

    def program(self) -> tuple[str, ...]:
        """Return the load generator."""
        return "h2h-load", "http"

    def place(self) -> tuple[str, ...]:
        """Return where the subject is reached."""
        site = self.server.site()
        return *(() if site.ca is None else ("--ca", str(site.ca))), site.url

    def words(self, trial: Trial) -> Iterator[str]:
        """Yield what a connection is, and what is asked for on it."""
        levels = self.asked.levels
        per_request = levels.get("connection") == "per-request" or levels.get("handshake") in {"full", "resumed"}
        calls = 1 if per_request else self.asked.words(trial).get("calls")
        if calls is not None and (trial.loop != "open" or per_request):
            yield from ("--calls", str(calls))
        if self.gzip:
            yield "--gzip"
        yield from option("--handshake", levels.get("handshake"))

    def mix(self, _: Case, *, start: int) -> Mapping[str, Any]:
        """Return the requests, alike in every case and at every start."""
        del start
        return {"requests": [_listed(each, self.data) for each in self.asked.workload.requests]}

    def wrong(self) -> list[str]:
        """Ask for the pages by hand; return what is wrong with them."""
        site, within_s = self.server.site(), self.asked.timeout_s
        return wrong_pages(site, self.asked.workload, data=self.data, gzip=self.gzip, within_s=within_s)


def _listed(request: Request, data: Path) -> dict[str, Any]:
    expect = request.expect
    told = {"name": request.name, "weight": request.weight, "status": expect.status, "sample": expect.sample}
    if request.urls is not None:
        drawn = {"skew": request.skew, "exponent": request.exponent}
        return {**told, "urls": str(data / request.urls), **drawn}
    body = None if expect.body is None else str(data / expect.body)
    return {**told, "path": request.path, "length_bytes": expect.length_bytes, "body": body}
