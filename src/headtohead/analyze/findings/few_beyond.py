"""A quantile that decides and rests on a handful of requests (METHOD.md 3.3 and 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.runs.records import of_case
from headtohead.analyze.samples.summarize import cases_of
from headtohead.model import quantiles
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord


def few_beyond(whole: Whole) -> Iterator[Finding]:
    """Yield a finding where the primary is a quantile beyond which, in some case of some run, lie too few requests."""
    experiment = whole.experiment
    quantile = quantiles.quantile_of(experiment.primary.of)
    if quantile is None or experiment.load.searches:
        return
    sent = [
        record.sent
        for seen in whole.seen
        for case in cases_of(experiment.primary, experiment)
        for record in of_case([each.record for each in seen.cases], case)[:1]
        if isinstance(record, LoadRecord)
    ]
    beyond = min(sent, default=0) * (1 - quantile)
    if sent and not quantiles.carries(min(sent), experiment.primary.of):
        yield Finding(
            id="few-beyond",
            severity=Severity.INVALID,
            says=f"{experiment.primary.of} decides, and of the {min(sent):,} requests of the smallest case "
            f"{beyond:.0f} lie beyond it; {quantiles.BEYOND} are needed.",
            advice="Measure longer, or let a lower quantile decide.",
            evidence={"beyond_requests": beyond, "least_requests": quantiles.BEYOND, "requests": min(sent)},
        )
