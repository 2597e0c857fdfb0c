"""The clocks of a run's machines against ours: measured before the run and after it, with their uncertainty."""

from collections.abc import Iterator, Mapping

from headtohead.execute.remote_machine import Elsewhere
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.hosts.ssh.session import ClockOffset

Clocks = dict[str, Mapping[str, int]]


def set_clocks(supervised: SupervisedRun) -> Mapping[str, ClockOffset]:
    """Measure the clock of each machine and go by it from now on; return the offsets by label."""
    return {each.label: each.clock.measure() for each in _elsewhere(supervised)}


def compared(before: Mapping[str, ClockOffset], supervised: SupervisedRun) -> Clocks:
    """Measure the clocks again, and return by label what run.json has of them.

    During the run an offset was between the two. So it is uncertain by their difference, and by the larger of their
    own uncertainties.
    """
    found: Clocks = {}
    for each in _elsewhere(supervised):
        first, last = before[each.label], each.clock.measured()
        moved_ns = abs(last.offset_ns - first.offset_ns)
        found[each.label] = {
            "offset_before_ns": first.offset_ns,
            "offset_after_ns": last.offset_ns,
            "uncertainty_ns": moved_ns + max(first.uncertainty_ns, last.uncertainty_ns),
            "exchanges": first.exchanges + last.exchanges,
        }
    return found


def _elsewhere(supervised: SupervisedRun) -> Iterator[Elsewhere]:
    for each in (supervised, *supervised.drivers):
        if each.environment.elsewhere is not None:
            yield each.environment.elsewhere
