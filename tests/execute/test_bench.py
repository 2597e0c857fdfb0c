"""A run on a bench: programs on its server, requests from its driver, on machines that are not there."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.execute.context.clocks import compared, set_clocks
from headtohead.execute.elsewhere import Elsewhere, FarClock
from headtohead.execute.pages.check import Answer
from headtohead.execute.sandbox import Environment
from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.files.here import FilesHere
from headtohead.hosts.paths import Owner, this_owner
from headtohead.hosts.ssh.session import ClockOffset
from headtohead.model.errors import HostError
from headtohead.model.machine.host import Cpu, Machine
from headtohead.model.record import LoadRecord
from headtohead.plan.servers import BenchMachines
from tests.execute.laboratory import Laboratory, one_experiment

AHEAD_NS = 1_000
"""By how much the driver's clock is ahead."""
DUAL = Machine("dual", (Cpu(0, 0, 0, 0), Cpu(1, 0, 0, 1)), root=True)
STUDY = one_experiment("static-page", "noop", load="connections = [4]")


class LostFiles(FilesHere):
    """The files of a machine that is out of reach from its first log on."""

    def names(self, folder: Path) -> tuple[str, ...]:
        """Fail, as the connection does."""
        raise HostError("The host dual failed", why="The connection to it was lost.", remedy=f"Plug in: {folder}.")


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


@pytest.fixture
def bench(tmp_path: Path) -> Laboratory:
    made = Laboratory(
        STUDY,
        tmp_path,
        home=find_home(),
        pages=lambda _: Answer(500, b""),
        machine=BenchMachines({"dual": DUAL}, ("c1",)),
    )
    home, host = made.study_context.environment, FakeHost(script=made.script, clock=made.clock)
    driver = replace(home, host=host, elsewhere=elsewhere("c1", host, tmp_path, (AHEAD_NS, 3 * AHEAD_NS)))
    driver = replace(driver, cpus=frozenset((0, 1, 2)))
    server = replace(home, elsewhere=elsewhere("dual", made.host, tmp_path, (0, 0)), home=home)
    made.study_context.environment = replace(server, drivers={"c1": driver})
    return made


def of_driver(bench: Laboratory) -> FakeHost:
    host = bench.study_context.environment.drivers["c1"].host
    assert isinstance(host, FakeHost)
    return host


def test_programs_run_on_the_server_and_requests_come_from_the_driver(bench: Laboratory) -> None:
    recorded = bench.prepared().run()

    assert recorded.run.status == "valid", recorded.run.reasons
    assert recorded.run.hosts == {"sut": "dual", "drivers": ("c1",)}
    assert [each.argv[1] for each in bench.launches()] == ["respond"]
    (driver,) = of_driver(bench).supervises
    names = [each.split(".")[0] for each in driver.programs]
    assert names == ["subject-ready", "check", "walk-1", "check"]
    assert bench.asked == []
    (load,) = recorded.records
    assert isinstance(load, LoadRecord)
    assert (load.driver, load.values["driver_machine_cpus"]) == ("c1", 3)


def test_a_server_listens_on_its_address_of_the_measured_network(bench: Laboratory) -> None:
    bench.prepared().run()

    (respond,) = bench.launches()
    assert (respond.option("--address"), respond.option("--port")) == ("192.0.2.11", "29999")
    (driver,) = of_driver(bench).supervises
    assert driver.programs["walk-1"].launch.argv[-1] == "http://192.0.2.11:29999"


def test_the_driver_has_a_thread_for_each_of_its_own_cpus_and_the_start_by_its_own_clock(bench: Laboratory) -> None:
    recorded = bench.prepared().run()

    (driver,) = of_driver(bench).supervises
    walk = driver.programs["walk-1"].launch
    assert walk.option("--threads") == "3"
    (*_, server) = (each for each in bench.host.supervises if each.programs)
    assert walk.option("--zero-ns") == str(server.zero_ns + AHEAD_NS)
    moved = {"offset_before_ns": AHEAD_NS, "offset_after_ns": 3 * AHEAD_NS, "exchanges": 40}
    assert recorded.run.clocks == {
        "dual": {"offset_before_ns": 0, "offset_after_ns": 0, "uncertainty_ns": 100, "exchanges": 40},
        "c1": {**moved, "uncertainty_ns": 2 * AHEAD_NS + 100},
    }


def test_a_lost_connection_fails_the_run_which_is_kept(bench: Laboratory) -> None:
    environment: Environment = bench.prepared().study_context.environment
    bench.study_context.environment = replace(environment, files=LostFiles())

    recorded = bench.run()

    assert recorded.run.status == "failed"
    assert "The connection to it was lost" in recorded.run.reasons[-1]
    assert recorded.records == ()


def test_without_a_bench_no_clock_is_measured(bench: Laboratory) -> None:
    environment = bench.study_context.environment.at_home
    with environment.sandbox() as sandbox:
        assert set_clocks(sandbox) == {}
        assert compared({}, sandbox) == {}
        assert sandbox.zero_for(sandbox) == sandbox.zero_ns
