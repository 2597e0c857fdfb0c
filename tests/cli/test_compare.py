"""`headtohead compare` over many results folders: by name or in a folder of them, whole or with a broken one."""

import csv
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from benches.make_systems import Asked, make
from headtohead.cli.app import app
from headtohead.cli.commands import noise
from headtohead.cli.folders import read_many
from headtohead.model.errors import HostError, RecordError, WordsError
from headtohead.store.read_systems import folders
from tests.analyze.building import plan
from tests.analyze.fleet import HERE, folder, lone

pytestmark = pytest.mark.usefixtures("tables_as_given")

STEADY = [99.0, 100.0, 101.0, 99.0, 100.0, 101.0]


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """Return a folder of three results folders, the second twice as fast as the first, the third half as fast."""
    for name, factor, kernel in (("a", 1.0, "6.1"), ("b", 2.0, "6.12"), ("c", 0.5, "6.1")):
        facts = {**HERE, ("software", "kernel"): kernel}
        folder(tmp_path / "fleet" / name, [factor * each for each in STEADY], facts=facts)
    return tmp_path / "fleet"


def compare(*words: object, code: int = 0) -> Result:
    """Run the command; what it raised, if anything, comes back by raising it here."""
    done = CliRunner().invoke(app, ["compare", *map(str, words)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code
    return done


def test_a_folder_of_folders_is_compared_with_the_first_of_them(fleet: Path) -> None:
    text = compare(fleet).stdout
    assert text.startswith("2 systems against a\n")
    found = json.loads(compare(fleet, "--json").stdout)
    assert found["format"] == 1
    assert [each["system"] for each in found["tables"][0]["standings"]] == ["b", "a", "c"]
    assert [each["ratio"] and each["ratio"]["value"] for each in found["tables"][0]["standings"]] == [
        pytest.approx(2.0),
        None,
        pytest.approx(0.5),
    ]


@pytest.mark.parametrize("named", ["b", "fleet/b", "./fleet/b/"])
def test_a_baseline_is_named_by_its_folder_however_written(named: str, fleet: Path) -> None:
    assert compare(fleet, "--baseline", named).stdout.startswith("2 systems against b\n")


def test_a_baseline_that_is_not_there_or_cannot_be_read_is_refused(fleet: Path) -> None:
    with pytest.raises(WordsError, match="--baseline z") as error:
        compare(fleet, "--baseline", "z")
    assert error.value.remedy == "Name one of: a, b, c."
    (fleet / "c" / "hosts.json").write_text("{")
    with pytest.raises(WordsError, match="--baseline c") as error:
        compare(fleet, "--baseline", "c")
    assert error.value.why.startswith("It cannot be read: ")


def test_facts_meant_to_differ_are_sorted_from_the_others(fleet: Path) -> None:
    assert "1 host fact not meant to differ" in compare(fleet).stdout
    assert "1 host fact meant to differ" in compare(fleet, "--differ", "kernel").stdout
    with pytest.raises(WordsError, match="--differ nosuch"):
        compare(fleet, "--differ", "nosuch")


def test_a_broken_folder_is_named_the_others_go_on_and_the_exit_is_1(fleet: Path) -> None:
    (fleet / "b" / "measurements.csv").write_text("nonsense\n")
    text = compare(fleet, code=1).stdout
    assert text.startswith("1 system against a\n")
    assert "1 folder could not be read: b." in text
    assert "the columns are not" in " ".join(text.split())


def test_a_folder_in_which_noise_was_tolerated_is_not_compared(fleet: Path) -> None:
    folder(fleet / "d", STEADY, of=plan(lone()).tolerating_noise())
    done = compare(fleet, code=1)
    assert "measured with --tolerate-noise" in done.output


def test_where_fewer_than_two_can_be_read_that_is_an_error(fleet: Path) -> None:
    for name in ("b", "c"):
        (fleet / name / "hosts.json").unlink()
    with pytest.raises(RecordError, match="1 of 3 results folders can be read") as error:
        compare(fleet)
    assert "it holds no hosts.json" in error.value.why


def test_what_is_written_follows_the_ending_of_the_file(fleet: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"x.{ending}" for ending in ("csv", "html", "md")]
    compare(fleet, *(word for each in files for word in ("--write", each)))
    with files[0].open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 3 + 3
    assert files[1].read_text().startswith("<!doctype html>")
    assert files[2].read_text().startswith("# 2 systems against a\n")
    with pytest.raises(WordsError, match=r"--write x\.pdf"):
        compare(fleet, "--write", "x.pdf")


def test_many_folders_are_read_in_processes_and_come_back_in_order(
    fleet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fleet / "b" / "hosts.json").write_text("{")
    alone = read_many.read_many(folders([fleet]))
    monkeypatch.setattr(read_many, "LEAST_FOLDERS", 1)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    shared = read_many.read_many(folders([fleet]))
    assert shared == alone
    assert ([each.name for each in shared[0]], [each.name for each in shared[1]]) == (["a", "c"], ["b"])


def test_a_reader_that_is_ended_from_outside_is_an_error(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_many, "LEAST_FOLDERS", 1)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr("headtohead.store.read_systems.read_plain", lambda *_, **__: os._exit(9))
    with pytest.raises(HostError, match="could not be read"):
        read_many.read_many(folders([fleet]))


def test_one_folder_alone_in_a_folder_is_read_as_itself(tmp_path: Path) -> None:
    folder(tmp_path / "fleet" / "a", STEADY)
    assert "A study" in compare(tmp_path / "fleet").stdout


def test_the_folders_of_the_bench_follow_from_their_seed_and_lack_what_it_says(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make(tmp_path / name, Asked(systems=100, workloads=3, runs=6))
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) == 300
    assert all((tmp_path / "one" / each).read_bytes() == (tmp_path / "two" / each).read_bytes() for each in files)
    found = json.loads(compare(tmp_path / "one", "--json").stdout)
    assert [len(each["missing"]) for each in found["tables"]] == [0, 0, 1]
    assert [each["estimate"]["n"] for each in found["tables"][0]["standings"]] == [6] * 100
    assert (found["overall"]["tables"], found["overall"]["of"]) == (2, 3)


SYSTEM = """
format = 1
title = "A lab server"
fits = { software = { kernel = "6.12" } }
price = { amount = 3.6, currency = "EUR", date = "2026-11-01", source = "an offer", per = "hour" }
"""


def test_the_price_that_a_folder_gives_stands_beside_its_values(fleet: Path) -> None:
    (fleet / "b" / "system.toml").write_text(SYSTEM)
    found = json.loads(compare(fleet, "--json").stdout)
    prices = {each["system"]: each["price"] for each in found["tables"][0]["standings"]}
    assert (prices["a"], prices["c"]) == (None, None)
    assert prices["b"]["per_million"]["value"] == pytest.approx(5.0, rel=1e-3)


def test_a_folder_with_the_price_of_another_machine_is_not_read(fleet: Path) -> None:
    (fleet / "a" / "system.toml").write_text(SYSTEM)
    (broken,) = json.loads(compare(fleet, "--json", code=1).stdout)["broken"]
    assert broken["name"] == "a"
    assert "system.toml does not belong here: software: kernel is 6.1 here, not 6.12" in broken["why"]


@pytest.fixture
def machines(tmp_path: Path) -> list[Path]:
    """Return two machines of two sessions each, the second twice as fast."""
    for name, factor in (("old", 1.0), ("new", 2.0)):
        for day in (20, 21):
            values = [factor * each * (1 + day / 10_000) for each in STEADY]
            folder(tmp_path / name / f"2026-11-{day}-first", values)
    return [tmp_path / "old", tmp_path / "new"]


def test_folders_of_sessions_are_machines_and_carry_verdicts(machines: list[Path]) -> None:
    found = json.loads(compare("--sessions", *machines, "--json").stdout)
    assert found["baseline"] == "old"
    best = found["tables"][0]["standings"][0]
    told = [best[key] for key in ("system", "verdict", "sessions", "ratio_basis", "rank")]
    assert told == ["new", "better", 2, "between-sessions", [1, 1]]
    assert found["systems"][0]["sessions"] == ["old/2026-11-20-first", "old/2026-11-21-first"]
    assert json.loads(compare("--sessions", *machines, "--json", "--baseline", "new").stdout)["baseline"] == "new"


def test_the_same_folders_by_themselves_are_measured_once(machines: list[Path]) -> None:
    text = " ".join(compare(*machines).stdout.split())
    assert "No verdict: each machine was measured once." in text
    assert "faster" not in text
    with pytest.raises(RecordError, match="There is one machine"):
        compare("--sessions", machines[0])


def test_a_recorded_spread_in_a_folder_carries_its_verdict(
    machines: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folders_of = [sorted(each.iterdir()) for each in machines]
    for sessions in folders_of:
        monkeypatch.setattr(noise, "cache_dir", lambda sessions=sessions: sessions[0])
        told = CliRunner().invoke(app, ["noise", *map(str, sessions)])
        assert told.exit_code == 0
        assert "How much the sessions of this machine differ" in told.stdout
    text = " ".join(compare(*(sessions[0] for sessions in folders_of)).stdout.split())
    assert "The verdicts on 2 machines measured once rest on the spread" in text
    assert "faster" in text
    kept = folders_of[0][0] / "sessions.json"
    kept.write_text(kept.read_text().replace('"sessions": 2', '"sessions": 1'))
    with pytest.raises(RecordError, match="1 of 2 results folders") as error:
        compare(*(sessions[0] for sessions in folders_of))
    assert "fewer than two sessions" in error.value.why


def test_a_link_in_place_of_a_recorded_spread_is_not_followed(fleet: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.json").write_text("{}")
    (fleet / "b" / "sessions.json").symlink_to(tmp_path / "elsewhere.json")
    (broken,) = json.loads(compare(fleet, "--json", code=1).stdout)["broken"]
    assert broken["name"] == "b"
    assert "sessions.json" in broken["why"]


def test_above_a_number_of_folders_their_tables_are_believed_and_that_is_said(
    fleet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "Whether its runs give them was not checked"
    assert words not in " ".join(compare(fleet).stdout.split())
    monkeypatch.setattr("headtohead.cli.commands.results.compare.MOST_PROVED", 2)
    assert words in " ".join(compare(fleet).stdout.split())
