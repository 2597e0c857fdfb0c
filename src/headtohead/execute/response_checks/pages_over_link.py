"""Check that pages are correct over a link before and after the load: the load generator compares them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from headtohead.execute.load.driver import Driver
from headtohead.execute.load.http_options_and_requests import HttpLoad
from headtohead.execute.response_checks.pages import ASKED_OF_SET
from headtohead.model.case import Case
from headtohead.model.study.trials import Trial
from headtohead.model.study.workload import Request

LONGEST_S = 1.0
"""The number of responses ends the check; the load generator requires a time as well."""


@dataclass
class PageCheck:
    """Requests each page of the workload, and 20 of each URL set, from the driver's end of a link.

    Every response is compared in full. ``checks`` counts the requests of the workload that have been checked.
    """

    pages: HttpLoad
    driver: Driver
    checks: int = field(default=0, init=False)

    def wrong(self) -> list[str]:
        """Return what is wrong with the responses, one text for each request; empty if all are right."""
        return list(self._wrong())

    def _wrong(self) -> Iterator[str]:
        for request in self.pages.options.workload.requests:
            self.checks += 1
            count = 1 if request.urls is None else ASKED_OF_SET
            case = Case({"check": request.name, "connections": 1, "requests": count, "think_s": 0})
            trial = Trial(case, "closed", 0.0, LONGEST_S, drains=True)
            record = self.driver.check(trial, self.pages.only(request), name=f"check.{self.checks}")
            if record["right"] < count or any(record["errors"].values()):
                yield _described(request, record)


def _described(request: Request, record: Mapping[str, Any]) -> str:
    kinds = [kind for kind, number in record["errors"].items() if number] or ["no response"]
    wrong = f"{record['sent'] - record['right']} of {record['sent']} responses"
    return f"{request.path or request.urls} gave {' and '.join(kinds)} in {wrong}"
