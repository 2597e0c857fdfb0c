"""What the report says of databases: the tables of a sweep, who works in process, what was in force, whose answers."""

from dataclasses import replace
from functools import cache

import pytest

from headtohead.analyze.breakdown.query_times import query_times
from headtohead.analyze.study import analyze
from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.record import LoadRecord, Recorded, Recording, Setting
from headtohead.model.study.workload import SEARCH, Load
from headtohead.report.document import Section, Table, Text
from headtohead.report.experiment.configuration import changed_only
from headtohead.report.study.explain_words_metrics_and_loops import loop_sentence
from headtohead.report.study.page_one.conclusion import conclusion
from headtohead.report.text.names import loop_of, metric_title, summary_of
from tests.analyze.building import GOODPUT, plan, recording
from tests.analyze.sweeps import AT, CONNECTIONS, engine, sweeping, walked
from tests.report import pages
from tests.report.test_html import read

SWEEP = sweeping(engine("mariadb"), engine("postgresql"))
RATES = {
    "mariadb": (200.0, 260.0, 320.0, 340.0, 345.0, 330.0, 310.0),
    "postgresql": (100.0, 180.0, 300.0, 400.0, 410.0, 405.0, 390.0),
}
MEAN = Metric("response_time_mean_ns", "the mean time", "ns", "lower", ("faster", "slower"), "load")
QUERIES = ("query-2", "query-3", "top-50")


def made(of: PlannedExperiment, runs: list[Recorded]) -> tuple[Analysis, Recording]:
    found = recording(runs, of=plan(of, titles={each.subject: each.subject for each in of.treatments}))
    return analyze(found), found


def section(of: PlannedExperiment, runs: list[Recorded], *, pictures: bool = False) -> Section:
    return pages.section(*made(of, runs), pictures=pictures)


@cache
def drawn() -> Section:
    """Return the section of the sweep with its pictures."""
    return section(SWEEP, walked(SWEEP, RATES), pictures=True)


def values(found: Section) -> Table:
    return pages.table(found, "The numbers")


def about(found: Section) -> str:
    (first, *_) = found.blocks
    assert isinstance(first, Text)
    return first.text


def cells(table: Table, head: str) -> list[str]:
    row = next(row for group in table.groups for row in group.rows if row.head == head)
    return [f"{cell.text} {cell.small}".rstrip() for cell in row.cells]


def test_the_levels_come_first_and_beneath_them_what_they_come_to() -> None:
    table = values(drawn())
    assert table.corner == "Connections"
    heads = [[row.head for row in group.rows] for group in table.groups]
    assert heads == [[str(each) for each in CONNECTIONS], ["average 5 to 50"], ["maximum", "maximum at"]]
    assert table.groups[1].rows[0].mark == "decides"
    assert cells(table, "10")[0].startswith("+18 %")
    assert cells(table, "10")[1].startswith("340 [")


def test_the_level_of_the_maximum_is_told_as_it_is_written_and_without_a_ratio() -> None:
    assert cells(values(drawn()), "maximum at") == ["\u2013", "20 [20, 20]", "20 [20, 20]"]
    unsteady = section(SWEEP, walked(SWEEP, RATES, step=0.02))
    assert cells(values(unsteady), "maximum at")[1] == "20 [10, 35]"


def test_what_stands_in_the_sweep_s_table_does_not_stand_among_the_other_metrics() -> None:
    others = [each for each in pages.below(drawn(), "Other metrics, exploratory") if isinstance(each, Table)]
    told = [group.title for table in others for group in table.groups]
    assert not [each for each in told if "maximum" in each]


def test_a_level_s_summary_says_what_it_is() -> None:
    assert summary_of(AT) == "the connections with the highest correct responses, of all cases"


def test_who_overtakes_whom_is_told_between_two_levels_with_both_ratios() -> None:
    table = pages.table(drawn(), "Who overtakes whom")
    told = cells(table, "postgresql")
    assert told[:2] == ["mariadb", "5 and 10"]
    assert told[2].startswith("-6")
    assert told[3].startswith("+18 % [")


def test_what_is_not_shown_says_so() -> None:
    same = RATES["mariadb"]
    near = {"mariadb": same, "postgresql": [rate * (1.001 if k > 3 else 0.999) for k, rate in enumerate(same)]}
    table = pages.table(section(SWEEP, walked(SWEEP, near, step=0.01)), "Who overtakes whom")
    (row,) = table.groups[0].rows
    assert row.cells[1].text == "not shown"


def test_a_sweep_has_a_chart_of_its_levels_in_place_of_a_bar_for_each() -> None:
    wide = [chart.wide for chart in pages.figures(drawn())]
    assert sum("Correct responses over connections" in each for each in wide) == 1
    values = next(each for each in wide if "Correct responses of each" in each)
    assert "Connections 10" not in values


def test_two_cpus_against_one_have_a_column_for_each_pair_and_a_row_for_each_level() -> None:
    arms = [engine(name, cpus, varies=True) for name in ("mariadb", "postgresql") for cpus in (1, 2)]
    of = sweeping(*arms)
    rates = {each.label: [e * (1.5 if "cpus=2" in each.label else 1.0) for e in RATES[each.subject]] for each in arms}
    table = pages.table(section(of, walked(of, rates)), "Scaling")
    assert table.columns == ("mariadb: 2 against 1 CPU", "postgresql: 2 against 1 CPU")
    gains, reached = table.groups
    names = [*map(str, CONNECTIONS), "average 5 to 50", "maximum"]
    assert [row.head for row in gains.rows] == [*names, "ideal"]
    assert [row.head for row in reached.rows] == names
    assert gains.rows[2].cells[0].text.startswith("+50")
    assert reached.rows[2].cells[0].text.startswith("75")
    assert reached.rows[2].cells[0].small.startswith("[7")
    assert gains.rows[-1].cells[0].text == "+100 %"


def mining() -> tuple[PlannedExperiment, list[Recorded]]:
    overall = Summary("overall", "goodput_per_s", "geometric-mean", {})
    of = sweeping(
        engine("mariadb"),
        engine("duckdb"),
        cases=tuple({"connections": 1, "query": each} for each in QUERIES),
        load=Load("closed", {"connections": (1,), "query": QUERIES}, {"requests": 3}, warm_up_s=1, measure_s=3),
        primary=overall,
        summaries=(overall,),
        metrics={each.name: each for each in (GOODPUT, MEAN)},
        asks="sql/weblog-v1",
    )
    runs = walked(of, {"mariadb": (0.25, 0.5, 0.125), "duckdb": (20.0, 50.0, 10.0)})
    return of, [_with_times(each) for each in runs]


def _with_times(each: Recorded) -> Recorded:
    """Return the run with the mean response time that its rates come to, one query at a time."""
    records = tuple(
        replace(record, right=3, values={**record.values, MEAN.name: 1e9 / (record.values["goodput_per_s"] or 1.0)})
        for record in loads(each)
    )
    return replace(each, records=records)


def loads(each: Recorded) -> list[LoadRecord]:
    return [record for record in each.records if isinstance(record, LoadRecord)]


def of_kinds(each: Recorded, **mean_ns: float) -> Recorded:
    """Return the run with kinds of queries in all of its records."""
    kinds = {name: {"sent": 30.0, "response_time_mean_ns": told} for name, told in mean_ns.items()}
    return replace(each, records=tuple(replace(record, queries=kinds) for record in loads(each)))


def test_data_mining_is_told_in_seconds_a_query() -> None:
    table = pages.table(section(*mining()), "Seconds a query")
    assert table.columns == ("mariadb", "duckdb")
    assert [row.head for row in table.groups[0].rows] == list(QUERIES)
    assert cells(table, "query-2")[0].startswith("4.0")
    assert cells(table, "query-2")[1].startswith("0.05")


def test_each_kind_of_query_of_a_mix_is_told_where_one_is_asked_at_a_time() -> None:
    runs = [of_kinds(each, index=2e6, thread=5e5) for each in walked(SWEEP, RATES)]
    table = pages.table(section(SWEEP, runs), "Each kind of query")
    assert table.caption == "Mean response time of each kind of query, connections 1, ms"
    assert [row.head for row in table.groups[0].rows] == ["index", "thread"]
    assert cells(table, "thread")[0].startswith("0.500 [")


def test_what_follows_for_a_choice_is_of_the_mix_of_queries_measured() -> None:
    runs = walked(SWEEP, {**RATES, "postgresql": tuple(2 * each for each in RATES["mariadb"])})
    for own, of_a_mix in ((runs, False), ([of_kinds(each, index=2e6, thread=5e5) for each in runs], True)):
        lines = [line for each in conclusion(*made(SWEEP, own)) for line in each.lines]
        assert any("postgresql rather than mariadb" in line for line in lines), lines
        assert any("with this mix of queries" in line for line in lines) is of_a_mix, lines
    analysis, recording = made(SWEEP, runs)
    (of,) = recording.plan.experiments
    assert of.load is not None
    searching = replace(of, load=replace(of.load, settings={"rate_per_s": SEARCH}))
    planned = replace(recording, plan=replace(recording.plan, experiments=(searching,)))
    lines = [line for each in conclusion(analysis, planned) for line in each.lines]
    assert any("with this mix of queries" in line for line in lines), "a search tells no kinds apart"


def test_a_kind_has_its_share_of_the_correct_responses_over_all_runs() -> None:
    right = {"index": 24.0, "thread": 1.0}
    counted = {name: {"right": right[name], "response_time_mean_ns": 1e6} for name in right}
    runs = [
        replace(each, records=tuple(replace(record, queries=counted) for record in loads(each)))
        for each in walked(SWEEP, RATES)
    ]
    for runs_of, shares in ((runs, [0.96, 0.04]), ([of_kinds(each, a=1.0, b=2.0) for each in runs], [None, None])):
        assert [each.share for each in query_times(SWEEP, runs_of)] == shares


def test_a_case_of_one_query_alone_has_no_table_of_kinds() -> None:
    of, runs = mining()
    alone = [of_kinds(each, **{"query-2": 2e6}) for each in runs]
    assert "Each kind of query" not in pages.titles(section(of, alone))


def test_a_case_s_row_says_what_tells_it_from_the_others() -> None:
    assert [row.head for row in values(section(*mining())).groups[1].rows] == list(QUERIES)


def test_equal_answers_are_said_to_be_so_and_against_what_they_were_held() -> None:
    told = about(section(*mining()))
    assert "in the workload's sample the rows themselves were compared" in told
    assert told.endswith(
        "Of 108 results that count none had a wrong number of rows, and none of the sample wrong rows."
    )


def test_nothing_is_said_of_answers_where_no_run_counts_and_where_no_queries_are_asked() -> None:
    of, runs = mining()
    bad = [replace(each, run=replace(each.run, status="invalid")) for each in runs]
    assert "generator" not in about(section(of, bad))
    assert "generator" not in about(section(replace(of, asks="http/static-v1"), runs))


def test_one_query_at_a_time_is_no_saturation() -> None:
    load = mining()[0].load
    assert metric_title(MEAN.name, loop=loop_of(load)) == "response time (one at a time), mean"
    assert "one request at a time" in loop_sentence(load)
    assert loop_of(SWEEP.load) == "closed"


def test_who_works_in_process_is_told_with_what_that_means() -> None:
    of, runs = mining()
    alone = [replace(each, run=replace(each.run, in_process=each.run.label == "duckdb")) for each in runs]
    found = section(of, alone)
    assert "duckdb works in process" in about(found)
    assert "counts as its own work" in about(found)
    assert cells(pages.table(found, "As measured"), "CPUs of the load generator") == [
        "1 (1)",
        "in process: counted as the program's",
    ]


TOLD = (
    Setting("buffer_pool", "2G", "128M"),
    Setting("log", "OFF", "OFF"),
    Setting("<script>", "1"),
    Setting("libraries", ""),
)


def configured() -> Section:
    of, runs = mining()
    prepared: dict[str, dict[str, Scalar]] = {"mariadb": {"load_s": 41.52, "made_at": "2026-11-20T09:00:00Z"}}

    def told(each: Recorded) -> Recorded:
        return replace(each, run=replace(each.run, prepared=prepared), configuration=TOLD)

    return section(of, [told(each) if each.run.label == "mariadb" else each for each in runs])


def test_the_card_holds_load_time_and_how_much_of_the_configuration_differs() -> None:
    card = pages.table(configured(), "As measured")
    assert cells(card, "Data loaded in") == ["41.5 s", ""]
    assert cells(card, "Configuration") == ["1 of 4 settings differ from their defaults", ""]


def test_a_card_without_data_and_configuration_has_no_empty_lines_for_them() -> None:
    card = pages.table(section(*mining()), "As measured")
    heads = {row.head for group in card.groups for row in group.rows}
    assert not heads & {"Configuration", "Data loaded in"}


def test_the_whole_configuration_is_there_what_differs_first() -> None:
    table = pages.table(configured(), "Configuration of mariadb")
    assert table.caption == "Configuration of mariadb"
    assert [(group.title, [row.head for row in group.rows]) for group in table.groups] == [
        ("Different from the default", ["buffer_pool"]),
        ("As by default", ["log"]),
        ("Defaults were not recorded", ["<script>"]),
        ("Empty, with no default recorded", ["libraries"]),
    ]
    assert cells(table, "buffer_pool") == ["2G", "128M"]


def test_pages_that_fold_nothing_leave_out_what_is_as_by_default() -> None:
    table = pages.table(configured(), "Configuration of mariadb")
    short = changed_only(table)
    assert [group.title for group in short.groups] == ["Different from the default", "Defaults were not recorded"]
    assert short.note == (
        "Settings left out: 1 as by default and 1 empty. See report.html, or configuration.tsv of a run."
    )


def test_a_configuration_that_an_earlier_question_has_is_not_listed_again() -> None:
    of, runs = mining()
    one = plan(of)
    two = replace(one, experiments=(*one.experiments, replace(one.experiments[0], name="again")))
    every = [replace(each, configuration=TOLD) for each in runs]
    every += [replace(each, run=replace(each.run, experiment="again", run=each.run.run + 100)) for each in every]
    found = recording(every, of=two)
    text = pages.markdown(analyze(found), found)
    first, again = text.split("### Configuration of ")[1:3]
    assert "buffer" in first
    assert "As in question 1." in again
    assert "buffer" not in again.split("###")[0]


def test_a_setting_is_text_in_every_format() -> None:
    of, runs = mining()
    analysis, found = made(of, [replace(each, configuration=TOLD) for each in runs])
    page = pages.html(analysis, found)
    assert "<script>1" not in page
    assert "&lt;script&gt;" in page
    assert read(page).open == []
    assert "\\<script\\>" in pages.markdown(analysis, found)


@pytest.mark.parametrize("sweep", ["", "connections"])
def test_results_of_before_sweeps_are_shown_as_they_were(sweep: str) -> None:
    analysis, found = made(SWEEP, walked(SWEEP, RATES))
    plain: ExperimentResult = replace(analysis.experiments[0], sweep=sweep, overtakings=())
    table = values(pages.section(replace(analysis, experiments=(plain,)), found))
    assert (table.corner == "Case") == (sweep == "")
