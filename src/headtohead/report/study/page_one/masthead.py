"""The head of the page: which machine, how many runs over which time, and what went wrong meanwhile."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate, pairwise
from typing import TypeGuard

from headtohead.model import rules
from headtohead.model.analysis.results import Analysis
from headtohead.model.machine.host import HostFacts
from headtohead.model.quantity import Scalar
from headtohead.model.record import LoadRecord, Recorded, Recording
from headtohead.report.machine.bench_servers import server_hosts
from headtohead.report.machine.machine_in_one_line import buyer_line
from headtohead.report.text.numbers.dates_and_durations import date, duration
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, plain
from headtohead.report.text.repeated_cases_and_their_effect import UNKNOWN, causes, repeated_setups
from headtohead.report.text.wording import listed, plural

BUSY_TASKS = 0.5
"""From this load of the last minute on something else ran before the study; it needs no word if it was over."""
BREAK_S = 600.0
"""So long between two runs, a study was interrupted, or waited for quiet."""
UNPROVED = "An example: these values are from no results folder, so nothing shows that they were measured."


def masthead(analysis: Analysis, recording: Recording) -> tuple[str, ...]:
    """Return the lines below the title: machine and date; runs and what went wrong; what else ran, if anything did."""
    servers = server_hosts(recording)
    hosts = servers or recording.hosts
    lines = [f"{_named(each, servers)}{buyer_line(each)}" for each in hosts]
    machine = " | ".join(lines) or f"machine: {NOT_VISIBLE}"
    others = (UNPROVED if recording.runs and recording.proof is None else "", busy_line(hosts, recording.runs))
    return (f"{machine}; {date(analysis.began)}", trust_line(recording), *filter(None, others))


def busy_line(hosts: Sequence[HostFacts], runs: Sequence[Recorded]) -> str:
    """Return what else kept the machine busy at the start, and when measurements began; empty if nothing did."""
    begun = [each.run for each in runs if any(gate.get("quiet") is False for gate in each.run.gates)]
    parts = [f"{_named(each, hosts)}{text}" for each in hosts for text in _busy_at_start(each)]
    if begun:
        most = max((_foreign(gate) for each in begun for gate in each.gates), default=0.0)
        used = f" (others used up to {plain(most)} CPU)" if most else ""
        parts.append(f"{len(begun)} of {plural(len(runs), 'run')} began before the machine was quiet{used}")
    return f"Not idle: {'; '.join(parts)}." if parts else ""


def _named(host: HostFacts, hosts: Sequence[HostFacts]) -> str:
    return f"{host.name}: " if len(hosts) > 1 else ""


def _busy_at_start(host: HostFacts) -> Iterator[str]:
    """Yield the load of a host before the study and what other programs used, each if it is worth a word."""
    found = {each.name: each.value for each in host.facts}
    load, used = found.get("load of the last minute"), found.get("CPU used by others now")
    if isinstance(load, int | float) and load >= BUSY_TASKS and not _is_over(used):
        yield f"load {plain(load)} in the minute before the start"
    if isinstance(used, int | float) and used >= rules.FOREIGN_CPU.limit:
        busiest = found.get("busiest other processes")
        who = f" (busiest: {busiest})" if busiest and busiest != "none" else ""
        yield f"other programs used {plain(used)} CPU at the start{who}"


def _is_over(used: Scalar | None) -> TypeGuard[float]:
    return isinstance(used, int | float) and used <= rules.NOT_QUIET.limit


def _foreign(gate: Mapping[str, Scalar]) -> float:
    used = gate.get("foreign_cpus")
    return float(used) if gate.get("quiet") is False and isinstance(used, int | float) else 0.0


def trust_line(recording: Recording) -> str:
    """Return how many runs were made in which time, how many were repeated or do not count, and wrong responses."""
    if not (runs := recording.runs):
        return "No run was made."
    took = took_text(runs)
    parts = [f"{plural(len(runs), 'run')}{f' in {took}' if took else ''}"]
    parts += [_again(recording), *_not_counted(runs)]
    parts += ["noise tolerated: no verdicts"] if recording.plan.tolerates_noise else []
    records = [record for each in runs for record in each.records if isinstance(record, LoadRecord)]
    if records:
        wrong = sum(sum(each.wrong.values()) for each in records)
        parts.append(plural(wrong, "wrong response"))
    return " \u00b7 ".join(each for each in parts if each)


def _again(recording: Recording) -> str:
    """Return how many runs had a case repeated, of which setups if they are few, and how often for which reason."""
    again = [each.run for each in recording.runs if each.run.status == "valid" and each.run.repeated]
    if not again:
        return "no part measured again"
    why = Counter(cause for each in again for cause in causes(each))
    alike = set(why.values()) == {len(again)}
    several = ", some for several reasons" if why.total() > len(again) and not alike else ""
    because = (
        listed(list(why))
        if alike
        else "; ".join(f"{f'{number}: ' if len(why) > 1 else ''}{each}" for each, number in why.most_common())
    )
    which = repeated_setups(recording)
    named = "" if which.endswith(" setups") else which
    return f"{len(again)} had a part measured again{named}{several} ({because})"


def _not_counted(runs: Sequence[Recorded]) -> list[str]:
    bad = [each.run for each in runs if each.run.status != "valid"]
    if not bad:
        return ["no run discarded"]
    failed = sum(each.status == "failed" for each in bad)
    discarded = [each for each in bad if each.status != "failed"]
    parts = [f"{failed} failed"] if failed else []
    if discarded:
        why = Counter(short_cause(reason) for each in discarded for reason in each.reasons)
        because = f" ({listed([each for each, _ in why.most_common(2)])})" if why else ""
        parts.append(f"{len(discarded)} discarded{because}")
    return parts


def short_cause(reason: str) -> str:
    """Return why a run was discarded, in plain words; a reason without a known rule as far as its first colon or ``(``.

    >>> short_cause("foreign-cpu: 0.31 CPU in connections=100 (limit 0.10)"), short_cause("it did not start: exit 1")
    ('another program used the CPU', 'it did not start')
    """
    rule, _, said = reason.partition(": ")
    if rule in rules.CAUSES:
        return rules.CAUSES[rule]
    return (said if said and " " not in rule else rule).partition(" (")[0].strip() or UNKNOWN


def span_s(runs: Sequence[Recorded]) -> float | None:
    """Return the seconds from the start of the first run to the end of the last; None if they are not recorded."""
    stretches = [each for each in map(_stretch, runs) if each]
    if not stretches:
        return None
    return max(end for _, end in stretches) - min(start for start, _ in stretches)


def took_text(runs: Sequence[Recorded]) -> str:
    """Return how long runs took, first to last, with the breaks apart: ``38 min, and 1 h 26 min of breaks``.

    Empty if it is not recorded.
    """
    stretches = sorted(each for each in map(_stretch, runs) if each)
    ends = accumulate((end for _, end in stretches), max)
    gaps = [start - end for end, (start, _) in zip(ends, stretches[1:], strict=False)]
    breaks, span = sum(each for each in gaps if each > BREAK_S), span_s(runs)
    if not span:
        return ""
    return f"{duration(span - breaks)}, and {duration(breaks)} of breaks" if breaks else duration(span)


def slots_s(runs: Sequence[Recorded]) -> Mapping[int, float]:
    """Return the seconds from the start of each run to the start of the next one, by its number.

    After the last run, and before a break, the pause is taken as the mean of all others.
    """
    known = [(stretch, each) for each in runs if (stretch := _stretch(each))]
    known.sort(key=lambda each: each[0])
    gaps = [(each.run.run, start - end) for ((_, end), each), ((start, _), _) in pairwise(known)]
    pauses = {run: gap for run, gap in gaps if 0 <= gap <= BREAK_S}
    mean_s = sum(pauses.values()) / len(pauses) if pauses else 0.0
    return {each.run.run: lasted_s(each) + pauses.get(each.run.run, mean_s) for each in runs}


def lasted_s(recorded: Recorded) -> float:
    """Return how long a run lasted, in seconds; 0 if it has no phases."""
    return recorded.run.phases[-1].to_ns / 1e9 if recorded.run.phases else 0.0


def _stretch(recorded: Recorded) -> tuple[float, float] | None:
    """Return when a run began and ended, in seconds since 1970; None if its start is not an instant."""
    run = recorded.run
    try:
        began = datetime.fromisoformat(run.started_at).timestamp()
    except ValueError:
        return None
    return began, began + lasted_s(recorded)
