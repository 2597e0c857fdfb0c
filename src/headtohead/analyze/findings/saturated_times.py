"""A response time that decides, of a closed loop that kept the subject full (METHOD.md 4.1 and 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

TIMES = ("response_time_", "service_time_")


def saturated_times(whole: Whole) -> Iterator[Finding]:
    """Yield a finding where a response time decides of users who never pause, more than one: it tells of no user."""
    experiment, load = whole.experiment, whole.experiment.load
    if not experiment.primary.of.startswith(TIMES) or load.loop != "closed" or load.settings.get("think_s"):
        return
    told = load.settings.get("connections")
    users = [*load.cases.get("connections", ()), *(() if told is None else (told,))]
    if max((int(each) for each in users), default=1) > 1:
        yield Finding(
            id="saturated-times",
            severity=Severity.INVALID,
            says="Response times decide, and users never pause: these are times at saturation, users over response "
            "rate, not what a user of a server with room to spare would see.",
            advice='Ask in the open loop (loop = "open" with a rate), or let goodput decide.',
            evidence={"most_connections": max(int(each) for each in users)},
        )
