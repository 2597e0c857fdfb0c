"""What a run's folder holds of a database: its queries, its counters, its configuration; and a run struck later."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.errors import RecordError
from headtohead.model.record import BatchRecord, LoadRecord, Setting, Status
from headtohead.store import read, write
from headtohead.store.layout import Layout
from headtohead.store.run import records
from headtohead.store.run.settings import settings, settings_text
from headtohead.store.write import mark_invalid
from tests.small import experiment, plan, recorded

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "record.json").read_text())
LINE = {
    "format": 1,
    "record": "load",
    "driver": "local",
    "case": {"connections": 10},
    "loop": "closed",
    "elapsed_ns": 9,
    "from_ns": 1,
    "to_ns": 10,
    "sent": 3,
    "right": 3,
    "errors": {},
}
SHOWN = st.text(st.characters(codec="utf-8", min_codepoint=32), max_size=30)
LISTED = st.lists(
    st.builds(Setting, SHOWN.filter(bool), SHOWN, SHOWN), max_size=8, unique_by=lambda each: each.name
).map(tuple)


def begun(root: Path, files: dict[str, bytes], *, status: Status = "valid") -> Layout:
    layout = Layout(root / "small")
    of = experiment("a")
    write.begin(layout, study=b"format = 1\n", plan=plan(of), hosts=())
    write.run(layout, recorded("a", of.runs[0], status=status).run, files=files, partial=layout.runs / ".1")
    return layout


def test_a_record_of_queries_keeps_each_of_them_and_what_was_counted() -> None:
    times = {"response_time_mean_ns": 9, "response_time_p50_ns": 9, "response_time_p99_ns": None}
    queries = {"thread": {"sent": 2, "right": 2, **times}}
    document = {**LINE, "queries": queries, "rows": 40, "counters": {"buffer_reads": 0.0}}

    jsonschema.validate(document, SCHEMA)
    found = records.record(document)

    assert isinstance(found, LoadRecord)
    assert (found.queries, found.counters, found.values) == (queries, {"buffer_reads": 0.0}, {"rows": 40})


def test_a_record_of_pages_has_no_queries() -> None:
    document = {**LINE, "queries": None, "rows": None}

    jsonschema.validate(document, SCHEMA)
    found = records.record(document)

    assert isinstance(found, LoadRecord)
    assert (found.queries, found.counters, found.values) == ({}, {}, {"rows": None})


@pytest.mark.parametrize(
    "wrong",
    [
        {"queries": 3},
        {"queries": {"thread": 3}},
        {"queries": {"thread": {"sent": "many"}}},
        {"counters": {"buffer_reads": None}},
        {"counters": [1]},
    ],
)
def test_queries_and_counters_that_are_none_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        records.record({**LINE, **wrong})


def test_the_configuration_is_read_with_its_run(tmp_path: Path) -> None:
    layout = begun(tmp_path, {"configuration.tsv": b"cache\t512\t128\nmode\tfast\t\n"})

    found = read.recorded(layout, 1)

    assert found.configuration == (Setting("cache", "512", "128"), Setting("mode", "fast", ""))
    assert [each.differs for each in found.configuration] == [True, False]
    assert set(found.run.files) == {"configuration.tsv"}


def test_a_configuration_that_is_damaged_is_named(tmp_path: Path) -> None:
    layout = begun(tmp_path, {"configuration.tsv": b"cache\n"})

    with pytest.raises(RecordError, match=r"configuration\.tsv cannot be read"):
        read.recorded(layout, 1)


@given(LISTED)
def test_settings_are_read_as_they_were_written(listed: tuple[Setting, ...]) -> None:
    told = settings_text(listed)

    try:
        assert settings(told) == listed
    except ValueError as error:
        pytest.fail(f"{error}: {told!r}")


@pytest.mark.parametrize(("status", "expected"), [("valid", "invalid"), ("invalid", "invalid"), ("failed", "failed")])
def test_a_run_may_be_struck_later(tmp_path: Path, status: Status, expected: Status) -> None:
    layout = begun(tmp_path, {}, status=status)

    mark_invalid(layout, 1, reason="data-changed: a row is missing")

    run = read.recorded(layout, 1).run
    assert (run.status, run.reasons) == (expected, ("data-changed: a row is missing",))


BATCH = {
    "format": 1,
    "record": "batch",
    "case": {},
    "work": 0,
    "work_in": "loads",
    "elapsed_ns": 1,
    "answer": "right",
    "metrics": {},
}


def test_what_a_program_could_not_give_is_read_with_its_reason() -> None:
    document = {**BATCH, "why_not": "there is no L3"}

    jsonschema.validate(document, SCHEMA)
    found = records.record(document)

    assert isinstance(found, BatchRecord)
    assert found.why_not == "there is no L3"


@pytest.mark.parametrize("wrong", [3, None, "x" * 501])
def test_a_reason_that_is_no_short_text_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError):
        records.record({**BATCH, "why_not": wrong})
