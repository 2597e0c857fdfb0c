"""A run on a bench: programs on its server, requests from its driver, on machines that are not there."""

from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.execute.context.clock_offsets import compared, set_clocks
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.supervise_process_of_run import new_run
from headtohead.hosts.files.here import FilesHere
from headtohead.model.errors import HostError
from headtohead.model.record import LoadRecord
from tests.execute.laboratory import Laboratory
from tests.execute.on_bench import AHEAD_NS, host_of, laboratory_on_bench


class LostFiles(FilesHere):
    """The files of a machine that is out of reach from its first log on."""

    def names(self, folder: Path) -> tuple[str, ...]:
        """Fail, as the connection does."""
        raise HostError("The host dual failed", why="The connection to it was lost.", remedy=f"Plug in: {folder}.")


@pytest.fixture
def bench(tmp_path: Path) -> Laboratory:
    return laboratory_on_bench(tmp_path, ("c1",))


def test_programs_run_on_the_server_and_requests_come_from_the_driver(bench: Laboratory) -> None:
    recorded = bench.prepared().run()

    assert recorded.run.status == "valid", recorded.run.reasons
    assert recorded.run.hosts == {"sut": "dual", "drivers": ("c1",)}
    assert [each.argv[1] for each in bench.launches()] == ["respond"]
    (driver,) = host_of(bench, "c1").supervises
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
    (driver,) = host_of(bench, "c1").supervises
    assert driver.programs["walk-1"].launch.argv[-1] == "http://192.0.2.11:29999"


def test_the_driver_has_a_thread_for_each_of_its_own_cpus_and_the_start_by_its_own_clock(bench: Laboratory) -> None:
    recorded = bench.prepared().run()

    (driver,) = host_of(bench, "c1").supervises
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
    with new_run(environment) as supervised:
        assert set_clocks(supervised) == {}
        assert compared({}, supervised) == {}
        assert supervised.zero_for(supervised) == supervised.zero_ns
