"""The head of the page: which machine, how many runs over which time, and what went wrong meanwhile."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from headtohead.model.analysis.results import Analysis
from headtohead.model.record import LoadRecord, Recorded, Recording
from headtohead.report.machine.machine import buyer_line
from headtohead.report.machine.servers import server_hosts
from headtohead.report.text.dates import date, duration
from headtohead.report.text.names import listed, plural
from headtohead.report.text.numbers import NOT_VISIBLE
from headtohead.report.text.repeats import causes, repeated, short_cause


def masthead(analysis: Analysis, recording: Recording) -> tuple[str, ...]:
    """Return the lines below the title: machine and date, then runs, time, repeats and wrong responses."""
    servers = server_hosts(recording)
    lines = [f"{each.name}: {buyer_line(each)}" for each in servers] if len(servers) > 1 else []
    machine = " | ".join(lines or map(buyer_line, servers or recording.hosts)) or f"machine: {NOT_VISIBLE}"
    return (f"{machine}; {date(analysis.began)}", trust_line(recording.runs))


def trust_line(runs: Sequence[Recorded]) -> str:
    """Return how many runs were made in which time, how many were repeated or do not count, and wrong responses."""
    if not runs:
        return "No run was made."
    took = span_s(runs)
    parts = [f"{plural(len(runs), 'run')}{f' in {duration(took)}' if took else ''}"]
    parts += [_again(runs), *_not_counted(runs)]
    records = [record for each in runs for record in each.records if isinstance(record, LoadRecord)]
    if records:
        wrong = sum(sum(each.wrong.values()) for each in records)
        parts.append(plural(wrong, "wrong response"))
    return " \u00b7 ".join(each for each in parts if each)


def _again(runs: Sequence[Recorded]) -> str:
    again = [each.run for each in runs if each.run.status == "valid" and repeated(each.run)]
    if not again:
        return "no case repeated"
    why = Counter(cause for each in again for cause in causes(each))
    return f"{plural(len(again), 'run')} had a case repeated ({listed([each for each, _ in why.most_common()])})"


def _not_counted(runs: Sequence[Recorded]) -> list[str]:
    bad = [each.run for each in runs if each.run.status != "valid"]
    if not bad:
        return ["none discarded"]
    failed = sum(each.status == "failed" for each in bad)
    discarded = [each for each in bad if each.status != "failed"]
    parts = [f"{failed} failed"] if failed else []
    if discarded:
        why = Counter(short_cause(reason) for each in discarded for reason in each.reasons)
        because = f" ({listed([each for each, _ in why.most_common(2)])})" if why else ""
        parts.append(f"{len(discarded)} discarded{because}")
    return parts


def span_s(runs: Sequence[Recorded]) -> float | None:
    """Return the seconds from the start of the first run to the end of the last; None if they are not recorded."""
    stretches = [each for each in map(_stretch, runs) if each]
    if not stretches:
        return None
    return max(end for _, end in stretches) - min(start for start, _ in stretches)


def _stretch(recorded: Recorded) -> tuple[float, float] | None:
    """Return when a run began and ended, in seconds since 1970; None if its start is not an instant."""
    run = recorded.run
    try:
        began = datetime.fromisoformat(run.started_at).timestamp()
    except ValueError:
        return None
    return began, began + (run.phases[-1].to_ns / 1e9 if run.phases else 0.0)
