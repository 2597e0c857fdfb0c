"""What is read fast is read to the same values as slowly, and what is wrong is refused either way."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.errors import RecordError
from headtohead.store.convert import parsed
from headtohead.store.read import readings

WHERE = Path("readings.csv")
NUMBERS = st.one_of(st.floats(allow_nan=False, allow_infinity=False).map(repr), st.integers(0, 2**70).map(str))


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=5))
def test_numbers_of_any_size_are_read_as_python_reads_them(rows: list[tuple[str, str]]) -> None:
    table = readings("t_ns,x\n" + "".join(f"{a},{b}\n" for a, b in rows), where=WHERE)

    assert list(table.rows) == [(float(a), float(b)) for a, b in rows]


@pytest.mark.parametrize("cell", ["07", "+1", ".5", "1.", "1e3", " 2"])
def test_numbers_that_json_would_refuse_are_numbers_still(cell: str) -> None:
    assert readings(f"t_ns,x\n1,{cell}\n", where=WHERE).rows[0] == (1.0, float(cell))


def test_an_empty_cell_is_missing_and_never_zero() -> None:
    assert list(readings("t_ns,x\n1,\n2,3\n", where=WHERE).rows) == [(1.0, None), (2.0, 3.0)]


@pytest.mark.parametrize("cell", ["nan", "null", "true", "[1]", "1e999", "inf", '"1"]', "{}"])
def test_what_is_no_finite_number_is_refused(cell: str) -> None:
    with pytest.raises(RecordError, match=r"readings\.csv"):
        readings(f"t_ns,x\n1,{cell}\n", where=WHERE)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**19), 10**19) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_json_is_read_to_the_values_that_were_written(value: object) -> None:
    assert parsed(json.dumps(value)) == value


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "1e999", "9" * 21, "[1,]", "{'a': 1}", "[" * 100_000])
def test_json_that_is_wrong_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parsed(text)


def test_a_number_of_twenty_digits_is_read_exactly() -> None:
    assert parsed("[99999999999999999999]") == [99999999999999999999]
    assert math.isclose(parsed("1.00000000000000000000001"), 1.0)
