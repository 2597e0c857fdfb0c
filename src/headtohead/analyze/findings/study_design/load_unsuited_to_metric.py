"""Whether the load suits the primary metric: users who never pause, few requests, idle CPUs, a short time."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.runs.cpu_use_by_case import subject_share
from headtohead.analyze.runs.records_and_times_of_case import of_case
from headtohead.analyze.samples.summary_over_cases import cases_of
from headtohead.model import quantiles, rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

TIMES = ("response_time_", "service_time_")


def saturated_times(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if a response time decides and several users never pause: it is no user's response time."""
    experiment, load = whole.experiment, whole.experiment.load
    if not experiment.primary.of.startswith(TIMES) or load.loop != "closed" or load.settings.get("think_s"):
        return
    connections = load.settings.get("connections")
    users = [*load.cases.get("connections", ()), *(() if connections is None else (connections,))]
    if max((int(each) for each in users), default=1) > 1:
        yield Finding(
            id="saturated-times",
            severity=Severity.INVALID,
            says="Response times decide, and users never pause: these are times at saturation (users divided by "
            "response rate), longer than on a server with spare capacity.",
            advice='Use an open loop (loop = "open" with a rate), or let correct responses/s decide.',
            evidence={"most_connections": max(int(each) for each in users)},
        )


def few_beyond(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if the primary metric is a quantile with too few requests beyond it in some case of a run."""
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
            f"{beyond:.0f} are beyond it; {quantiles.BEYOND} are needed.",
            advice="Measure longer, or let a lower quantile decide.",
            evidence={"beyond_requests": beyond, "least_requests": quantiles.BEYOND, "requests": min(sent)},
        )


RATES = ("goodput_per_s", "response_rate_per_s")


def unsaturated(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each treatment in a verdict on a closed loop's throughput whose CPUs were never full."""
    experiment = whole.experiment
    if experiment.load.loop != "closed" or experiment.primary.of not in RATES:
        return
    reported: set[str] = set()
    for each in whole.decided():
        for label in (each.baseline, each.other):
            used = most_used(whole, label)
            if used is not None and used < rules.UNSATURATED.limit and label not in reported:
                reported.add(label)
                yield Finding(
                    id=rules.UNSATURATED.id,
                    severity=rules.UNSATURATED.then,
                    says=f"{label} used at most {percent(used)} of its CPUs, so throughput does not show what a "
                    "request costs.",
                    advice="Compare the CPU time per response as well, or use more connections to fill the CPUs.",
                    evidence={"used_share": used, "limit_share": rules.UNSATURATED.limit, "treatment": label},
                    of=(label,),
                )


def most_used(whole: Whole, label: str) -> float | None:
    """Return the share of its CPUs that a treatment used in its busiest case, the median over runs."""
    most = []
    for seen in (each for each in whole.seen if each.run.label == label):
        shares = [subject_share(case, seen.treatment) for case in seen.cases]
        known = [share for share in shares if share is not None]
        if not known or len(known) < len(shares):
            return None
        most.append(max(known))
    return statistics.median(most) if most else None


def too_short(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each treatment that was under load for less than 3 s in a run, the median over runs.

    Batch programs are left out: they do their work from start to end.
    """
    if whole.experiment.load.loop == "batch":
        return
    for treatment in whole.experiment.treatments:
        lengths = [
            sum(window.seconds for window in seen.windows) for seen in whole.seen if seen.run.label == treatment.label
        ]
        length_s = statistics.median(lengths) if lengths else 0.0
        if 0 < length_s < rules.TOO_SHORT.limit:
            yield Finding(
                id=rules.TOO_SHORT.id,
                severity=rules.TOO_SHORT.then,
                says=f"{treatment.label}: runs were measured for {length_s:.2g} s only (minimum "
                f"{rules.TOO_SHORT.limit:g} s).",
                advice="Raise measure_s, or the amount of work: effects that take seconds are not in these numbers.",
                evidence={"measured_s": length_s, "least_s": rules.TOO_SHORT.limit, "treatment": treatment.label},
                of=(treatment.label,),
            )
