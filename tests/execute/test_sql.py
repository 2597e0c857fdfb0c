"""What the load generator is told where queries are asked, by a driver and in process."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from headtohead.hosts.fake.script import Launch, Outcome
from headtohead.model.record import LoadRecord, Recorded
from tests.execute.laboratory import Laboratory, fake_affinity, one_experiment, tiny_home, tiny_page, tiny_program

Make = Callable[..., "Asked"]


class Asked:
    """The first run of an experiment, and the mix of each start of the load generator, by the start's name."""

    def __init__(self, text: str, folder: Path) -> None:
        self.mixes: dict[str, dict[str, Any]] = {}
        self.passwords: set[str] = set()
        self.place = Laboratory(text, folder, home=tiny_home(folder), pages=tiny_page)
        self.place.script.program = self.program
        self.found: Recorded = self.place.prepared().run()

    def program(self, launch: Launch) -> Outcome:
        password = launch.option("--password-file")
        if password is not None:
            self.passwords.add(Path(password).read_text())
        mix = launch.option("--mix")
        if mix is not None:
            self.mixes[launch.name] = json.loads(Path(mix).read_text())
        return tiny_program(launch)

    def loads(self) -> list[Launch]:
        assert self.found.run.status == "valid", self.found.run.reasons
        return self.place.loads()

    def asked(self, load: Launch) -> dict[str, float]:
        return {each["name"]: each["weight"] for each in self.mixes[load.name]["queries"]}


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    fake_affinity(monkeypatch)
    made: list[Asked] = []

    def asked(load: str = "", *, subject: str = "store", factors: str = "") -> Asked:
        text = one_experiment("tiny-sql", subject, factors=factors, load=load)
        made.append(Asked(text, tmp_path))
        return made[-1]

    yield asked
    for each in made:
        each.place.study_context.__exit__(None, None, None)


def test_a_driver_is_told_protocol_socket_user_and_database(make: Make) -> None:
    loads = make().loads()

    assert sorted(each.option("--connections") or "" for each in loads) == ["1", "10"]
    for each in loads:
        assert each.argv[:2] == ("h2h-load", "sql")
        assert (each.option("--protocol"), each.option("--user"), each.option("--database")) == ("mysql", "root", "h2h")
        assert each.option("--socket") == f"{each.cwd}/sock"
        assert each.option("--port") is each.option("--host") is None
        assert (each.group, each.cpus, each.option("--threads")) == ("driver", (1,), "1")
        assert each.option("--poll") == "busy"
        assert not {"--calls", "--gzip", "--handshake", "--ca"} & set(each.argv)
        assert each.argv[-2:] == ("--hlog", str(each.cwd / "times.hlog"))


def test_the_socket_of_postgresql_is_named_with_its_port_and_asked_in_its_own_words(make: Make) -> None:
    asked = make(subject="port")

    for each in asked.loads():
        assert (each.option("--protocol"), each.option("--socket")) == ("postgresql", str(each.cwd))
        assert int(each.option("--port") or 0) > 0
        assert "ORDER BY 1" in asked.mixes[each.name]["queries"][0]["sql"]


def test_an_open_loop_of_queries_has_a_rate_and_its_connections(make: Make) -> None:
    (load,) = make('loop = "open"\nrate_per_s = 12.5\nconnections = 50').loads()

    assert (load.option("--rate"), load.option("--connections"), load.option("--requests")) == ("12.5", "50", None)


def test_the_mix_names_queries_with_their_parameters_and_right_answers(make: Make) -> None:
    asked = make()
    thread, count = asked.mixes[asked.loads()[0].name]["queries"]

    assert thread["sql"] == "SELECT id FROM message WHERE thread = ? AND posted >= ? ORDER BY id"
    table = thread["parameters"][0]["table"]
    assert table == str(asked.place.study_context.data["tiny"][0] / "answers" / "thread.csv")
    assert thread["parameters"] == [
        {"table": table, "column": "id", "skew": "zipf", "exponent": 0.9},
        {"table": table, "column": "since"},
    ]
    assert thread["rows"] == {"table": table, "column": "messages"}
    assert thread["checksum"] == {"table": table, "column": "checksum"}
    assert (thread["sample"], thread["writes"], count["parameters"], count["rows"]) == (0.01, False, [], 1)


def test_no_writing_query_is_asked_at_a_write_share_of_0(make: Make) -> None:
    asked = make()

    assert all(asked.asked(each) == {"thread": 0.75, "count": 0.25} for each in asked.loads())
    assert asked.found.run.data is not None
    assert asked.found.run.data["state"] == "kept"


def test_a_write_share_scales_the_weights_and_makes_the_data_fresh(make: Make) -> None:
    asked = make(factors="write_share = [0.1]")

    for each in asked.loads():
        assert asked.asked(each) == pytest.approx({"thread": 0.675, "count": 0.225, "post": 0.1})
    (store,) = [each for each in asked.place.launches() if each.name == "subject"]
    assert f"--data={store.cwd.parent}/data-subject" in store.argv
    assert asked.found.run.data is not None
    assert asked.found.run.data["state"] == "fresh"


def test_every_start_of_the_load_writes_rows_with_keys_of_its_own(make: Make) -> None:
    asked = make(factors="write_share = [0.1]")
    asked.loads()
    keys = [
        parameter["counts_from"]
        for mix in asked.mixes.values()
        for query in mix["queries"]
        for parameter in query["parameters"]
        if "counts_from" in parameter
    ]

    assert len(keys) == len(set(keys)) > 2
    assert all(10**9 <= each < 2**31 for each in keys)


def test_queries_may_be_cases_each_asked_alone(make: Make) -> None:
    asked = make('query = ["thread", "count"]\nconnections = 1')
    loads = asked.loads()

    cases = [json.loads(each.option("--case") or "") for each in loads]
    assert sorted(each["query"] for each in cases) == ["count", "thread"]
    for load, case in zip(loads, cases, strict=True):
        assert asked.asked(load) == {case["query"]: 1.0}


def test_the_record_holds_each_query_the_rows_and_what_the_subject_counted(make: Make) -> None:
    found = make().found

    assert found.records
    for each in found.records:
        assert isinstance(each, LoadRecord)
        assert set(each.queries) == {"thread", "count"}
        assert each.values["rows"] == each.right
        assert each.counters["buffer_reads"] == 0
        assert each.counters["buffer_requests"] >= 4000


def test_the_subject_is_asked_for_its_counters_before_the_load_and_after_it_on_the_drivers_cpus(make: Make) -> None:
    launches = make().place.launches()

    names = [each.name.partition(".")[0] for each in launches if not each.name.startswith("check.")]
    assert names == [
        *("subject", "subject-ready", "subject-warm", "configuration"),
        *("counters", "walk-1", "counters", "counters", "walk-2", "counters"),
    ]
    assert {each.cpus for each in launches if each.name.startswith("counters")} == {(1,)}


def test_the_configuration_is_kept_with_the_run(make: Make) -> None:
    asked = make()

    assert [(each.name, each.differs) for each in asked.found.configuration] == [("cache_mib", True), ("batch", False)]
    kept = asked.place.layout.run(1) / "configuration.tsv"
    assert kept.read_text() == "cache_mib\t512\t128\nbatch\t1\t1\n"
    assert asked.found.run.files["configuration.tsv"].startswith("sha256:")


def test_how_long_the_data_took_to_load_is_in_the_run(make: Make) -> None:
    asked = make()

    note = asked.found.run.prepared["store"]
    assert note["load_s"] == pytest.approx(0.1, abs=0.01)
    assert str(note["made_at"]).endswith("Z")


def test_in_process_the_client_is_the_subject_on_its_cpus_and_no_server_is_started(make: Make) -> None:
    asked = make(subject="inside")
    loads = asked.loads()

    names = [each.name for each in asked.place.launches()]
    assert names == ["subject-warm", "check.1", "check.2", "walk-1", "walk-2", "check.3", "check.4"]
    for each in loads:
        assert each.argv[:6] == ("h2h-load", "sql", "--protocol", "sqlite", "--file", each.option("--file"))
        assert (each.group, each.cpus, each.option("--threads")) == ("subject", (0,), None)
        assert each.option("--poll") is None
        assert Path(each.option("--file") or "").name == "table"
        assert each.option("--user") is each.option("--socket") is None
    run = asked.found.run
    assert run.in_process
    assert run.hosts["drivers"] == ()
    assert run.read_back["cpus"] == (0,)
    assert [phase.name for phase in run.phases].count("measure") == 2
    assert run.usage["threads"] == 4


def test_in_process_the_files_are_read_in_within_the_limits_of_the_subject(make: Make) -> None:
    asked = make(subject="inside")
    (warm,) = [each for each in asked.place.launches() if each.name == "subject-warm"]

    assert warm.argv[:2] == ("/usr/bin/wc", "--lines")
    assert warm.argv[2:] == (asked.loads()[0].option("--file"),)
    assert warm.group == "subject"


def test_in_process_steps_are_programs_on_the_data(make: Make) -> None:
    asked = make(subject="inside")
    steps = [
        each.launch.name
        for one in asked.place.host.supervises
        for each in one.programs.values()
        if "init" in one.programs
    ]

    assert steps == ["init", "load", "check"]
    assert asked.found.run.prepared["inside"]["load_s"] == pytest.approx(0.1, abs=0.01)


def test_a_client_in_the_subjects_folder_is_run_from_a_copy(make: Make) -> None:
    asked = make(subject="script")

    for each in asked.loads():
        assert each.argv[0] == "/usr/bin/python3"
        assert Path(each.argv[1]) == each.cwd.parent / "source-subject" / "client.py"
        assert each.argv[2:4] == ("--file", each.option("--file"))
        assert each.option("--connections") in ("1", "10")


def test_over_tcp_a_driver_is_given_address_port_and_a_file_with_the_password(make: Make) -> None:
    asked = make(subject="both", factors='reach = ["tcp"]')

    for each in asked.loads():
        assert (each.option("--host"), each.option("--socket")) == ("127.0.0.1", None)
        assert int(each.option("--port") or 0) > 0
        assert (each.option("--password-file") or "").endswith("/input/password")
    (password,) = asked.passwords
    assert len(password.strip()) == 32
    assert not any(password.strip() in word for each in asked.place.launches() for word in each.argv)


def test_over_a_link_a_database_is_reached_by_tcp_from_the_drivers_end(make: Make) -> None:
    asked = make(subject="both", factors='link = ["100mbit"]')

    assert {each.option("--host") for each in asked.loads()} == {"192.0.2.1"}
    told = {"network": "own", "driver_network": "own", "link_rate_mbit": 100}
    assert {name: asked.found.run.read_back[name] for name in told} == told
