"""measurements.csv as a table that strangers may have written, and a reference machine of three files."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headtohead.model.analysis.estimates import Measurement
from headtohead.model.case import Case
from headtohead.model.errors import RecordError
from headtohead.store import read, write
from headtohead.store.layout import Layout
from headtohead.store.measurements import COLUMNS, from_csv, to_csv
from tests.small import experiment, plan
from tests.store.test_folder import FACTS

HEAD = ",".join(COLUMNS) + "\n"
LINE = "a,1,1,A,valid,kernel=fft,rate_per_s,12.5\n"
WHERE = Path("measurements.csv")

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20)
cases = texts.map(Case.parse)
values = st.floats(allow_nan=False, allow_infinity=False, width=32).map(lambda each: float(f"{each:.9g}"))
lines = st.builds(
    Measurement, texts, st.integers(0, 10**9), st.integers(0, 99), texts, st.just("valid"), cases, texts, values
)


@settings(deadline=None)
@given(st.lists(lines, unique_by=lambda each: (each.experiment, each.run, each.case, each.metric)))
def test_what_is_written_is_read_again_whatever_the_names(told: list[Measurement]) -> None:
    assert from_csv(to_csv(told), where=WHERE) == tuple(told)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 0, "the columns are not"),
        ("experiment,run\n", 1, "the columns are not"),
        (HEAD + "a,1,1,A\n", 2, "it has 4 cells, not 8"),
        (HEAD + LINE + LINE, 3, "it has rate_per_s of run 1 twice"),
        (HEAD + LINE.replace("12.5", "nan"), 2, "not a finite number"),
        (HEAD + LINE.replace("12.5", "fast"), 2, "could not convert"),
        (HEAD + LINE.replace("a,1,", "a,-1,"), 2, "not a whole number"),
        (HEAD + LINE.replace("a,1,", f"a,{'9' * 30},"), 2, "not a whole number"),
        (HEAD + LINE.replace("valid", "lovely"), 2, "not one of valid, uncounted, invalid, failed"),
        (HEAD + '"a,1\n', 2, "unexpected end of data"),
        (HEAD + "x" * 200_000 + "\n", 2, "field larger than field limit"),
    ],
)
def test_a_line_that_is_none_of_ours_is_named_with_the_reason(text: str, line: int, why: str) -> None:
    with pytest.raises(RecordError) as error:
        from_csv(text, where=WHERE)
    assert error.value.why.startswith(f"line {line}: ")
    assert why in error.value.why
    assert error.value.remedy


def test_more_lines_than_any_study_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headtohead.store.measurements.MOST_LINES", 1)
    with pytest.raises(RecordError, match="more than 1 values"):
        from_csv(HEAD + LINE + LINE.replace("a,1", "a,2"), where=WHERE)


def begun(root: Path, table: str = HEAD + LINE) -> Layout:
    layout = Layout(root / "2025-03-01-old")
    write.begin(layout, study=b"", plan=plan(experiment("a")), hosts=(FACTS,))
    layout.study.unlink()
    layout.runs.rmdir()
    layout.measurements.write_text(table)
    return layout


def test_a_reference_machine_is_read_of_three_files_alone(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    found = read.reference(layout.root)
    assert (found.name, found.hosts, found.plan) == ("2025-03-01-old", (FACTS,), plan(experiment("a")))
    assert [each.value for each in found.measurements] == [12.5]
    assert found.measurements_sha256 == hashlib.sha256(layout.measurements.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["plan.json", "hosts.json", "measurements.csv"])
def test_a_folder_without_one_of_them_is_refused_with_its_name(tmp_path: Path, name: str) -> None:
    layout = begun(tmp_path)
    (layout.root / name).unlink()
    with pytest.raises(RecordError) as error:
        read.reference(layout.root)
    assert (error.value.why, name in error.value.why) == (f"it holds no {name}.", True)


def test_values_of_a_treatment_that_was_not_planned_are_refused(tmp_path: Path) -> None:
    layout = begun(tmp_path, HEAD + LINE.replace(",A,", ",Z,"))
    with pytest.raises(RecordError, match="does not belong here"):
        read.reference(layout.root)


def test_a_table_that_is_a_link_is_refused(tmp_path: Path) -> None:
    layout = begun(tmp_path)
    elsewhere = layout.measurements.rename(tmp_path / "elsewhere.csv")
    layout.measurements.symlink_to(elsewhere)
    with pytest.raises(RecordError, match="cannot be read"):
        read.reference(layout.root)
