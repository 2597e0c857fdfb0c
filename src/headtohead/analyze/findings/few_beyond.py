"""A quantile that decides and rests on a handful of requests (METHOD.md 3.3 and 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.runs import quantiles
from headtohead.analyze.runs.records import of_case, planned_cases
from headtohead.analyze.samples.summarize import cases_of
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord


def few_beyond(whole: Whole) -> Iterator[Finding]:
    """Yield a finding where the primary is a quantile beyond which, in some case of some run, lie too few requests."""
    experiment = whole.experiment
    quantile = quantiles.quantile_of(experiment.primary.of)
    if quantile is None or experiment.load.searches:
        return
    texts = cases_of(experiment.primary, experiment)
    cases = [case for case in planned_cases(experiment) if case in texts]
    sent = [
        record.sent
        for seen in whole.seen
        for case in cases
        for record in of_case([each.record for each in seen.cases], case)[:1]
        if isinstance(record, LoadRecord)
    ]
    beyond = min(sent, default=0) * (1 - quantile)
    if sent and beyond < quantiles.BEYOND * (1 - 1e-9):
        yield Finding(
            id="few-beyond",
            severity=Severity.INVALID,
            says=f"{experiment.primary.of} decides, and of the {min(sent):,} requests of the smallest case "
            f"{beyond:.0f} lie beyond it; {quantiles.BEYOND} are needed.",
            advice="Measure longer, or let a lower quantile decide.",
            evidence={"beyond_requests": beyond, "least_requests": quantiles.BEYOND, "requests": min(sent)},
        )
