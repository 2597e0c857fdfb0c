"""What limited a treatment, in short: cases limited alike in one sentence, each by itself beneath it."""

from dataclasses import replace

import pytest

from headtohead.model.analysis.limit import Limit
from headtohead.model.case import Case
from headtohead.report.document import Table
from headtohead.report.experiment.limits import each_limit_table, limits_table, merged
from tests.report.sample import ANALYSIS


def limited(*limits: Limit) -> tuple[Table, Table | None]:
    result = ANALYSIS.experiments[0]
    told = replace(result, treatments=(replace(result.treatments[0], limits=limits),))
    table = limits_table(told)
    assert table is not None
    return table, each_limit_table(told)


def cpu(case: int, share: float) -> Limit:
    return Limit(Case.parse(f"clients={case}"), "cpu", f"the subject used {share:.2f} of its 1 CPU")


def test_many_cases_limited_alike_are_one_sentence_and_each_case_stands_folded_beneath() -> None:
    table, each = limited(*(cpu(n, 0.95 + n / 200) for n in range(10)))
    (row,) = table.groups[0].rows
    assert (row.head, row.cells[0].text) == ("all 10 cases", "its CPU")
    assert row.cells[1].text == "the subject used 0.95 to 0.99 of its 1 CPU"
    assert each is not None
    assert [row.head for row in each.groups[0].rows] == [f"clients {n}" for n in range(10)]
    assert each.groups[0].rows[-1].cells[1].text == "the subject used 0.99 of its 1 CPU"


def heads(*cases: str) -> list[str]:
    """Return how cases that are limited alike are called where there is another one."""
    unknown = Limit(Case.parse("clients=99"), "unknown", "the subject used 0.50 of its 1 CPU")
    table, _ = limited(
        *(Limit(Case.parse(case), "cpu", "the subject used 0.99 of its 1 CPU") for case in cases), unknown
    )
    return [row.head for row in table.groups[0].rows]


def test_cases_that_differ_in_one_field_are_called_by_its_levels_and_of_many_it_is_said_how_many() -> None:
    assert heads(*(f"clients={n}" for n in (1, 2, 8))) == ["clients 1, 2 and 8", "clients 99"]
    both = [f"clients={n},operation={each}" for each in ("read", "write") for n in (1, 2)]
    assert heads(*both)[0] == "operation read, clients 1 and 2; operation write, clients 1 and 2"
    assert heads(*(f"bits={n},operation={n}" for n in range(5)))[0] == "5 of 6 cases"
    assert heads(*(f"kernel={n}" for n in "abcdefghijklm"))[0] == "13 of 14 cases"
    assert heads("") == ["all cases", "clients 99"]


def test_what_one_sentence_says_whole_has_no_list_beneath() -> None:
    assert limited(*(cpu(n, 0.99) for n in range(9)))[1] is None
    assert limited(*(cpu(n, 0.99) for n in range(9)), Limit(Case.parse("clients=99"), "unknown", "?"))[1] is None
    assert limited(cpu(1, 0.99))[0].groups[0].rows[0].head == "all cases"


@pytest.mark.parametrize(
    ("sentences", "one"),
    [
        (["used 9 % of 2 CPUs", "used 51 % of 2 CPUs"], "used 9 to 51 % of 2 CPUs"),
        (["p99 at 3.5", "p99 at 0.5"], "p99 at 0.5 to 3.5"),
        (["nothing was read"] * 2, "nothing was read"),
    ],
)
def test_sentences_that_differ_in_numbers_become_one(sentences: list[str], one: str) -> None:
    assert merged(sentences) == one
