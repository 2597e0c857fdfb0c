"""Cases: one text form, equal if their texts are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.case import WHOLE_RUN, Case, shared
from headtohead.model.quantity import Scalar
from headtohead.store.convert import CONVERTER

names = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
levels = st.one_of(
    st.integers(),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.from_regex(r"[a-z]{1,6}", fullmatch=True),
)
cases = st.dictionaries(names, levels, max_size=4).map(Case)


@given(cases)
def test_a_case_is_read_again_from_its_text(case: Case) -> None:
    again = Case.parse(case.text)
    assert again == case
    assert hash(again) == hash(case)
    assert again.levels == case.levels


@given(st.text())
def test_a_text_that_is_read_stays_as_it_was(text: str) -> None:
    assert Case.parse(text).text == text


@pytest.mark.parametrize("level", [10, 10.0, "10"])
def test_levels_that_are_written_alike_are_one(level: Scalar) -> None:
    assert Case({"connections": level}) == Case({"connections": 10})
    assert {Case({"connections": level}): "found"}[Case({"connections": 10})] == "found"


def test_the_order_of_fields_is_kept_and_does_not_count() -> None:
    case = Case({"operation": "sign", "bits": 2048})
    assert list(case) == ["operation", "bits"]
    assert CONVERTER.unstructure(case) == {"operation": "sign", "bits": 2048}
    assert case == Case({"bits": 2048, "operation": "sign"}) == Case.parse("bits=2048,operation=sign")
    assert case == {"bits": 2048, "operation": "sign"}


def test_numbers_are_read_as_numbers_and_what_is_none_as_text() -> None:
    read = Case.parse("a=1e5,b=0.5,c=007,d=nan,e=true,f=x=y")
    assert dict(read) == {"a": "1e5", "b": 0.5, "c": "007", "d": "nan", "e": True, "f": "x=y"}


def test_a_part_of_a_case_covers_it() -> None:
    case = Case({"operation": "sign", "bits": 2048})
    assert case.only(["bits"]).covers(case)
    assert case.without("operation").text == "bits=2048"
    assert not case.covers(case.only(["bits"]))
    assert not Case({"bits": 4096}).covers(case)
    assert WHOLE_RUN.covers(case)
    assert not WHOLE_RUN


def test_cases_written_alike_are_one_object_and_others_keep_their_kind() -> None:
    assert shared({"copies": 1}) is shared({"copies": 1})
    assert [type(shared({"copies": level})["copies"]) for level in (1, 1.0, True)] == [int, float, bool]
    assert [*shared({"a": 1, "b": 2})] != [*shared({"b": 2, "a": 1})]
