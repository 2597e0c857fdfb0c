"""Check that one session is answered correctly before and after the load: the load generator takes its steps."""

from dataclasses import dataclass, field

from headtohead.execute.load.driver import Driver
from headtohead.execute.load.http_options_and_requests import HttpLoad
from headtohead.execute.response_checks.pages_over_link import LONGEST_S
from headtohead.model.case import Case
from headtohead.model.study.session import Session
from headtohead.model.study.trials import Trial


@dataclass
class SessionCheck:
    """Takes the steps of one session. ``checks`` counts the sessions that have been checked."""

    session: Session
    pages: HttpLoad
    driver: Driver
    checks: int = field(default=0, init=False)

    def wrong(self) -> list[str]:
        """Return what is wrong with the responses, one text for each step; empty if all are right."""
        self.checks += 1
        steps = len(self.session.steps)
        case = Case({"check": "session", "connections": 1, "requests": steps, "think_s": 0})
        trial = Trial(case, "closed", 0.0, LONGEST_S, drains=True)
        mix = self.pages.mix(case, start=0)
        record = self.driver.check(trial, mix, name=f"check.session.{self.checks}")
        if record["right"] >= steps:
            return []
        kinds = [kind for kind, number in record["errors"].items() if number and kind != "skipped"] or ["no response"]
        wrong = [name for name, figures in record["queries"].items() if figures["right"] < figures["sent"]]
        return [f"the step {' and '.join(wrong) or self.session.steps[0].name} gave {' and '.join(kinds)}"]
