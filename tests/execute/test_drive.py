"""What the load generator is told, loop by loop."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from unittest.mock import Mock

import pytest

from headtohead.execute.load.driver import Driver
from headtohead.execute.load.http_options_and_requests import HttpLoad
from headtohead.execute.response_checks.session import SessionCheck
from headtohead.hosts.fake.script import Launch, Outcome
from headtohead.model.machine.host import Cpu, Machine
from headtohead.model.record import LoadRecord
from headtohead.model.study.session import Session, SessionStep, StepExpect
from tests.execute.laboratory import (
    TWO_CPUS,
    Laboratory,
    fake_affinity,
    one_experiment,
    tiny_home,
    tiny_page,
    tiny_program,
)

Drive = Callable[..., list[Launch]]


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Drive:
    """Return how the load generator was started in the first run of an experiment with these words."""
    fake_affinity(monkeypatch)

    def keeps_the_mix(launch: Launch) -> Outcome:
        if "http" in launch.argv:
            (tmp_path / "mix.json").write_text(Path(launch.option("--mix") or "").read_text())
        return tiny_program(launch)

    def loads(
        load: str = "",
        *,
        factors: str = "",
        workload: str = "tiny",
        machine: Machine = TWO_CPUS,
        all_launches: bool = False,
    ) -> list[Launch]:
        text = one_experiment(workload, "board", factors=factors, load=load)
        place = Laboratory(text, tmp_path, home=tiny_home(tmp_path), pages=tiny_page, machine=machine)
        place.script.program = keeps_the_mix
        found = place.prepared().run()
        assert found.run.status == "valid", found.run.reasons
        assert all(isinstance(each, LoadRecord) for each in found.records)
        return place.launches() if all_launches else place.loads()

    return loads


@pytest.mark.parametrize("load", ["requests = 200", "think_s = 3", 'loop = "sessions"\ncalls = 2\nrate_per_s = [5]'])
def test_a_server_settles_under_users_who_do_not_wait_for_its_own_time(drive: Drive, load: str) -> None:
    launches = drive(f"settle_s = 7\n{load}", all_launches=True)

    (settle,) = [each for each in launches if each.name.startswith("settle.")]
    assert (settle.option("--connections"), settle.option("--duration")) == ("16", "7000ms")
    assert all(settle.option(each) is None for each in ("--requests", "--think", "--rate", "--hlog"))
    assert next(each.name for each in launches if each.name.startswith(("settle.", "walk-"))) == settle.name


def test_a_closed_loop_has_connections_and_no_rate(drive: Drive) -> None:
    loads = drive()

    assert sorted(each.option("--connections") or "" for each in loads) == ["10", "100"]
    for each in loads:
        assert each.option("--rate") is each.option("--calls") is each.option("--handshake") is None
        assert (each.option("--threads"), each.option("--timeout")) == ("1", "5000ms")
        assert each.option("--poll") == "busy"
        assert "--gzip" not in each.argv


def test_a_driver_on_two_siblings_has_two_threads_but_no_more_than_connections(drive: Drive) -> None:
    machine = Machine("local", tuple(Cpu(each, 0, 0, each // 2 * 2) for each in range(4)), root=True)
    loads = drive("connections = [1, 10]", machine=machine)

    threads = {each.option("--connections"): each.option("--threads") for each in loads}
    assert threads == {"1": "1", "10": "2"}


def test_an_open_loop_has_a_rate_and_its_arrivals(drive: Drive) -> None:
    (load,) = drive('loop = "open"\nrate_per_s = 12.5\narrivals = "uniform"\nconnections = 50\nmeasure_s = 2')

    assert (load.option("--rate"), load.option("--arrivals"), load.option("--connections")) == ("12.5", "uniform", "50")
    assert load.option("--calls") is None
    assert load.option("--duration") == "2000ms"


def test_sessions_have_their_calls_and_think_time_and_a_ladder_is_walked(drive: Drive) -> None:
    loads = drive('loop = "sessions"\nrate_per_s = [10, 20]\ncalls = 5\nthink_s = 0.25')

    assert sorted(each.option("--rate") or "" for each in loads) == ["10", "20"]
    assert {(each.option("--calls"), each.option("--think")) for each in loads} == {("5", "250ms")}


def test_so_many_requests_may_end_a_closed_loop(drive: Drive) -> None:
    loads = drive("connections = 10\nrequests = 5000")

    assert [each.option("--requests") for each in loads] == ["5000"]


def test_a_connection_for_each_request_is_one_call_a_connection(drive: Drive) -> None:
    loads = drive(factors='connection = ["per-request"]')

    assert {each.option("--calls") for each in loads} == {"1"}


def test_compressed_answers_are_asked_for_with_the_timeout_of_their_level(drive: Drive) -> None:
    loads = drive(factors='gzip = ["on"]')

    for each in loads:
        assert "--gzip" in each.argv
        assert each.option("--timeout") == "10000ms"


def test_the_mix_names_paths_and_sets_of_pages_with_their_right_answers(drive: Drive, tmp_path: Path) -> None:
    drive()

    index, page = json.loads((tmp_path / "mix.json").read_text())["requests"]
    assert (index["path"], Path(index["body"]).name, index["status"]) == ("/index.html", "index.html", 200)
    assert (Path(page["urls"]).name, page["skew"], page["exponent"]) == ("pages.csv", "zipf", 0.9)
    assert (page["weight"], page["sample"]) == (3, 0.5)
    assert "path" not in page
    assert "urls" not in index
    assert all(Path(each).is_absolute() for each in (index["body"], page["urls"]))


def test_an_interface_over_tls_is_asked_by_name_with_the_certificate_that_is_trusted(drive: Drive) -> None:
    loads = drive('loop = "closed"\nconnections = 10', workload="tiny-tls", factors='handshake = ["resumed"]')

    for each in loads:
        assert each.argv[-1].startswith("https://localhost:")
        assert Path(each.option("--ca") or "").name == "ca.pem"
        assert (each.option("--handshake"), each.option("--calls")) == ("resumed", "1")


def gives_paths_over_http_2(bin_: Path) -> None:
    """Write a load generator that gives each page of the data set "tiny", as ``tiny_page`` does."""
    bin_.mkdir(exist_ok=True)
    program = bin_ / "h2h-load"
    program.write_text('#!/bin/sh\nread -r _ path _\ncat >&2\nprintf "HTTP/1.1 200\\r\\n\\r\\n%s" "$path"\n')
    program.chmod(0o755)


def test_http_2_is_asked_for_with_the_users_of_each_connection(drive: Drive, tmp_path: Path) -> None:
    gives_paths_over_http_2(tmp_path / "bin")
    load = 'loop = "closed"\nconnections = 10\nstreams_per_connection = 4'
    loads = drive(load, workload="tiny-tls", factors='http_version = ["2"]')

    for each in loads:
        assert (each.option("--http"), each.option("--streams"), each.option("--connections")) == ("2", "4", "10")


def test_http_1_1_is_not_asked_for_by_name(drive: Drive) -> None:
    loads = drive('loop = "closed"\nconnections = 10', workload="tiny-tls")

    assert all(each.option("--http") is each.option("--streams") is None for each in loads)


def test_a_session_is_given_with_its_steps(drive: Drive, tmp_path: Path) -> None:
    (load,) = drive(workload="tiny-session")

    assert load.option("--calls") is load.option("--requests") is None
    session = json.loads((tmp_path / "mix.json").read_text())["session"]
    log_in, read = session["steps"]
    assert session["values"] == {"user": {"letters": 8}}
    assert (log_in["text"], log_in["status"], log_in["take"]) == ("user=@user@", 204, {"token": {"header": "X-Token"}})
    assert "body" not in log_in
    assert (Path(read["body"]).is_absolute(), read["headers"]) == (True, {"X-Token": "@token@"})
    assert read["values"] == [{"regex": "<h1>(.*)</h1>", "equals": "@user@"}]


@pytest.mark.parametrize(
    ("errors", "posted", "wrong"),
    [
        ({}, 1, []),
        ({"wrong-value": 1, "skipped": 1}, 0, ["the step post gave wrong-value"]),
        ({"timeout": 1}, 0, ["the step post gave timeout"]),
    ],
)
def test_one_session_is_checked_before_and_after_the_load(
    errors: Mapping[str, int], posted: int, wrong: list[str]
) -> None:
    figures = {"log-in": {"sent": 1, "right": 1}, "post": {"sent": 1, "right": posted}}
    record = {"sent": 2, "right": 1 + posted, "errors": errors, "queries": figures}
    driver, pages = Mock(spec=Driver), Mock(spec=HttpLoad)
    driver.check.return_value = record
    steps = tuple(SessionStep(name, "/", StepExpect(200)) for name in figures)

    assert SessionCheck(Session(steps), pages, driver).wrong() == wrong
    (trial, _), named = driver.check.call_args
    assert (trial.case["requests"], trial.loop, named["name"]) == (2, "closed", "check.session.1")
