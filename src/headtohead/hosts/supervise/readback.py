"""Whether a treatment is in force: what the kernel reports, compared with the request."""

from collections.abc import Collection, Iterator

from headtohead.hosts.kernel_files import cpu_text
from headtohead.hosts.supervise.messages import Linked, ReadBack
from headtohead.model.machine.host import Cpu
from headtohead.model.machine.settings import NOFILE, settings_of
from headtohead.model.machine.topology import is_placed, shares_of
from headtohead.model.machine.userland import userland_of
from headtohead.model.plan import Treatment

QUOTA_TOLERANCE = 0.01
# The kernel rounds a memory limit to whole pages.
MEMORY_TOLERANCE_MIB = 1


def check(
    treatment: Treatment, answer: ReadBack, *, machine: Collection[Cpu] = (), linked: Linked | None = None
) -> tuple[str, ...]:
    """Return why a run may not count: each difference between what was read back and what was requested.

    ``machine`` has the places of CPUs, with which a placement is compared. ``linked`` is the run's link as reported.
    """
    if answer.processes == 0:
        return ("no process of the subject was there to be read back: give it more work",)
    return (
        *_cpus(treatment, answer),
        *_placement(treatment, answer, machine=machine),
        *_quota(treatment, answer),
        *_memory(treatment, answer),
        *_policy(treatment, answer),
        *_settings(treatment, answer),
        *_userland(treatment, answer),
        *_link(treatment, answer, linked),
        *_user(answer),
    )


def placed(treatment: Treatment, answer: ReadBack, *, machine: Collection[Cpu]) -> str | None:
    """Return the requested placement if the processes' CPUs have it; else None."""
    asked = str(treatment.levels["placement"])
    return asked if is_placed(asked, shares_of(answer.cpus, machine=machine)) else None


def _cpus(treatment: Treatment, answer: ReadBack) -> Iterator[str]:
    if set(answer.cpus) != set(treatment.cpus):
        yield f"asked for CPUs {cpu_text(treatment.cpus)}, its processes may run on {cpu_text(answer.cpus) or 'none'}"


def _placement(treatment: Treatment, answer: ReadBack, *, machine: Collection[Cpu]) -> Iterator[str]:
    asked = treatment.levels.get("placement")
    if asked is not None and placed(treatment, answer, machine=machine) is None:
        yield f"asked for CPUs placed as {asked}, CPUs {cpu_text(answer.cpus) or 'none'} are not, by the topology now"


def _policy(treatment: Treatment, answer: ReadBack) -> Iterator[str]:
    asked = treatment.memory
    if asked is None:
        return
    policy = f"{asked.kind}:{cpu_text(asked.nodes)}"
    others = [each for each in answer.memory_policies or ("none",) if each != policy]
    if others:
        yield f"asked for memory by {policy}, mappings of its processes have {' and '.join(others)} (numa_maps)"


def _quota(treatment: Treatment, answer: ReadBack) -> Iterator[str]:
    asked, given = treatment.cpu_quota, answer.cpu_quota
    if asked is None:
        # A quota of somebody else's is none to us as long as it allows all of the treatment's CPUs.
        if given is not None and given < len(treatment.cpus) * (1 - QUOTA_TOLERANCE):
            yield f"no CPU quota was asked for, {given:g} CPUs are allowed"
    elif given is None:
        yield f"asked for a quota of {asked:g} CPUs, none holds"
    elif abs(given - asked) > asked * QUOTA_TOLERANCE:
        yield f"asked for a quota of {asked:g} CPUs, {given:g} holds"


def _memory(treatment: Treatment, answer: ReadBack) -> Iterator[str]:
    asked = treatment.levels.get("memory_mib")
    if not isinstance(asked, int | float):
        return
    if answer.memory_mib is None:
        yield f"asked for {asked:g} MiB of memory, no limit holds"
    elif abs(answer.memory_mib - asked) > MEMORY_TOLERANCE_MIB:
        yield f"asked for {asked:g} MiB of memory, {answer.memory_mib} MiB hold"


def _settings(treatment: Treatment, answer: ReadBack) -> Iterator[str]:
    held = answer.settings or {}
    for name, value in settings_of(treatment.levels).items():
        if held.get(name) != value:
            yield f"asked for {name} = {value}, {held.get(name, 'nothing')} holds"
    nofile = treatment.levels.get(NOFILE)
    if nofile is not None and answer.nofile != (nofile,):
        found = " and ".join(map(str, answer.nofile)) or "no limit"
        yield f"asked for {nofile} open files, {found} hold"


def _userland(treatment: Treatment, answer: ReadBack) -> Iterator[str]:
    asked = userland_of(treatment.levels)
    if asked is not None and answer.userland != "own":
        yield f"asked for the userland {asked}, processes of the subject run on the machine's own files"


def _link(treatment: Treatment, answer: ReadBack, linked: Linked | None) -> Iterator[str]:
    asked = treatment.link
    if asked is None:
        return
    if linked is None:
        yield "asked for a link, there is none"
    elif linked.rate_mbit != asked.rate_mbit:
        yield f"asked for a link of {_rate(asked.rate_mbit)}, one of {_rate(linked.rate_mbit)} came out"
    yield from network(answer, of="the subject")


def network(answer: ReadBack, *, of: str) -> Iterator[str]:
    """Yield the reasons why a group's processes are not at their end of a link."""
    if answer.network != "own":
        yield f"processes of {of} are in the network {answer.network or 'of nobody'}, not at their end of the link"


def _rate(rate_mbit: int | None) -> str:
    return "no rate" if rate_mbit is None else f"{rate_mbit} Mbit/s"


def _user(answer: ReadBack) -> Iterator[str]:
    if 0 in answer.uids:
        yield "a process of the subject runs as root"
