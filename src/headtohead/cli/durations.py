"""The durations of earlier runs on this machine: read for a forecast, and kept when a study ends."""

import contextlib
from collections.abc import Iterable, Sequence

from headtohead.hosts.facts import read_facts
from headtohead.hosts.paths import cache_dir
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.machine.durations import RecordedDurations
from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.noise import changed
from headtohead.model.plan import Plan
from headtohead.model.record import Recorded
from headtohead.plan.forecast.earlier import AsBefore, as_before, recorded
from headtohead.report.text.numbers.dates_and_durations import duration
from headtohead.store.machine_records import keep_durations, read_durations


def as_before_here(plan: Plan) -> AsBefore:
    """Return the plan with the durations of earlier runs on this machine, if it is still the same."""
    found = as_before(plan, _read())
    if found.known and _read(here=(read_facts("local"),)) is None:
        return as_before(plan, None)
    return found


def ask_time_for_search(plan: Plan, first_look_s: float) -> None:
    """Raise WordsError if a search cannot reach its first check within the time limit: it would take far longer."""
    searches = any(each.load.searches for each in plan.experiments)
    if searches and plan.within_min is not None and first_look_s > 60 * plan.within_min:
        runs = sum(each.looks[0] * len(each.treatments) for each in plan.experiments)
        raise WordsError(
            f"--budget of {duration(60 * plan.within_min)}",
            why=f"The first check comes after {runs} searches, which take about {duration(first_look_s)}.",
            remedy="Raise --budget, or give a --rate in place of --search: its runs are short.",
        )


def keep_durations_here(plan: Plan, runs: Sequence[Recorded], hosts: Iterable[HostFacts]) -> None:
    """Keep how long these runs took; a forecast is not worth an error, so a disk that refuses is passed over."""
    hosts = tuple(hosts)
    found = recorded(plan, runs, hosts=hosts, earlier=_read(here=hosts))
    if found is not None:
        with contextlib.suppress(OSError):
            keep_durations(cache_dir(), found)


def _read(*, here: Iterable[HostFacts] | None = None) -> RecordedDurations | None:
    """Return what is kept; None if that is nothing, is damaged, or is of a machine that differs from ``here``."""
    try:
        kept = read_durations(cache_dir())
    except RecordError:
        return None
    return None if kept is None or (here is not None and any(changed(kept.facts, here))) else kept
