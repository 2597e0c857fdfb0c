"""A run with several drivers: each sends its share from one instant on, and their counts make one record."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headtohead.execute.load.http_options_and_requests import HttpLoad
from headtohead.hosts.fake.script import Launch, Outcome, plain_program
from headtohead.model.case import Case
from headtohead.model.record import LoadRecord
from tests.execute.laboratory import Laboratory
from tests.execute.on_bench import AHEAD_NS, host_of, laboratory_on_bench

TWO = ("c1", "c2")
LEAD_NS = 400_000_000
"""The shortest time from the start of a program to the load, and some orders."""


def merging(bench: Laboratory) -> list[tuple[str, ...]]:
    """Let the programs of headtohead's machine add tallies; return their arguments, call by call."""
    calls: list[tuple[str, ...]] = []

    def merged(argv: tuple[str, ...]) -> str:
        calls.append(argv)
        Path(argv[argv.index("--hlog") + 1]).write_text("#[Merged]\n")
        launch = next(iter(walks(bench, "c1").values()))
        record = json.loads(plain_program(launch).stdout) | {"driver": "c1,c2"}
        return json.dumps(record | {"drivers": {name: {"threads": 2, "driver_cpu_s": 0.1} for name in TWO}})

    bench.host._say = merged
    return calls


def walks(bench: Laboratory, driver: str) -> dict[str, Launch]:
    (made,) = (each for each in host_of(bench, driver).supervises if each.programs)
    return {name: each.launch for name, each in made.programs.items() if name.startswith("walk-")}


def test_users_are_dealt_out_and_each_driver_has_its_own_seed(tmp_path: Path) -> None:
    bench = laboratory_on_bench(tmp_path, TWO, load="connections = [5]")
    merging(bench)

    recorded = bench.prepared().run()

    assert recorded.run.status == "valid", recorded.run.reasons
    assert recorded.run.hosts == {"sut": "dual", "drivers": TWO}
    assert set(recorded.run.clocks) == {"dual", *TWO}
    one, two = (walks(bench, name)["walk-1"] for name in TWO)
    assert [each.option("--connections") for each in (one, two)] == ["3", "2"]
    assert [each.option("--threads") for each in (one, two)] == ["3", "2"]
    assert one.option("--seed") != two.option("--seed")
    assert [each.option("--driver") for each in (one, two)] == [*TWO]


def test_they_begin_at_one_instant_by_the_clock_of_each(tmp_path: Path) -> None:
    bench = laboratory_on_bench(tmp_path, TWO)
    merging(bench)
    bench.prepared().run()

    one, two = (walks(bench, name)["walk-1"] for name in TWO)
    zero, begin = ([int(each.option(word) or 0) for each in (one, two)] for word in ("--zero-ns", "--at"))
    assert zero[1] - zero[0] == begin[1] - begin[0] == AHEAD_NS
    assert begin[1] > two.at_ns + LEAD_NS


def test_a_rate_is_divided_and_the_counts_are_merged_into_the_record_and_the_log(tmp_path: Path) -> None:
    bench = laboratory_on_bench(tmp_path, TWO, load='loop = "sessions"\nrate_per_s = [11]\ncalls = 5')
    calls = merging(bench)

    recorded = bench.prepared().run()

    one, two = (walks(bench, name)["walk-1"] for name in TWO)
    assert [each.option("--rate") for each in (one, two)] == ["5.5", "5.5"]
    assert [each.option("--calls") for each in (one, two)] == ["5", "5"]
    assert [each.option("--hlog") for each in (one, two)] == [None, None]
    (merge,) = calls
    assert merge[1:4] == ("merge", "--json", "-")
    assert merge[-2:] == tuple(each.option("--tally") for each in (one, two))
    (record,) = recorded.records
    assert isinstance(record, LoadRecord)
    assert (record.driver, record.values["driver_machine_cpus"]) == ("c1,c2", 6)
    assert set(record.drivers) == set(TWO)
    folder = bench.layout.run(1)
    assert (folder / "times.hlog").read_text() == "#[Merged]\n"
    assert (folder / "logs" / "c2-walk-1.out").is_file()
    assert not list(tmp_path.glob("*.hlog"))


def test_a_driver_without_a_connection_sends_nothing(tmp_path: Path) -> None:
    bench = laboratory_on_bench(tmp_path, ("c1", "c2", "c3"), load="connections = [2]")
    calls = merging(bench)
    bench.prepared().run()

    assert [len(walks(bench, name)) for name in TWO] == [1, 1]
    assert not any(each.programs for each in host_of(bench, "c3").supervises)
    assert [each.name for each in map(Path, calls[0][-2:])] == ["walk-1.tally", "walk-1.tally"]


def test_one_of_several_drivers_needs_no_merging(tmp_path: Path) -> None:
    bench = laboratory_on_bench(tmp_path, TWO, factors="drivers = 1")
    calls = merging(bench)

    recorded = bench.prepared().run()

    assert recorded.run.hosts["drivers"] == ("c1",)
    assert calls == []
    assert walks(bench, "c1")["walk-1"].option("--at") is None


def test_the_first_alone_drives_the_load_that_a_subject_settles_under(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[int] = []
    mix = HttpLoad.mix

    def noted(load: HttpLoad, case: Case, *, start: int) -> Mapping[str, Any]:
        starts.append(start)
        return mix(load, case, start=start)

    monkeypatch.setattr(HttpLoad, "mix", noted)
    bench = laboratory_on_bench(tmp_path, TWO)
    (planned,) = bench.plan.experiments
    bench.plan = replace(bench.plan, experiments=(replace(planned, load=replace(planned.load, settle_s=9.0)),))
    merging(bench)

    recorded = bench.prepared().run()

    assert recorded.run.status == "valid", recorded.run.reasons
    of = {
        name: [each for made in host_of(bench, name).supervises for each in made.programs if each.startswith("settle.")]
        for name in TWO
    }
    assert (len(of["c1"]), of["c2"]) == (1, [])
    (made,) = (each for each in host_of(bench, "c1").supervises if each.programs)
    load = made.programs[of["c1"][0]].launch
    assert (load.option("--connections"), load.option("--duration"), load.option("--at")) == ("4", "9000ms", None)
    assert walks(bench, "c1")["walk-1"].option("--connections") == "2", "the share is as it was"
    assert len(starts) == len(set(starts)) >= 3, "no two starts write rows with the same keys"


def test_a_program_that_fails_names_its_machine(tmp_path: Path) -> None:
    bench = laboratory_on_bench(tmp_path, TWO)
    merging(bench)

    def fails_on_c2(launch: Launch) -> Outcome:
        if launch.option("--driver") == "c2" and launch.name.startswith("walk-"):
            return Outcome(takes_s=0.1, code=1, stderr="no route to host\n")
        return plain_program(launch)

    bench.script.program = fails_on_c2
    recorded = bench.prepared().run()

    assert recorded.run.status == "failed"
    assert "The load generator on c2 ended with 1" in recorded.run.reasons[-1]
    assert "no route to host" in recorded.run.reasons[-1]


def test_a_lost_driver_fails_the_run_and_is_named(tmp_path: Path) -> None:
    bench = laboratory_on_bench(tmp_path, TWO).prepared()
    merging(bench)
    host = host_of(bench, "c2")
    host.script = replace(bench.script, answer=lambda asked, given: None if asked["do"] == "wait" else given)

    recorded = bench.run()

    assert recorded.run.status == "failed"
    assert "The driver c2 was lost" in recorded.run.reasons[0]
