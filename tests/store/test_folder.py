"""Writing and reading a results folder."""

import json
import os
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.case import Case
from headtohead.model.errors import RecordError
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.record import BatchRecord, LoadRecord, RefusedRecord
from headtohead.store import durable, read, write
from headtohead.store.convert import rounded, to_json
from headtohead.store.layout import Layout
from headtohead.store.run import records
from tests.sealing import seal_again
from tests.small import experiment, plan, recorded

SCHEMAS = Path(__file__).parents[2] / "schemas"
FACTS = HostFacts("local", (Fact("cpu", "model", "Some CPU", None, "/proc/cpuinfo"),))
BATCH = '{"format": 1, "record": "batch", "case": {"bits": 2048}, "work": 5, "work_in": "operations", "elapsed_ns": 10, "answer": "verified", "metrics": {}}'  # noqa: E501


def begun(root: Path) -> Layout:
    layout = Layout(root / "2026-11-20-small")
    write.begin(layout, study=b"format = 1\n", plan=plan(experiment("a")), hosts=(FACTS,))
    return layout


def keep(layout: Layout, number: int, *, lines: str = "") -> None:
    source = layout.root.parent / "records.jsonl"
    source.write_text(lines or BATCH.replace('"elapsed_ns": 10', f'"elapsed_ns": {9 + number}') + "\n")
    made = recorded("a", experiment("a").runs[number - 1], number=number).run
    write.run(layout, made, files={"records.jsonl": source, "logs/x.err": source}, partial=layout.runs / f".{number}")


def test_a_refused_case_is_read_with_its_reason_and_one_without_is_an_error(tmp_path: Path) -> None:
    line = '{"format": 1, "record": "refused", "case": {"key": "ed25519"}, "reason": "EdDSA sign failure"}'
    jsonschema.validate(json.loads(line), json.loads((SCHEMAS / "record.json").read_text()))
    layout = begun(tmp_path)
    keep(layout, 1, lines=line)
    assert read.recording(layout.root).runs[0].records == (
        RefusedRecord(Case({"key": "ed25519"}), "EdDSA sign failure"),
    )
    keep(layout, 2, lines=line.replace("EdDSA sign failure", " "))
    with pytest.raises(RecordError, match="cannot be read"):
        read.recording(layout.root)


def test_what_is_written_is_read_again_as_it_was(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    keep(layout, 1)
    keep(layout, 2)

    found = read.recording(layout.root)

    assert found.plan == plan(experiment("a"))
    assert found.hosts == (FACTS,)
    assert [each.run.run for each in found.runs] == [1, 2]
    assert found.runs[0].records == (BatchRecord(Case({"bits": 2048}), 5, "operations", 10, "verified", {}),)
    assert found.runs[0].run.files["records.jsonl"].startswith("sha256:")
    assert found.stopped is None


def test_every_file_honors_its_schema(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    keep(layout, 1)

    for path in (layout.plan, layout.hosts, layout.run(1) / "run.json"):
        schema = json.loads((SCHEMAS / path.name).read_text())
        jsonschema.validate(json.loads(path.read_text()), schema)
    jsonschema.validate(json.loads(BATCH), json.loads((SCHEMAS / "record.json").read_text()))


def test_the_records_that_both_languages_read_honor_the_schema_and_are_read() -> None:
    text = (SCHEMAS.parent / "reference" / "records.jsonl").read_text()
    schema = json.loads((SCHEMAS / "record.json").read_text())
    for line in text.splitlines():
        jsonschema.validate(json.loads(line), schema)

    kinds = [type(each) for each in records.records(text, where=Path("records.jsonl"))]
    assert kinds[:2] == [BatchRecord, BatchRecord]
    assert set(kinds[2:]) == {LoadRecord}


def test_a_run_that_never_became_whole_is_not_seen_and_is_tidied_away(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    (layout.runs / ".0001-77-88-1").mkdir()
    (layout.root / ".end.json.77").touch()

    assert read.recording(layout.root).runs == ()
    write.tidy(layout)
    assert list(layout.runs.iterdir()) == []
    assert not (layout.root / ".end.json.77").exists()


def test_the_end_of_a_study_is_kept(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    write.end(layout, {"a": "decided"})

    assert read.recording(layout.root).stopped == {"a": "decided"}


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    durable.whole(tmp_path / "a.txt", "one")
    durable.whole(tmp_path / "a.txt", "two")

    assert (tmp_path / "a.txt").read_text() == "two"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("plan.json", "{", "not JSON"),
        ("plan.json", '{"format": 2}', "format 1"),
        ("plan.json", '{"format": 1, "title": 3}', "required field missing"),
        ("hosts.json", '{"format": 1, "hosts": [{"name": "x", "facts": [], "spare": 1}]}', "spare"),
        ("runs/0001/records.jsonl", '{"format": 1, "record": "guess"}\n', "guess"),
        ("runs/0001/records.jsonl", '{"format": 1, "record": "batch"}\n', "case"),
        ("runs/0001/records.jsonl", BATCH.replace('"elapsed_ns": 10', '"elapsed_ns": 0') + "\n", "elapsed_ns"),
        ("runs/0001/records.jsonl", "[]\n", "format"),
        ("runs/0001/records.jsonl", BATCH.replace('"metrics": {}', '"metrics": {"x": NaN}') + "\n", "NaN"),
        ("runs/0001/records.jsonl", BATCH.replace('"work": 5', '"work": 1e999') + "\n", "too large"),
        ("runs/0001/records.jsonl", BATCH.replace('"work": 5', f'"work": {"9" * 5000}') + "\n", "too large"),
        ("runs/0001/records.jsonl", BATCH.replace('"metrics": {}', '"metrics": {"x": "y"}') + "\n", "x is not"),
        ("runs/0001/run.json", "[" * 200_000, "too deeply"),
        ("plan.json", '{"format": 1, "seed": NaN}', "NaN"),
        ("runs/0001/readings.csv", "t_ns\ninf\n", "finite"),
        ("runs/0001/readings.csv", "t_ns,busy_ns\n1,2\n1\n", "differ in length"),
        ("runs/0001/readings.csv", "t_ns\nabc\n", "abc"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong(tmp_path: Path, name: str, text: str, says: str) -> None:
    layout = begun(tmp_path)
    keep(layout, 1)
    (layout.root / name).write_text(text)
    seal_again(layout.root)

    with pytest.raises(RecordError) as caught:
        read.recording(layout.root)

    assert name.rsplit("/", 1)[-1] in caught.value.what
    assert says in caught.value.why


@pytest.mark.parametrize("name", ["hosts.json", "runs/0001/run.json", "runs/0001/readings.csv", "runs/0001"])
def test_a_link_in_a_strangers_folder_is_never_followed(tmp_path: Path, name: str) -> None:
    layout = begun(tmp_path)
    keep(layout, 1)
    at, elsewhere = layout.root / name, tmp_path / "elsewhere"
    if at.exists():
        at.rename(elsewhere)
    else:
        elsewhere.write_text("t_ns\n")
    at.symlink_to(elsewhere)
    if name.endswith(".csv"):
        seal_again(layout.root)

    with pytest.raises(RecordError, match="cannot be read"):
        read.recording(layout.root)


def test_a_run_that_the_plan_does_not_hold_is_refused(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    made = recorded("other", experiment("other").runs[0], number=1).run
    write.run(layout, made, files={}, partial=layout.runs / ".1")

    with pytest.raises(RecordError, match="does not belong here"):
        read.recording(layout.root)


def test_a_folder_whose_runs_are_gone_is_read_without_any(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    layout.runs.rmdir()

    assert read.recording(layout.root).runs == ()


def test_a_link_that_a_subject_laid_is_not_copied_into_the_results(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "times.hlog").symlink_to(tmp_path / "secret")
    made = recorded("a", experiment("a").runs[0], number=1).run

    with pytest.raises(OSError, match="symbolic"):
        write.run(layout, made, files={"times.hlog": tmp_path / "times.hlog"}, partial=layout.runs / ".1")


def test_of_a_file_without_end_no_more_is_kept_than_is_ever_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "MOST_LOG_BYTES", 1000)
    monkeypatch.setattr(write, "MOST_READINGS_BYTES", 2000)
    layout = begun(tmp_path)
    made = recorded("a", experiment("a").runs[0], number=1).run
    files = dict[str, Path | bytes]()
    for name, length in (("logs/subject.err", 1 << 34), ("logs/whole.err", 1000), ("times.hlog", 1 << 34)):
        source = tmp_path / name.rpartition("/")[2]
        source.touch()
        os.truncate(source, length)
        files[name] = source
    kept = write.run(layout, made, files=files, partial=layout.runs / ".1")
    sizes = {name: (layout.run(kept.run) / name).stat().st_size for name in files}
    assert sizes == {"logs/subject.err": 1000 + len(write.CUT), "logs/whole.err": 1000, "times.hlog": 2000}
    assert set(kept.files) == set(files)


def test_a_link_in_place_of_an_unfinished_file_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / f".a.txt.{os.getpid()}").symlink_to(tmp_path / "mine")

    durable.whole(tmp_path / "a.txt", "one")

    assert (tmp_path / "mine").read_text() == "mine"
    assert (tmp_path / "a.txt").read_text() == "one"


def test_a_folder_without_a_plan_is_no_results_folder(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"no plan\.json"):
        read.recording(tmp_path)


def test_readings_are_read_up_to_the_last_whole_line() -> None:
    found = read.readings("t_ns,busy_ns\n1,10\n2,\n3,3", where=Path("readings.csv"))

    assert found.columns == ("t_ns", "busy_ns")
    assert found.rows == ((1.0, 10.0), (2.0, None))


def test_a_load_record_keeps_its_other_figures_and_what_does_not_apply() -> None:
    line = {
        "driver": "local",
        "case": {"connections": 10},
        "loop": "closed",
        "elapsed_ns": 9,
        "from_ns": 1,
        "to_ns": 10,
    }
    document = {"format": 1, "record": "load", **line, "sent": 3, "right": 3, "errors": {}, "send_lag_p99_ns": None}

    found = records.record(document)

    assert isinstance(found, LoadRecord)
    assert found.values == {"send_lag_p99_ns": None}


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_in_files_have_nine_significant_digits(value: float) -> None:
    kept = rounded(value)

    assert isinstance(kept, float)
    assert kept == pytest.approx(value, rel=1e-8)
    assert rounded(kept) == kept


def test_a_document_without_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        to_json({"value": float("nan")})
