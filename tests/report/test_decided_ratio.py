"""One quantity has one value, one interval, one form and one name, wherever the report shows it."""

import re
from dataclasses import replace

from headtohead.analyze.study import analyze
from headtohead.model.analysis.comparison import Exploratory
from headtohead.model.analysis.estimates import Cell, Estimate, Interval
from headtohead.model.analysis.sweeps import Growth, Scaling
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.machine.host import Fact
from headtohead.model.machine.topology import Shares
from headtohead.model.record import Setting
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Table
from headtohead.report.experiment.configuration import configuration_tables
from headtohead.report.experiment.reuse_interval_of_decided_ratio import ratio_of, with_ratio
from headtohead.report.experiment.scaling import growth_table
from headtohead.report.experiment.treatment_card import card_table
from headtohead.report.experiment.values.other_metrics import others_table
from headtohead.report.experiment.values.rows_and_columns import columns_of, ratio_columns
from headtohead.report.machine.machine_facts import fact_tables
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.undetectable_effects import SAME_BY_STALLS, stalls
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.ratios import changes
from tests.report import pages
from tests.report.facts import FACTS
from tests.report.sample import ANALYSIS, RECORDING

MIB = 2**20


def copies() -> ExperimentContext:
    """Return that each of two copies does 0.979 as much, and what both do in all as two other analyses have it."""
    shown = pages.experiment(ANALYSIS, RECORDING, "kernel-sweep")
    (pair,) = shown.result.comparisons
    decided = Estimate(0.979, Interval(0.958, 1.002, 0.972), 10)
    total = Exploratory(WHOLE_RUN, "total", Estimate(1.958, Interval(1.88, 2.04, 0.998), 10), 0.01)
    grown = Scaling("copies", 1, 2, 0.958, Interval(0.91, 1.01, 0.95), 1.0, 0.979, None)
    result = replace(
        shown.result,
        metric=replace(shown.result.metric, per="copies"),
        comparisons=(replace(pair, verdict="inconclusive", ratio=decided, exploratory=(total,)),),
        growth=(Growth("total", pair.baseline, pair.other, {"subject": "c-kernels"}, grown),),
    )
    return replace(shown, result=result)


def test_what_copies_do_in_all_has_one_interval_on_page_one_and_in_every_table() -> None:
    shown = copies()
    (pair,) = shown.result.comparisons
    ratio = ratio_of(shown, pair, metric="total", case=WHOLE_RUN)
    assert ratio is not None
    assert changes(ratio) == ("+96 %", "[+91 %, +100 %]")
    assert dict(card_lines(shown.in_words()))["Together"].startswith(
        "2 copies together do 1.96x the work of 1 copy (each copy's figure times 2; interval 1.91x to 2.00x)"
    )
    table = growth_table(shown)
    assert table is not None
    assert table.groups[0].rows[0].cells[2].small == "[+91 %, +100 %]"
    total = Cell(WHOLE_RUN, "total", Estimate(3570.0, Interval(3410.0, 3730.0, 0.95), 10))
    treatments = tuple(replace(each, cells=(*each.cells, total)) for each in shown.result.treatments)
    others = others_table(replace(shown, result=replace(shown.result, treatments=treatments)))
    assert others is not None
    (row,) = [row for group in others.groups for row in group.rows if group.title.startswith("total")]
    assert row.small == "ratio as decided, at 97.2 %", "the note below has the level of the exploratory ones"


def test_another_quantity_of_the_same_setups_keeps_its_own_interval() -> None:
    shown = copies()
    (pair,) = shown.result.comparisons
    (total,) = pair.exploratory
    other = replace(total, ratio=replace(total.ratio, value=1.9))
    assert ratio_of(shown, replace(pair, exploratory=(other,)), metric="total", case=WHOLE_RUN) == other.ratio
    assert ratio_of(shown, pair, metric="unknown", case=WHOLE_RUN) is None
    assert ratio_of(shown, pair, metric=shown.result.primary.name, case=WHOLE_RUN) == pair.ratio
    gain = shown.result.growth[0].scaling
    assert with_ratio(gain, None) == gain


def test_ratios_of_one_group_are_all_factors_if_one_of_them_is() -> None:
    near = Estimate(1.96, Interval(1.29, 3.06, 0.97), 6)
    assert changes(near) == ("+96 %", "[+29 %, +206 %]")
    assert changes(near, as_factors=True) == ("1.96x", "[1.29x, 3.06x]")
    assert changes(replace(near, value=2.01))[0] == "2.01x"


def test_memory_is_one_number_on_page_one_and_in_the_card_of_the_setup() -> None:
    shown = pages.experiment(ANALYSIS, RECORDING)
    table = card_table(shown.result)
    assert table is not None
    row = next(row for group in table.groups for row in group.rows if row.head == "Memory used, peak")
    cost = dict(card_lines(shown))["Peak memory"]
    assert all(cell.text in cost for cell in row.cells[:2])


def test_what_cpus_of_a_virtual_machine_share_is_the_word_of_its_hypervisor() -> None:
    shown = pages.experiment(ANALYSIS, RECORDING)
    two = Shares(cpus=2, cores=2, threads=1, packages=1, caches=1, cache_level=3, nodes=(0,))
    placed = tuple(replace(each, card=replace(each.card, shares=two)) for each in shown.result.treatments if each.card)
    for virtual, text in (
        (False, "two cores of one package, one L3 cache"),
        (True, ", as the hypervisor presents them"),
    ):
        table = card_table(replace(shown.result, treatments=placed), virtual=virtual)
        assert table is not None
        row = next(row for group in table.groups for row in group.rows if row.head == "CPUs of the program")
        assert row.cells[0].small.endswith(text)
    assert shown.virtual, "the sample's machine is one"


def test_cpu_in_interrupts_is_not_to_be_added_to_that_of_the_processes() -> None:
    table = card_table(ANALYSIS.experiments[0])
    assert table is not None
    heads = [row.head for group in table.groups for row in group.rows]
    assert "Of all CPU: in interrupts" in heads
    assert "Do not add interrupts" in table.note


def test_settings_without_a_known_default_have_no_empty_column() -> None:
    static = ANALYSIS.experiments[0]
    (nginx,) = [each for each in static.treatments if each.label == "nginx"]
    assert nginx.card is not None

    def columns(*settings: Setting) -> tuple[str, ...]:
        assert nginx.card is not None
        card = replace(nginx.card, configuration=settings)
        (table,) = configuration_tables(replace(static, treatments=(replace(nginx, card=card),)))
        return table.columns

    assert columns(Setting("daemon", "off", "")) == ("Value",)
    assert columns(Setting("daemon", "off", ""), Setting("workers", "1", "2")) == ("Value", "Default")


def test_two_totals_of_memory_are_explained_where_both_are_shown() -> None:
    node = Fact("numa", "node0 memory", 6000 * MIB, "B", "meminfo")
    host = replace(FACTS, facts=(*FACTS.facts, node))
    (table,) = [each for each in fact_tables(host) if each.caption == "NUMA"]
    assert "7.76 GiB in all (MemTotal, as at the head of the page), and 5.86 GiB that its nodes" in table.note
    alike = replace(host, facts=(*FACTS.facts, replace(node, value=8330301440)))
    assert [each.note for each in fact_tables(alike) if each.caption == "NUMA"] == [""]


def test_the_report_calls_setups_programs_and_the_load_generator_by_one_name_each() -> None:
    page = pages.markdown(ANALYSIS, RECORDING).partition("## The machine")[0]
    assert re.findall(r"(?i).*\b(?:treatments?|subjects?|drivers?)\b.*", page) == []
    assert metric_title("subject_cpu_ns_per_answer") == "CPU time per response"
    assert metric_title("driver_delay_s") == "load generator delay"
    assert "Labels: openssl cpus=1 is OpenSSL speed on 1 CPU;" in page


def test_a_verdict_of_the_same_says_how_often_stalls_hide_a_difference() -> None:
    static = ANALYSIS.experiments[0]
    (pair,) = static.comparisons
    same = replace(ANALYSIS, experiments=(replace(static, comparisons=(replace(pair, verdict="same"),)),))
    ((_, text),) = stalls(same, RECORDING)
    assert text.endswith(SAME_BY_STALLS)
    ((_, other),) = stalls(replace(ANALYSIS, experiments=(static,)), RECORDING)
    assert SAME_BY_STALLS not in other
    assert analyze(RECORDING).experiments[0].comparisons[0].verdict == "better"


def test_metrics_that_never_vary_and_service_times_that_are_response_times_have_a_sentence_each() -> None:
    shown = copies()
    case = Case({"connections": 10})

    def cell(metric: str, value: float) -> Cell:
        return Cell(case, metric, Estimate(value, Interval(value, value, 0.95), 6))

    named = {"error_share": 0.0, "response_time_p50_ns": 2e6, "service_time_p50_ns": 2.001e6, "concurrency_mean": 1.0}

    def table(**others: float) -> Table:
        cells = tuple(cell(*each) for each in {**named, **others}.items())
        first, *rest = shown.result.treatments
        apart = replace(cell("concurrency_mean", 2.0))
        slower = tuple(cell(each.metric, 2 * each.estimate.value) for each in cells[:3])
        arms = (replace(first, cells=(*slower, apart)), *(replace(each, cells=cells) for each in rest))
        found = others_table(replace(shown, result=replace(shown.result, treatments=arms)))
        assert found is not None
        return found

    found = table()
    titles = " ".join(each.title for each in found.groups)
    assert "concurrency" in titles
    assert not any(each in titles for each in ("error share", "service time"))
    assert "The same everywhere: error share 0" in found.note
    assert "Service times are the response times" in found.note
    waited = table(service_time_p50_ns=1.9e6)
    assert "service time" in " ".join(each.title for each in waited.groups)
    at_the_tail = table(response_time_p99_ns=9e6, service_time_p99_ns=3e6)
    assert [each.title.split(",")[1] for each in at_the_tail.groups if "service time" in each.title] == [" p50", " p99"]
    assert "Service times are" not in at_the_tail.note, "at one quantile requests waited"


def test_the_columns_that_decide_are_those_of_ratios() -> None:
    result = copies().result
    assert [columns_of(result)[each] for each in ratio_columns(result)] == [
        f"{each.other} against {each.baseline}" for each in result.comparisons
    ]
