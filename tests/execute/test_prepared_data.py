"""Data prepared once, and the subjects that others need, on a machine that is not there."""

import shutil
from pathlib import Path
from threading import Thread

import pytest

from headtohead.execute.prepare.prepared_data_record import read_copy_record
from headtohead.hosts.cache_locks import LOCKS, making
from headtohead.hosts.fake.script import Launch, Outcome
from headtohead.hosts.file_owners import name_of
from tests.execute.laboratory import Laboratory, fake_affinity, tiny_home, tiny_page, tiny_program
from tests.execute.needing import NEEDS, pristine, with_store, without


def test_what_is_needed_is_started_first_and_stopped_last(laboratory: Laboratory) -> None:
    found = laboratory.prepared().run(with_store(laboratory))

    assert found.run.status == "valid", found.run.reasons
    started = [each.name.partition(".")[0] for each in laboratory.launches()]
    assert started == ["store", "store-ready", "subject", "store-warm", "walk-1"]
    asked = [request for each in laboratory.host.supervises if each.programs for request in each.requests]
    stops = [(each["name"], each["signal"], each["within_s"]) for each in asked if each["do"] == "stop"]
    assert stops[-2:] == [("subject", "TERM", 5.0), ("store", "INT", 7.0)]


def test_what_is_needed_shares_group_and_cpus_and_has_a_directory_of_its_own(laboratory: Laboratory) -> None:
    laboratory.prepared().run(with_store(laboratory))

    store, subject = (
        next(each for each in laboratory.launches() if each.name == name) for name in ("store", "subject")
    )
    assert (store.group, store.cpus) == (subject.group, subject.cpus) == ("subject", (0,))
    assert store.cwd == subject.cwd.parent / "store"
    assert store.option("--socket") is None
    assert f"--socket={store.cwd}/sock" in store.argv


def test_templates_reach_what_is_needed_and_find_nothing_where_nothing_is(laboratory: Laboratory) -> None:
    written: list[str] = []

    def reads_its_file(launch: Launch) -> Outcome:
        if launch.argv[0] == "board":
            written.append(Path(launch.argv[1]).read_text())
        return tiny_program(launch)

    laboratory.script.program = reads_its_file
    place, needs = laboratory.prepared(), with_store(laboratory)
    place.run(needs)
    place.run(next(number for number in (1, 2, 3) if number != needs and without(place, number)))

    data = place.study_context.data["tiny"][0]
    password = next(iter(place.study_context.passwords.values()))
    told = ["user=root", f"password={password}", "file=", "from=store", f"data={data}"]
    assert written[0].splitlines()[1:] == told
    assert written[0].splitlines()[0].endswith("/store/sock")
    assert written[1].splitlines() == ["socket=", "user=", "password=", "file=", "from=own", f"data={data}"]


def test_versions_of_all_parts_and_the_prepared_copy_are_in_the_run(laboratory: Laboratory) -> None:
    place = laboratory.prepared()
    found = place.run(with_store(place))

    assert set(found.run.versions) == {"board", "store"}
    assert found.run.data is not None
    assert found.run.data["prepared"] == pristine(place).name
    assert found.run.usage["stopped_in_time"] == 1.0


def test_data_are_prepared_once_step_by_step_and_kept(laboratory: Laboratory) -> None:
    seen: list[Launch] = []

    def notes(launch: Launch) -> Outcome:
        seen.append(launch)
        return tiny_program(launch)

    laboratory.script.program = notes
    laboratory.prepared()

    steps = [each.name.partition(".")[0] for each in seen]
    assert steps == ["init", "store", "store-ready", "load", "check"]
    assert (pristine(laboratory) / "table").read_text() == "rows"
    seen.clear()
    laboratory.study_context.prepared.clear()
    laboratory.prepared()
    assert seen == []


@pytest.mark.parametrize("part", ["data set", "copy"])
def test_what_another_process_makes_is_waited_for(laboratory: Laboratory, part: str) -> None:
    laboratory.prepared()
    made = pristine(laboratory) if part == "copy" else laboratory.study_context.data["tiny"][0]
    second = Thread(target=laboratory.prepared)

    with making(made):
        second.start()
        second.join(timeout=1)
        waits = second.is_alive()
    second.join(timeout=60)

    assert waits
    assert not second.is_alive()


def test_a_step_is_given_its_file_filled_in(laboratory: Laboratory) -> None:
    given: list[str] = []

    def reads(launch: Launch) -> Outcome:
        if launch.name == "load" and launch.stdin is not None:
            given.append(launch.stdin.read_text())
        return tiny_program(launch)

    laboratory.script.program = reads
    laboratory.prepared()

    (password,) = laboratory.study_context.passwords.values()
    data = laboratory.study_context.data["tiny"][0]
    assert given == [f"load {data}/rows.tsv\naccount {name_of(None)} {password}\n"]


def test_a_store_that_counts_otherwise_is_not_prepared(laboratory: Laboratory) -> None:
    def counts_wrongly(launch: Launch) -> Outcome:
        return Outcome(takes_s=0.1, stdout="rows\t29\n") if launch.name == "check" else tiny_program(launch)

    laboratory.script.program = counts_wrongly
    place = laboratory.prepared()
    found = place.run(with_store(place))

    assert found.run.status == "failed"
    assert "store does not hold the data set" in found.run.reasons[0]
    assert "'rows\\t29' where 'rows\\t30' is right" in found.run.reasons[0]
    kept = laboratory.folder / "cache" / "prepared"
    assert [each.name for each in kept.iterdir() if each.name != LOCKS] == []


def test_a_step_that_fails_says_what_it_said(laboratory: Laboratory) -> None:
    def fails(launch: Launch) -> Outcome:
        failed = Outcome(takes_s=0.1, stderr="no such table\n", code=1)
        return failed if launch.name == "load" else tiny_program(launch)

    laboratory.script.program = fails
    found = laboratory.prepared().run(with_store(laboratory))

    assert "The step load of store failed" in found.run.reasons[0]
    assert "no such table" in found.run.reasons[0]


def test_runs_start_on_one_working_copy_that_is_not_the_kept_one(laboratory: Laboratory) -> None:
    place, copies = laboratory.prepared(), []
    for number in [each for each in range(1, 5) if not without(place, each)]:
        place.run(number)
        (store,) = [each for each in place.launches() if each.name == "store"]
        copies.append(next(each for each in store.argv if each.startswith("--data=")).removeprefix("--data="))

    assert len(copies) == 2
    assert copies[0] == copies[1] != str(pristine(place))
    assert (Path(copies[0]) / "table").read_text() == "rows"
    place.study_context.__exit__(None, None, None)
    assert not Path(copies[0]).exists()
    assert (pristine(place) / "table").exists()


def test_a_kept_copy_that_was_changed_is_made_anew(laboratory: Laboratory) -> None:
    kept = pristine(laboratory.prepared())
    (kept / "table").write_text("tampered")

    laboratory.prepared()

    assert (kept / "table").read_text() == "rows"


def test_how_long_a_load_took_is_known_to_later_studies_too(laboratory: Laboratory) -> None:
    place = laboratory.prepared()
    (first,) = place.study_context.notes.values()
    place.study_context.notes.clear()
    place.study_context.prepared.clear()
    (again,) = place.prepared().study_context.notes.values()

    assert first == again
    assert first["load_s"] == pytest.approx(0.1, abs=0.01)


def test_a_copy_keeps_its_password_for_later_studies_and_no_other_user_reads_it(laboratory: Laboratory) -> None:
    place = laboratory.prepared()
    kept, context = pristine(place), place.study_context
    passwords = dict(context.passwords)
    context.passwords.clear()
    context.prepared.clear()
    place.prepared()

    assert context.passwords == passwords
    assert len(passwords[kept]) == 32
    assert kept.with_name(f"{kept.name}.json").stat().st_mode & 0o777 == 0o600
    assert passwords[kept] not in f"{context} {read_copy_record(kept)} {context.notes}"


def test_a_copy_made_anew_has_another_password_and_the_same_name(laboratory: Laboratory) -> None:
    place = laboratory.prepared()
    kept, passwords = pristine(place), place.study_context.passwords
    first = passwords[kept]
    (kept / "table").write_text("spoiled")
    place.study_context.prepared.clear()
    place.prepared()

    assert pristine(place) == kept
    assert passwords[kept] != first


def test_a_password_is_in_no_result_and_in_no_command_line(laboratory: Laboratory) -> None:
    seen: list[Launch] = []

    def notes(launch: Launch) -> Outcome:
        seen.append(launch)
        return tiny_program(launch)

    laboratory.script.program = notes
    place = laboratory.prepared()
    place.run(with_store(place))
    (password,) = place.study_context.passwords.values()

    results = [each for each in (place.folder / "results").rglob("*") if each.is_file()]
    assert any(each.name == "run.json" for each in results)
    assert not [each for each in results if password in each.read_text(errors="replace")]
    assert "load" in [each.name for each in seen]
    assert not [each for each in seen if password in " ".join(each.argv)]


def test_a_copy_of_which_nothing_tells_how_it_was_made_is_made_anew(laboratory: Laboratory) -> None:
    kept = pristine(laboratory.prepared())
    kept.with_name(f"{kept.name}.json").write_text("{")
    laboratory.study_context.notes.clear()

    laboratory.prepared()

    assert read_copy_record(kept) is not None


def test_a_run_with_fresh_data_has_a_copy_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_affinity(monkeypatch)
    home = tiny_home(tmp_path)
    workloads = tmp_path / "home" / "workloads"
    kept = workloads.resolve()
    workloads.unlink()
    shutil.copytree(kept, workloads)
    text = workloads / "tiny" / "workload.toml"
    text.write_text(text.read_text().replace('state = "kept"', 'state = "fresh"'))
    place = Laboratory(NEEDS, tmp_path, home=home, pages=tiny_page)
    place.script.program = tiny_program
    place.prepared().run(with_store(place))

    (store,) = [each for each in place.launches() if each.name == "store"]
    assert f"--data={store.cwd.parent}/data-store" in store.argv
