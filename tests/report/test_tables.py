"""Tables and cards: absolute values beside every ratio, nothing shown that too few requests carry."""

import re
from dataclasses import replace

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.analysis.card import MeanPeak
from headtohead.model.analysis.curves import RefusedQuantile
from headtohead.model.analysis.estimates import Key
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.report.document import Items, Section, Table, Text, every_block
from headtohead.report.drawing import axes
from headtohead.report.experiment.bottlenecks.limits import limits_table
from headtohead.report.experiment.treatment_card import card_table
from headtohead.report.study.study_page import study_page
from headtohead.report.text.cpus_and_memory_in_words import cpu_list
from headtohead.report.text.names import case_title, metric_title
from tests.report import pages
from tests.report.sample import ANALYSIS, RECORDING

PAGE = study_page(ANALYSIS, RECORDING, pictures=False)
OTHERS = "Other metrics, exploratory"


def section(name: str) -> Section:
    return pages.section(ANALYSIS, RECORDING, name)


def texts(table: Table | None, head: str) -> list[str]:
    assert table is not None
    row = next(row for group in table.groups for row in group.rows if row.head == head)
    return [cell.text for cell in row.cells]


def test_absolute_values_stand_beside_every_ratio() -> None:
    table = pages.table(section("static-page"), "The numbers")
    assert table.columns == ("nginx against apache-httpd", "apache-httpd", "nginx", "noop (the harness's own limit)")
    for head in ("overall", "connections 10", "connections 100"):
        change, apache, nginx, noop = texts(table, head)
        assert re.fullmatch(r"[2-9]\.\d\dx", change)
        assert all(each[0].isdigit() for each in (apache, nginx, noop))


def test_one_case_alone_is_not_told_twice() -> None:
    assert [group.title for group in pages.table(section("threads"), "The numbers").groups] == [
        "The primary summary, on which the verdict rests"
    ]


def test_a_quantile_that_one_run_cannot_carry_keeps_its_row_with_the_reason() -> None:
    table = pages.table(section("static-page"), OTHERS)
    group = next(each for each in table.groups if each.title.startswith("response time at saturation, p99.9"))
    assert {cell.text for row in group.rows for cell in row.cells} == {"\u2013"}
    (row,) = group.rows
    assert row.head == "all cases"
    assert row.small.startswith("not shown: needs 100,000 requests per run, the smallest run had ")


def test_what_cannot_be_read_is_not_visible_and_never_zero() -> None:
    card = pages.table(section("rsa"), "As measured")
    assert set(texts(card, "Mean clock")) == {"not visible"}
    assert set(texts(card, "Network received")) == {"not visible"}
    assert set(texts(card, "Disk read")) == {"0 B/s, peak 0 B/s"}


def test_a_card_has_no_lines_of_a_load_generator_or_a_network_that_no_setup_used() -> None:
    result = next(each for each in ANALYSIS.experiments if each.name == "rsa")
    unused = heads(result, network_sent_bytes_per_s=MeanPeak(0.0, 0.0))
    assert "Network sent" not in unused
    assert "Network received" in unused, "it is not visible: that is not zero"
    assert not [head for head in unused if "oad generator" in head]
    driven = heads(result, network_sent_bytes_per_s=MeanPeak(0.0, 0.0), driver_cpus=(1,))
    assert "Network sent" in driven
    assert [head for head in driven if "oad generator" in head]


def heads(result: ExperimentResult, **changes: object) -> list[str]:
    """Return the titles and heads of the cards if they had other values."""
    cards = [each.card and replace(each.card, **changes) for each in result.treatments]  # type: ignore[arg-type]
    changed = tuple(replace(each, card=card) for each, card in zip(result.treatments, cards, strict=True))
    table = card_table(replace(result, treatments=changed))
    assert table is not None
    return [head for group in table.groups for head in (group.title, *(row.head for row in group.rows))]


def test_cases_limited_alike_stand_together() -> None:
    table = limits_table(ANALYSIS.experiments[0])
    assert table is not None
    assert [[row.head for row in group.rows] for group in table.groups] == [["all cases"]] * 3


def test_every_run_is_listed_and_the_invalid_one_with_its_reason() -> None:
    found = next(each for each in PAGE.sections if each.title == "Every run")
    bad, *runs = [each for each in every_block(found.blocks) if isinstance(each, Table)]
    assert sum(table.rows for table in runs) == len(RECORDING.runs)
    assert [cell.text for cell in bad.groups[0].rows[0].cells][1:] == [
        "nginx",
        "2",
        "invalid",
        "foreign CPU 0.31 in connections=100 (limit 0.10)",
    ]


def test_response_times_of_a_closed_loop_are_those_at_saturation() -> None:
    assert metric_title("response_time_p99_ns", loop="closed") == "response time at saturation, p99"
    assert metric_title("response_time_p99_ns", loop="open") == "response time (open loop, Poisson arrivals), p99"


def test_a_shared_driver_is_named_beside_the_numbers() -> None:
    first, *others = RECORDING.plan.experiments
    plan = replace(RECORDING.plan, experiments=(replace(first, share_driver=True), *others))
    result = ANALYSIS.experiments[0]
    shares = (0.031, 0.042, None)
    cards = [
        replace(each, card=replace(each.card, driver_cpus=(0,), driver_of_subject_share=share))
        for each, share in zip(result.treatments, shares, strict=True)
        if each.card
    ]
    shared = replace(ANALYSIS, experiments=(replace(result, treatments=tuple(cards)),))
    about = pages.section(shared, replace(RECORDING, plan=plan)).blocks[0]
    assert isinstance(about, Text)
    assert "load generator shared the program's CPUs, at most 4.2 %" in about.text


def test_cases_and_cpus_are_written_as_people_write_them() -> None:
    assert case_title(Case.parse("bits=2048,operation=sign")) == "bits 2048, operation sign"
    assert cpu_list((0, 1, 2, 3, 8)) == "0-3, 8"


@pytest.mark.parametrize(("width", "step"), [(100.0, 20.0), (7.0, 2.0), (0.4, 0.1), (0.0, 1.0)])
def test_steps_of_an_axis_are_round(width: float, step: float) -> None:
    assert axes.nice_step(width, most=5) == pytest.approx(step)


def test_a_quantile_that_is_refused_in_one_case_has_the_reason_there_and_values_in_the_other() -> None:
    result, few = ANALYSIS.experiments[0], Case({"connections": 10})
    key = Key(few, "response_time_p99_ns")
    bare = [replace(each, cells=tuple(cell for cell in each.cells if cell.key != key)) for each in result.treatments]
    refused = tuple(RefusedQuantile(*key, arm, 10_000, had) for arm, had in (("nginx", 9_320), ("apache-httpd", 4_211)))
    analysis = replace(ANALYSIS, experiments=(replace(result, treatments=tuple(bare), refused=refused),))
    table = pages.table(pages.section(analysis, RECORDING), OTHERS)
    group = next(each for each in table.groups if each.title.startswith("response time at saturation, p99,"))
    ten, hundred = group.rows
    assert (ten.head, hundred.head) == ("connections 10", "connections 100")
    assert ten.small == "not shown: needs 10,000 requests per run, the smallest run had 4,211"
    assert {cell.text for cell in ten.cells[1:3]} == {"\u2013"}
    assert not hundred.small
    assert all(cell.text[0].isdigit() for cell in hundred.cells[1:3])


def test_a_figure_that_the_loop_does_not_have_is_not_blamed_on_few_requests() -> None:
    first, *others = RECORDING.plan.experiments
    lag = replace(first.metrics["response_time_p999_ns"], name="send_lag_p999_ns")
    asked = replace(first, metrics={**first.metrics, lag.name: lag})
    recording = replace(RECORDING, plan=replace(RECORDING.plan, experiments=(asked, *others)))
    result = analyze(recording).experiments[0]
    assert {each.metric for each in result.refused} == {"response_time_p999_ns"}
    table = pages.table(pages.section(replace(ANALYSIS, experiments=(result,)), recording), OTHERS)
    assert not [each.title for each in table.groups if "send lag" in each.title]


def test_a_note_of_plan_and_analysis_is_told_once() -> None:
    result = replace(ANALYSIS.experiments[0], notes=("One note.", "One note."))
    found = pages.section(replace(ANALYSIS, experiments=(result,)), RECORDING)
    (notes,) = [each for each in pages.below(found, "Notes of the plan") if isinstance(each, Items)]
    assert notes.lines.count("One note.") == 1
