"""What limited a treatment, in short: cases limited alike in one sentence, each by itself beneath it."""

from dataclasses import replace

import pytest

from headtohead.model.analysis.limit import AT_CAPACITY, Limit, Resource
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.report.document import Table
from headtohead.report.experiment.bottlenecks.limits import each_limit_table, limited_sentence, limits_table
from headtohead.report.experiment.bottlenecks.reasons import Reason, merged, reason
from tests.report.sample import ANALYSIS


def limited(*limits: Limit) -> tuple[Table, Table | None]:
    result = ANALYSIS.experiments[0]
    told = replace(result, treatments=(replace(result.treatments[0], limits=limits),))
    table = limits_table(told)
    assert table is not None
    return table, each_limit_table(told)


def cpu(case: int, share: float) -> Limit:
    return Limit(Case.parse(f"clients={case}"), "cpu", subject_cpus=share, subject_cpus_allotted=1)


def test_many_cases_limited_alike_are_one_sentence_and_each_case_stands_folded_beneath() -> None:
    table, each = limited(*(cpu(n, 0.95 + n / 200) for n in range(10)))
    (row,) = table.groups[0].rows
    assert (row.head, row.cells[0].text) == ("all 10 cases", "its CPU")
    assert row.cells[1].text == "the program used 0.95 to 0.99 of its 1 CPU"
    assert each is not None
    assert [row.head for row in each.groups[0].rows] == [f"clients {n}" for n in range(10)]
    assert each.groups[0].rows[-1].cells[1].text == "the program used 0.99 of its 1 CPU"


def heads(*cases: str) -> list[str]:
    """Return how cases that are limited alike are called where there is another one."""
    unknown = Limit(Case.parse("clients=99"), "unknown", subject_cpus=0.5, subject_cpus_allotted=1)
    table, _ = limited(*(replace(cpu(0, 0.99), case=Case.parse(case)) for case in cases), unknown)
    return [row.head for row in table.groups[0].rows]


def test_cases_that_differ_in_one_field_are_called_by_its_levels_and_of_many_it_is_said_how_many() -> None:
    assert heads(*(f"clients={n}" for n in (1, 2, 8))) == ["clients 1, 2 and 8", "clients 99"]
    both = [f"clients={n},operation={each}" for each in ("read", "write") for n in (1, 2)]
    assert heads(*both)[0] == "operation read, clients 1 and 2; operation write, clients 1 and 2"
    assert heads(*(f"bits={n},operation={n}" for n in range(5)))[0] == "5 of 6 cases"
    assert heads(*(f"kernel={n}" for n in "abcdefghijklm"))[0] == "13 of 14 cases"
    assert heads("") == ["all cases", "clients 99"]


def test_of_a_search_page_one_has_what_limited_the_load_that_held_and_not_a_count_of_overloads() -> None:
    result = ANALYSIS.experiments[0]
    overloads = tuple(cpu(n, 0.99) for n in (110, 125, 150, 200))

    def told(*used: float, resource: Resource = "unknown") -> str:
        held = [Limit(AT_CAPACITY, resource, subject_cpus=each, subject_cpus_allotted=1) for each in used]
        own = zip(result.treatments, held, strict=False)
        return limited_sentence(
            replace(result, treatments=tuple(replace(each, limits=(one, *overloads)) for each, one in own))
        )

    assert told(0.8, 0.86) == (
        "At the highest load that held, CPUs in use: 0.80 of 1 (apache-httpd) and 0.86 of 1 (nginx). What limited "
        "them there is not known. Overloaded, both were limited by CPU."
    )
    assert told(0.93, 0.94) == (
        "At the highest load that held, CPUs in use: 0.93 of 1 (apache-httpd) and 0.94 of 1 (nginx), so CPU was "
        "probably the limit. Overloaded, both were limited by CPU."
    )
    assert "is not known" in told(0.93, 0.9), "one of them may have had another limit"
    assert told(0.99, 0.98, resource="cpu") == "Both were limited by CPU."


def test_what_one_sentence_says_whole_has_no_list_beneath() -> None:
    assert limited(*(cpu(n, 0.99) for n in range(9)))[1] is None
    assert limited(*(cpu(n, 0.99) for n in range(9)), Limit(Case.parse("clients=99"), "unknown"))[1] is None
    assert limited(cpu(1, 0.99))[0].groups[0].rows[0].head == "all cases"


def test_on_page_one_cases_limited_unlike_are_named_by_what_tells_them_apart_or_counted_if_they_are_many() -> None:
    def short(*limits: Limit) -> str:
        result = ANALYSIS.experiments[0]
        both = zip(result.treatments, (limits, (cpu(1, 0.99),)), strict=False)
        primary = replace(result.primary, where={"key": ("a",)})
        treatments = tuple(replace(each, limits=own) for each, own in both)
        return limited_sentence(replace(result, treatments=treatments, primary=primary))

    def of(key: str, operation: str, used: float) -> Limit:
        case = Case({"key": key, "operation": operation, "processes": 2})
        return Limit(case, "cpu" if used > 1.9 else "unknown", subject_cpus=used, subject_cpus_allotted=2)

    named = short(*(of(key, each, used) for key, used in (("a", 1.901), ("b", 1.897)) for each in ("sign", "verify")))
    probably = "probably CPU (1.897 to 1.90 of 2 busy; full from 1.90)"
    assert named == f"What limited each: apache-httpd: {probably}; nginx: CPU.", "no figure is both a limit and none"
    far = short(*(of(key, "sign", used) for key, used in (("a", 1.901), ("b", 1.7))))
    assert "apache-httpd: CPU for key a (1.90 of 2), not certain for key b (1.70 of 2; full from 1.90); nginx: " in far
    three = Limit(Case({"key": "a"}), "unknown", subject_cpus=2.1, subject_cpus_allotted=3)
    assert "(2.10 of 3; full from 2.85)" in short(of("b", "sign", 1.95), three)
    static = ANALYSIS.experiments[0]
    one = replace(static, treatments=(replace(static.treatments[0], limits=(of("a", "s", 1.95), of("b", "s", 1.85))),))
    assert limited_sentence(one) == "Probably limited by CPU (1.85 to 1.95 of 2 busy; full from 1.90)."
    many = [of(key, key, 1.95 if key < "f" else 1.8) for key in "abcdefghij"]
    assert short(*many).startswith(
        "What limited each: apache-httpd: CPU in 5 of 10 cases (as in the answer), not certain in 5 of 10 cases; "
    )


USED = Limit(WHOLE_RUN, "unknown", subject_cpus=0.5, subject_cpus_allotted=2)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        (USED, "the program used 0.50 of its 2 CPUs"),
        (replace(USED, driver_share=0.051), "the program used 0.50 of its 2 CPUs, the load generator 5.1 % of its own"),
        (Limit(WHOLE_RUN, "unknown", subject_cpus_allotted=2), "what the program used could not be read"),
        (
            replace(USED, resource="driver", driver_share=0.99),
            "the load generator used 99 % of its CPUs, the program used 0.50 of its 2 CPUs",
        ),
        (
            Limit(WHOLE_RUN, "driver", driver_delay_share=0.061),
            "the load generator was kept from its CPU for 6.1 % of the time",
        ),
        (
            replace(USED, resource="cpu-quota", subject_cpus_allotted=0.5, cpu_quota=0.5, throttled_share=0.9),
            "throttled for a quota of 0.5 CPU; the program used 0.50 of its 0.5 CPUs",
        ),
        (Limit(WHOLE_RUN, "environment", steal_share=0.03), "the hypervisor took 3.0 % of the CPUs in use"),
        (Limit(WHOLE_RUN, "environment", foreign_cpus=0.456), "others used 0.46 CPU"),
        (
            replace(USED, resource="parallelism", at_once=1),
            "the program used 0.50 of its 2 CPUs, all that 1 thread can use",
        ),
        (
            replace(USED, resource="link", link_share=0.95, driver_share=0.2),
            "the link carried 95 % of its rate, of which payload can have 96 %; the program used 0.50 of its 2 CPUs, "
            "the load generator 20 % of its own",
        ),
        (
            replace(USED, resource="disk", disk_wait_share=0.8, disk_bytes_per_s=100e6),
            "all that could run waited for a disk for 80 % of the time, while the machine's disks moved 100 MB/s; "
            "the program used 0.50 of its 2 CPUs",
        ),
        (
            replace(USED, resource="disk", disk_wait_share=0.8),
            "all that could run waited for a disk for 80 % of the time; the program used 0.50 of its 2 CPUs",
        ),
        (
            replace(USED, resource="disk", disk_requests=7.9),
            "7.9 requests to the disks were under way on average; the program used 0.50 of its 2 CPUs",
        ),
    ],
)
def test_each_limit_is_a_sentence_made_from_its_figures(limit: Limit, sentence: str) -> None:
    assert reason(limit).text == sentence


@pytest.mark.parametrize(
    ("reasons", "one"),
    [
        ([Reason("used {} % of 2 CPUs", (each,)) for each in ("9", "51", "20")], "used 9 to 51 % of 2 CPUs"),
        ([Reason("p99 at {}", (each,)) for each in ("3.5", "0.5")], "p99 at 0.5 to 3.5"),
        ([Reason("nothing was read")] * 2, "nothing was read"),
    ],
)
def test_reasons_of_the_same_words_become_one_with_ranges(reasons: list[Reason], one: str) -> None:
    assert merged(reasons) == one


def test_ranges_are_of_values_and_never_of_a_number_in_a_name() -> None:
    table, _ = limited(
        replace(USED, case=Case.parse("size=1"), resource="driver", driver_share=0.97),
        replace(USED, case=Case.parse("size=2"), resource="driver", driver_share=0.99, subject_cpus=1.5),
    )
    (row,) = table.groups[0].rows
    assert (
        row.cells[1].text
        == "the load generator used 97 to 99 % of its CPUs, the program used 0.50 to 1.50 of its 2 CPUs"
    )
