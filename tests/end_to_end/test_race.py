"""`headtohead race` for real: two servers, two programs, from one line."""

import json
import shutil
import signal
import time
from pathlib import Path

import pytest

from headtohead.cli.main import INTERRUPTED
from headtohead.describe.race.content import READY_WITHIN_S
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.command import WITHIN_S, headtohead, started
from tests.end_to_end.racing import NAMES, PYTHON, SHORT, certify, race, running, serve

pytestmark = pytest.mark.real


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_two_servers_race_from_one_line_and_the_faster_has_the_higher_rate(place: Path, lane: Path) -> None:
    (place / "order.json").write_text("{}")
    sent = ("--get", "/echo", "--post", "order.json", "--header", "X-Token: abc", "--status", "201")
    done = race(
        place,
        lane,
        *serve(),
        *serve("--work", "60"),
        *sent,
        *NAMES,
        *SHORT,
        "--save",
        "bench/mine.toml",
        "--junit",
        "v.xml",
    )
    assert done.returncode == 0, done.stderr
    assert 'subject = ["light", "heavy"]' in done.stderr

    (folder,) = (place / "results").iterdir()
    analysis = json.loads((folder / "analysis.json").read_text())
    (comparison,) = analysis["experiments"][0]["comparisons"]
    assert comparison["other"] == "heavy"
    assert comparison["ratio"]["value"] < 0.5
    records = [json.loads(each.read_text()) for each in folder.glob("runs/*/records.jsonl")]
    assert sum(each["right"] for each in records) > 0
    assert all(each["errors"] == {} for each in records), "each response to the posted file was compared"

    assert 'name="heavy against light"' in (place / "v.xml").read_text()
    checked = headtohead("check", place / "bench" / "mine.toml")
    assert checked.returncode == 0, checked.stderr
    assert left_behind(done.owner, cache=lane) == nothing()


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_a_race_in_noise_that_is_tolerated_waits_for_no_quiet_and_has_no_verdict(place: Path, lane: Path) -> None:
    both = (*serve(), *serve("--work", "60"), *NAMES, *SHORT, "--get", "/health")
    refused = race(place, lane, *both, "--tolerate-noise", "--fail-if", "worse")
    assert (refused.returncode, "--fail-if with --tolerate-noise" in refused.stderr) == (2, True)
    assert not (place / "results").exists()

    done = race(place, lane, *both, "--tolerate-noise", lenient=True)
    assert done.returncode == 0, done.stderr
    assert "ended, without verdicts, as noise was tolerated" in done.stderr
    assert "noise tolerated: no verdicts" in done.stdout
    (folder,) = (place / "results").iterdir()
    (experiment,) = json.loads((folder / "analysis.json").read_text())["experiments"]
    (comparison,) = experiment["comparisons"]
    assert (comparison["verdict"], len(comparison["blocks"])) == ("inconclusive", 6)
    assert comparison["ratio"]["value"] < 0.7
    assert "noise-tolerated" in [each["id"] for each in experiment["findings"]]
    gates = [each for run in folder.glob("runs/*/run.json") for each in json.loads(run.read_text())["gates"]]
    assert max(each["waited_s"] for each in gates) < 2, "no run waits for quiet"
    assert left_behind(done.owner, cache=lane) == nothing()


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_servers_that_already_run_are_measured_by_turns_and_left_running(place: Path, lane: Path) -> None:
    with running(place) as light, running(place, "--work", "60") as heavy:
        done = race(place, lane, "--url", f"{light.url}/health", "--url", f"{heavy.url}/health", *NAMES, *SHORT)
        assert done.returncode == 0, done.stderr
        assert light.process.poll() is None
        assert heavy.process.poll() is None

    (folder,) = (place / "results").iterdir()
    (experiment,) = json.loads((folder / "analysis.json").read_text())["experiments"]
    assert experiment["comparisons"][0]["ratio"]["value"] < 0.5
    assert "not-restarted" in [each["id"] for each in experiment["findings"]]
    busy = {each["label"]: each["card"]["subject_cpus_busy"] for each in experiment["treatments"]}
    assert busy["heavy"] > 0.02, "the CPU time of the process that listens is the server's"
    assert "no run starts or stops heavy and light" in (folder / "report.md").read_text()
    assert left_behind(done.owner, cache=lane) == nothing()


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl")
def test_servers_over_tls_race_once_their_certificate_is_named(place: Path, lane: Path) -> None:
    certify(place)
    secure = ("--certificate", "both.pem")
    with running(place, *secure) as light, running(place, *secure, "--work", "60") as heavy:
        urls = [each.url.replace("http://127.0.0.1", "https://localhost") + "/health" for each in (light, heavy)]
        both = [word for each in urls for word in ("--url", each)]
        refused = race(place, lane, *both, *NAMES, *SHORT)
        assert refused.returncode == 1
        assert "is not trusted" in refused.stderr
        assert "--ca" in refused.stderr
        done = race(place, lane, *both, *NAMES, *SHORT, "--ca", "ca.pem")
        assert done.returncode == 0, done.stderr

    (folder,) = (place / "results").iterdir()
    lines = [line for each in folder.glob("runs/*/records.jsonl") for line in each.read_text().splitlines()]
    records = [json.loads(each) for each in lines]
    assert sum(each["right"] for each in records) > 0
    assert all(each["handshakes"] is not None for each in records), "they were encrypted"
    assert left_behind(done.owner, cache=lane) == nothing()


def test_servers_that_respond_otherwise_are_not_raced(place: Path, lane: Path) -> None:
    done = race(place, lane, *serve(), *serve("--says", "other"), "--get", "/health")

    assert done.returncode == 1
    assert "the racers do not do the same work" in done.stderr
    assert not (place / "results").exists()
    assert left_behind(done.owner, cache=lane) == nothing()


def test_a_page_that_all_servers_refuse_is_not_raced(place: Path, lane: Path) -> None:
    began_s = time.monotonic()
    done = race(place, lane, *serve(), *serve("--work", "1"), *NAMES, "--get", "/private")

    assert done.returncode == 1
    assert "GET /private: light and heavy gave status 401" in done.stderr
    assert "--header" in done.stderr
    assert "subject.toml" not in done.stderr
    assert time.monotonic() - began_s < READY_WITHIN_S
    assert left_behind(done.owner, cache=lane) == nothing()


def test_two_programs_race_and_their_outputs_are_compared(place: Path, lane: Path) -> None:
    programs = ("--batch", "sleep 1", "--batch", "sleep 0.02", "--name", "long", "--name", "short")
    done = race(place, lane, *programs, *SHORT, "--fail-if", "worse")

    assert done.returncode == 0, done.stderr
    (folder,) = (place / "results").iterdir()
    (comparison,) = json.loads((folder / "analysis.json").read_text())["experiments"][0]["comparisons"]
    assert comparison["ratio"]["value"] < 0.6
    checked = headtohead("check", folder / "content" / "race.toml")
    assert checked.returncode == 0, checked.stderr

    other = race(place, lane, "--batch", "echo a", "--batch", "echo b")
    assert other.returncode == 1
    assert "not the same bytes" in other.stderr


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_exit_statuses_are_those_that_continuous_integration_reads(place: Path, lane: Path) -> None:
    light, heavy, failing = serve(), serve("--work", "60"), serve("--right", "20")
    files = ("--junit", "v.xml", "--markdown", "v.md")
    page = ("--get", "/private", "--header", "X-Token: abc")
    ci = (*page, "--measure", "0.6s", "--fail-if", "worse", *files)

    named = ("--name", "light", "--name", "heavy", "--budget", "1m")  # beside other work six blocks may not be enough
    worse = race(place, lane, *light, *heavy, *ci, *named, lenient=True)
    assert worse.returncode == 3, worse.stderr
    assert "light is" in worse.stdout
    assert "<failure" in (place / "v.xml").read_text()
    assert "| heavy against light |" in (place / "v.md").read_text()

    named = ("--name", "light", "--name", "failing", "--budget", "1s")
    lost = race(place, lane, *light, *failing, *ci, *named, lenient=True)
    assert lost.returncode == 1, lost.stderr
    assert "Not measured: failing against light" in lost.stdout
    assert "<error" in (place / "v.xml").read_text()


def test_ctrl_c_ends_a_race_with_130_and_the_same_line_goes_on(place: Path, lane: Path) -> None:
    line = ("race", "--batch", "sleep 0.5", "--batch", "sleep 0.1", *SHORT, "--results", place / "results")
    first = started(line, lane=lane)
    deadline_s = time.monotonic() + WITHIN_S
    while not list(place.glob("results/*/runs/0001/run.json")) and time.monotonic() < deadline_s:
        time.sleep(0.05)
    first.send_signal(signal.SIGINT)
    assert first.wait(WITHIN_S) == INTERRUPTED

    second = headtohead(*line, lane=lane)
    assert second.returncode == 0, second.stderr
    assert "Resuming in" in second.stderr
    assert len(list(place.glob("results/*"))) == 1
