"""Read back the settings of the host while the programs of a run are there, and note what its subject used."""

import time

from headtohead.execute.context.run_context import RunContext
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.hosts.supervise import readback
from headtohead.model.machine.host import Cpu
from headtohead.model.machine.settings import NOFILE
from headtohead.model.machine.userland import FACTOR as USERLAND
from headtohead.model.machine.userland import userland_of
from headtohead.model.quantity import Scalar

SETTLED_S = 0.2
"""By then a program that does the work itself has started its workers, and is still working."""
ENDED_S = 1.0
"""By then a program that was ending has ended; meanwhile it is counted as a process, but is in no network."""
LOOK_EVERY_S = 0.02


def read_back(context: RunContext, client: str | None = None) -> None:
    """Read back the settings of the host; a difference makes the run invalid.

    Nothing is noted if the subject is a client and ended just before: nothing was left to read.
    """
    answer, treatment = context.supervised.supervisor.read_back("subject"), context.request.treatment
    attach = None if context.subject.start is None else context.subject.start.attach
    if attach is not None:
        context.log.read_back |= {"restarted": False, "elsewhere": attach.elsewhere}
        if not attach.elsewhere:
            context.log.read_back["cpus"] = answer.cpus
        return
    if answer.processes == 0 and client is not None and not context.supervised.supervisor.alive(client).alive:
        return
    context.log.read_back |= {"cpus": answer.cpus, "cpu_quota": answer.cpu_quota, "uids": answer.uids}
    if context.request.memory_mib is not None:
        context.log.read_back["memory_mib"] = answer.memory_mib
    context.log.usage |= {"processes": answer.processes, "threads": answer.threads}
    machine: tuple[Cpu, ...] = ()
    if "placement" in treatment.levels:
        machine = context.study_context.environment.topology(context.study_context.environment.cpus)
        context.log.read_back["placement"] = readback.placed(treatment, answer, machine=machine)
    if treatment.memory is not None:
        context.log.read_back["memory_policy"] = ", ".join(answer.memory_policies or ()) or None
    if NOFILE in treatment.levels:
        context.log.read_back[NOFILE] = answer.nofile
    context.log.read_back |= answer.settings or {}
    if userland_of(treatment.levels) is not None:
        context.log.read_back[USERLAND] = answer.userland
    differs = readback.check(treatment, answer, machine=machine, linked=context.supervised.linked)
    if treatment.link is not None:
        context.log.read_back |= _link_note(context, answer.network)
    context.log.reasons += [f"read-back: {each}" for each in differs]


def _link_note(context: RunContext, network: str | None) -> dict[str, Scalar | None]:
    made = context.supervised.linked
    if made is None:
        return {"network": network}
    fields = {"rate_mbit": made.rate_mbit, "mtu": made.mtu, "congestion": made.congestion}
    return {"network": network, **{f"link_{name}": value for name, value in fields.items()}}


def observe(context: RunContext, client: str) -> None:
    """Observe a running client that is itself the subject: read the host's settings once, its usage each time.

    A client with little to do may have ended by then; the next one is observed instead.
    """
    if not context.log.read_back and context.supervised.supervisor.alive(client).alive:
        read_back(context, client)
    context.supervised.supervisor.wait(client, within_s=SETTLED_S)
    note_usage(context)


def observe_driver(context: RunContext) -> None:
    """Read back once which network the driver is in while it runs; another than its end makes the run invalid."""
    if "driver_network" in context.log.read_back:
        return
    until_s = time.monotonic() + ENDED_S
    seen = context.supervised.supervisor.read_back("driver")
    while seen.processes > 0 and seen.network is None and time.monotonic() < until_s:
        time.sleep(LOOK_EVERY_S)
        seen = context.supervised.supervisor.read_back("driver")
    if seen.processes > 0:
        context.log.read_back["driver_network"] = seen.network
        context.log.reasons += [f"read-back: {each}" for each in readback.network(seen, of="the driver")]


def observe_load(context: RunContext, sender: SupervisedRun, client: str) -> None:
    """Observe a server when a client has warmed it up: its processes and threads, as each connection may have its own.

    A server that forks for each of many connections on one busy CPU needs most of a second for all of them.
    """
    if context.supervised.linked is not None:
        observe_driver(context)
    sender.supervisor.wait(client, within_s=max(SETTLED_S, context.request.experiment.load.warm_up_s))
    note_usage(context)


def note_usage(context: RunContext) -> None:
    """Note the usage of the system under test so far."""
    used = context.supervised.supervisor.usage("subject")
    most = {"processes": used.processes, "threads": used.threads}
    context.log.usage |= {key: max(float(value), context.log.usage.get(key) or 0) for key, value in most.items()}
    context.log.usage |= {
        "cpu_ns": used.cpu_ns,
        "throttled_periods": used.throttled_periods,
        "throttled_ns": used.throttled_ns,
        "oom_kills": used.oom_kills,
        "run_delay_ns": used.run_delay_ns,
        "memory_peak_with_cache_bytes": used.memory_peak_with_cache_bytes,
    }
    context.log.memory_peak_bytes = used.memory_peak_bytes
