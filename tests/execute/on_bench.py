"""A bench of machines that are not there: one server, and drivers whose clocks are ahead of ours."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from headtohead.describe.home import find_home
from headtohead.execute.pages.request_page import Answer
from headtohead.execute.remote_machine import Elsewhere, FarClock
from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.paths import Owner, this_owner
from headtohead.hosts.ssh.session import ClockOffset
from headtohead.model.machine.host import Cpu, Machine
from headtohead.plan.servers import BenchMachines
from tests.execute.laboratory import Laboratory, one_experiment

AHEAD_NS = 1_000
"""By how much the first driver's clock is ahead, the second's twice that, and so on."""
DUAL = Machine("dual", (Cpu(0, 0, 0, 0), Cpu(1, 0, 0, 1)), root=True)


def elsewhere(label: str, host: FakeHost, logs: Path, offsets: Sequence[int]) -> Elsewhere:
    """Return a machine whose clock is ahead by one offset after the other."""
    measured = iter([ClockOffset(each, 100, 20) for each in offsets])
    owner = this_owner()
    return Elsewhere(
        label=label,
        address="192.0.2.11" if label == "dual" else "192.0.2.21",
        owner=Owner(owner.pid, owner.start_ticks),
        harness_pids=(7, 8),
        clock=FarClock(lambda: next(measured), ours_ns=host.clock.now_ns),
        end_run=lambda _: None,
        forget=lambda _: None,
        user_name="tester",
        logs=logs,
        listening_ports=lambda: frozenset(range(20_000, 29_999)),
        push=lambda folder: folder,
        instructions="",
    )


def laboratory_on_bench(
    folder: Path, drivers: Sequence[str], *, load: str = "connections = [4]", factors: str = ""
) -> Laboratory:
    """Return a study of one server with these drivers, each with its own host."""
    made = Laboratory(
        one_experiment("static-page", "noop", load=load, factors=factors),
        folder,
        home=find_home(),
        pages=lambda _: Answer(500, b""),
        machine=BenchMachines({"dual": DUAL}, tuple(drivers)),
    )
    home, far = made.study_context.environment, {}
    for number, label in enumerate(drivers, start=1):
        host, ahead_ns = FakeHost(script=made.script, clock=made.clock), number * AHEAD_NS
        there = elsewhere(label, host, folder, (ahead_ns, ahead_ns + 2 * AHEAD_NS))
        far[label] = replace(home, host=host, elsewhere=there, cpus=frozenset((0, 1, 2)))
    server = replace(home, elsewhere=elsewhere("dual", made.host, folder, (0, 0)), home=home)
    made.study_context.environment = replace(server, drivers=far)
    return made


def host_of(bench: Laboratory, driver: str) -> FakeHost:
    """Return the host of a driver."""
    host = bench.study_context.environment.drivers[driver].host
    assert isinstance(host, FakeHost)
    return host
