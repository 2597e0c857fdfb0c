"""Page one: what was measured, how sure that is, what limited it, what it cost, and what went wrong meanwhile."""

import math
import re
from dataclasses import replace

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.analysis.comparison import Exploratory, Shift, Verdict
from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.estimates import Cell, Estimate, Interval
from headtohead.model.analysis.limit import Limit
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import Scalar
from headtohead.model.record import Setting
from headtohead.model.rules import TYPICAL_ERROR
from headtohead.model.study.subject import BATCH_RACE
from headtohead.model.study.workload import Load
from headtohead.report.context import StudyContext
from headtohead.report.experiment.configuration import configured_line
from headtohead.report.experiment.runs.runs_table import run_points
from headtohead.report.experiment.scaling import growth_table
from headtohead.report.study.intervals_and_error_rates import LIKE_THESE, claim_sentence, method_sentences
from headtohead.report.study.page_one.answer_with_badge import answer
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.card.how_sure import servers_sentence
from headtohead.report.study.page_one.doubts import graded_of
from headtohead.report.study.page_one.masthead import masthead, trust_line
from headtohead.report.terminal import summary
from headtohead.report.text.numbers.ratios import gains
from headtohead.report.text.verdicts import verdict_text
from headtohead.report.text.wording import MOST_JOINED as MOST_IN_A_LINE
from tests.report import pages
from tests.report.sample import ANALYSIS, RECORDING
from tests.report.test_suite import study as suite_study

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

STATIC = ANALYSIS.experiments[0]
(BUSY,) = STATIC.findings
APACHE, NGINX, NOOP = STATIC.treatments


def told(result: ExperimentResult) -> dict[str, str]:
    (context,) = StudyContext(replace(ANALYSIS, experiments=(result,)), RECORDING).experiments
    return dict(card_lines(context.in_words()))


def compared(low: float, value: float, high: float, **changes: object) -> ExperimentResult:
    ratio = Estimate(value, Interval(low, high, 0.964), 6)
    pair = replace(STATIC.comparisons[0], ratio=ratio, **changes)  # type: ignore[arg-type]
    return replace(STATIC, comparisons=(pair,))


def test_every_answer_says_why_at_which_cost_and_how_sure_it_is() -> None:
    for each in ANALYSIS.experiments:
        assert {"Why", "How sure"} <= set(told(each))
    assert "Peak memory" in told(STATIC)


def test_a_summary_of_three_questions_fits_a_terminal_of_40_lines() -> None:
    three = replace(ANALYSIS, experiments=ANALYSIS.experiments[:3])
    lines = summary.render(three, RECORDING).splitlines()
    assert lines[0] == ANALYSIS.title
    assert len(lines) <= 40


def test_a_limit_that_varies_as_far_as_the_fastest_setup_is_a_doubt_with_how_near_that_is() -> None:
    assert (APACHE.primary, NGINX.primary, NOOP.primary, NOOP.card) != (None,) * 4
    assert NGINX.primary is not None
    assert NOOP.card is not None
    assert graded_of(replace(STATIC, findings=())) == (), "far below the limit"
    value = NGINX.primary.value
    limit = Estimate(1.25 * value, Interval(0.9 * value, 1.7 * value, 0.95), 6)
    near = replace(NOOP, primary=limit, card=replace(NOOP.card, typical_error=0.186))
    result = replace(STATIC, treatments=(APACHE, NGINX, near), findings=())
    (doubt,) = graded_of(result)
    assert doubt.says.startswith("noop, the limit, varies by 19 % (64,")
    assert doubt.says.endswith("/s); nginx at 80 % may be held back.")
    assert doubt.says in pages.markdown(replace(ANALYSIS, experiments=(result,)), RECORDING)
    assert "noop, the limit" in summary.render(replace(ANALYSIS, experiments=(result,)), RECORDING)
    lower = replace(result, metric=replace(result.metric, better="lower"))
    assert graded_of(lower) == ()


def test_a_time_whose_interval_is_wide_has_it() -> None:
    wide = tuple(
        replace(cell, estimate=replace(cell.estimate, interval=Interval(4e6, 17.5e6, 0.95)))
        if (cell.metric, cell.case) == ("response_time_p99_ns", Case({"connections": 100}))
        else cell
        for cell in APACHE.cells
    )
    result = replace(STATIC, treatments=(replace(APACHE, cells=wide), NGINX))
    text = told(result)["Response time"]
    assert "within 8.33 ms (Apache HTTP Server, interval 4.00 to 17.5); 3.03 ms (nginx)." in text


def test_the_harnesss_own_limit_is_no_setup_of_page_one() -> None:
    assert not [text for text in told(STATIC).values() if "noop" in text]


def test_how_sure_names_confidence_blocks_and_the_span_of_time() -> None:
    assert told(compared(3.7, 4.42, 5.28))["How sure"] == (
        "95 % interval; nginx ahead in 6 of 6 blocks (one run of each setup) in 3 min 9 s."
    )
    (pair,) = STATIC.comparisons
    behind = replace(STATIC, comparisons=(replace(pair, blocks=(0.9, 0.8, 0.7, 1.2, 0.9, 0.8)),))
    assert "; Apache HTTP Server ahead in 5 of 6 blocks" in told(behind)["How sure"]
    lower = replace(behind, metric=replace(behind.metric, better="lower"))
    assert "; nginx ahead in 5 of 6 blocks" in told(lower)["How sure"]
    tied = replace(STATIC, comparisons=(replace(pair, blocks=(0.9, 0.8, 0.7, 1.2, 1.1, 1.3)),))
    assert "; each ahead in 3 of 6 blocks" in told(tied)["How sure"]
    copies = ANALYSIS.experiments[2]
    (of_each,) = copies.comparisons
    metric = replace(copies.metric, per="copies")
    slower = replace(copies, metric=metric, comparisons=(replace(of_each, blocks=(0.9, 0.8, 0.7, 1.2, 0.9, 0.8)),))
    assert "each of 2 copies, on average, slower than 1 copy alone in 5 of 6 blocks" in told(slower)["How sure"]
    two = replace(STATIC, comparisons=(pair, pair))
    assert told(two)["How sure"].startswith("95 % for both ratios together; 6 blocks (")
    first = pages.markdown(ANALYSIS, RECORDING).partition("## What to do")[0]
    assert first.count("(one run of each setup)") == 1, "on the first card"


def test_setups_that_differ_in_another_factor_than_copies_are_not_each_of_several() -> None:
    copies = ANALYSIS.experiments[2]
    (pair,) = copies.comparisons
    metric = replace(copies.metric, per="copies")
    named = tuple(
        replace(each, label=f"kernels with compiler {name}")
        for each, name in zip(copies.treatments, ("gcc", "clang"), strict=True)
    )
    labels = {"baseline": named[0].label, "other": named[1].label}
    for factor, several in (("copies", True), ("compiler", False)):
        for verdict in ("better", "inconclusive"):
            other = replace(pair, factor=factor, verdict=verdict, **labels)  # type: ignore[arg-type]
            text = verdict_text(other, replace(copies, metric=metric, treatments=named, comparisons=(other,))).sentence
            assert (" alone" in text) == several, text
            asked = "No verdict on whether each of compiler clang is slower than compiler gcc alone, on average over"
            assert text.startswith(asked) == several, text


def test_two_speeds_have_a_share_of_their_own_in_how_sure_all_answers_are() -> None:
    groups = Finding(
        TYPICAL_ERROR.id, Severity.DOUBT, "nginx: runs vary.", "", {"runs_above": "1, 3", "treatment": "nginx"}
    )
    experiments = (replace(STATIC, findings=(groups,)), *ANALYSIS.experiments[1:])
    claim = claim_sentence(replace(ANALYSIS, experiments=experiments), RECORDING.plan.experiments)
    assert claim.endswith(
        "If one setup stalls in 15 % of its runs, intervals hold in 76 to 84; with long tails in 90, with two speeds "
        "in about 90."
    )
    assert "about 90" not in claim_sentence(ANALYSIS, RECORDING.plan.experiments)
    many = (replace(experiments[0], blocks_done=10), *experiments[1:])
    assert "about 90" not in claim_sentence(replace(ANALYSIS, experiments=many), RECORDING.plan.experiments)
    assert told(many[0])["How sure"].startswith("95 % interval; nginx"), "ten blocks hold what they should"
    sure = told(experiments[0])["How sure"]
    assert sure.startswith("95 % interval (about 90 %, as nginx may have two speeds); nginx ahead"), (
        "not 95 % in one place"
    )
    assert "two speeds" not in told(STATIC)["How sure"]
    alone = claim_sentence(replace(ANALYSIS, experiments=experiments[:1]), RECORDING.plan.experiments)
    assert ", with two speeds in about 90." in alone


def test_servers_of_pages_have_version_threads_and_caching_on_the_card() -> None:
    settings = {
        "nginx": (Setting("sendfile", "on"), Setting("open_file_cache", "max=9")),
        "apache-httpd": (Setting("a", "b"),),
    }
    treatments = tuple(
        replace(
            each,
            card=replace(
                each.card,
                versions={"x": "x/1.22.1 (Debian)"},
                threads=2,
                processes=1,
                configuration=settings[each.label],
            ),
        )
        for each in (APACHE, NGINX)
        if each.card
    )
    assert told(replace(STATIC, treatments=treatments))["Configured"] == (
        "Apache HTTP Server 1.22.1, 2 threads, no sendfile or cache set; "
        "nginx 1.22.1, 2 threads, sendfile on, open_file_cache max=9."
    )
    plain = tuple(replace(each, card=replace(each.card, configuration=())) for each in treatments if each.card)
    assert told(replace(STATIC, treatments=plain))["Configured"] == (
        "Apache HTTP Server 1.22.1, 2 threads; nginx 1.22.1, 2 threads."
    )
    forked = tuple(replace(each, card=replace(each.card, threads=57, processes=57)) for each in plain if each.card)
    assert told(replace(STATIC, treatments=forked))["Configured"].startswith(
        "Apache HTTP Server 1.22.1, 57 processes in all;"
    )
    mixed = tuple(replace(each, card=replace(each.card, threads=259, processes=2)) for each in plain if each.card)
    assert "1.22.1, 2 processes in all, 259 threads;" in told(replace(STATIC, treatments=mixed))["Configured"]
    assert "Configured" not in told(ANALYSIS.experiments[1]), "one program"


def test_a_database_has_its_buffers_and_changed_settings_on_the_card() -> None:
    def configured(**settings: str) -> str:
        found = tuple(Setting(name, value, "1") for name, value in settings.items())
        treatments = tuple(
            replace(
                each, card=replace(each.card, versions={"x": "x 11.1"}, threads=2, processes=1, configuration=found)
            )
            for each in (APACHE, NGINX)
            if each.card
        )
        result = replace(STATIC, treatments=treatments)
        planned = replace(RECORDING.plan.experiments[0], asks="sql/forum-v1")
        plan = replace(RECORDING.plan, experiments=(planned, *RECORDING.plan.experiments[1:]))
        study = StudyContext(replace(ANALYSIS, experiments=(result,)), replace(RECORDING, plan=plan))
        return dict(card_lines(study.experiments[0].in_words()))["Configured"]

    of_postgresql = configured(shared_buffers="2097152 kB", fsync="1")
    assert of_postgresql.startswith(
        "Apache HTTP Server 11.1, 2 threads, 2.00 GiB of buffers at most, 1 of 2 settings not at their default;"
    )
    innodb = configured(innodb_buffer_pool_size="2147483648", key_buffer_size="1048576", log="1")
    assert "11.1, 2 threads, 2.00 GiB of buffers at most, 2 of 3 settings not at their default;" in innodb
    myisam = configured(
        innodb_buffer_pool_size="2147483648", key_buffer_size="1048576", default_storage_engine="MyISAM"
    )
    assert "11.1, 2 threads, 1.00 MiB of buffers at most, 3 of 3 settings not at their default;" in myisam
    assert configured(shared_buffers="16MB").endswith("2 threads, 1 of 1 settings not at their default.")


def test_what_both_servers_would_fill_of_a_link_is_on_the_card_and_that_less_makes_them_equal() -> None:
    def network(*sizes: float, of: str = "goodput_per_s") -> str:
        case = Case({"connections": 100})
        treatments = tuple(
            replace(
                each,
                costs=(Cost(case, None, Estimate(size, None, 6)),),
                cells=(*each.cells, Cell(case, "goodput_per_s", Estimate(1e6 / (1 + at), None, 6))),
            )
            for at, (each, size) in enumerate(zip((NGINX, APACHE), sizes, strict=True))
        )
        result = replace(STATIC, treatments=treatments, primary=replace(STATIC.primary, of=of))
        return told(result)["Does not show"].partition("; lower loads")[0]

    both = "A real network (only loopback; nginx would fill {} Gbit/s, Apache HTTP Server {} Gbit/s{})"
    assert network(1000.0, 1010.0) == both.format("8.36", "4.22", "; a link that both fill makes their rates equal")
    assert network(1000.0, 100.0) == both.replace("{} Gbit/s{}", "418 Mbit/s").format("8.36"), (
        "a full link favors the smaller response"
    )
    assert "equal" not in network(1000.0, 1010.0, of="response_time_p99_ns")


def test_settings_that_two_servers_of_pages_have_unlike_are_to_be_set_alike_and_no_others() -> None:
    def next_of(*values: str, factor: str = "subject", name: str = "sendfile") -> str:
        treatments = tuple(
            replace(each, card=replace(each.card, configuration=(Setting(name, value),)))
            for each, value in zip((APACHE, NGINX), values, strict=True)
            if each.card
        )
        pair = replace(STATIC.comparisons[0], factor=factor)
        return told(replace(STATIC, treatments=treatments, comparisons=(pair,), findings=()))["Next"]

    assert "To see what sendfile does, set it alike" in next_of("off", "on")
    nothing = "It needs no more blocks; ask it with your own load."
    assert next_of("on", "on") == nothing
    assert next_of("off", "on", factor="sendfile") == nothing, "it is what was compared"
    assert next_of("off", "on", name="open_file_cache") == nothing


def test_a_drift_of_all_values_is_on_the_card_unless_it_is_small_or_ratios_moved() -> None:
    def over_time(change: float, *others: Finding) -> str:
        says = f"From the first block to the last all values fell by {-100 * change:.0f} % (p 0.001)."
        drift = Finding("drift", Severity.NOTE, says, "", {"change_share": change, "p": 0.001, "blocks": 6})
        return told(replace(STATIC, findings=(drift, *others))).get("Over time", "")

    cancelled = "From the first block to the last all values fell by 12 %, which ratios within blocks cancel."
    assert over_time(-0.12) == cancelled
    assert over_time(-0.04) == ""
    assert cancelled not in over_time(-0.12, Finding("trend-of-ratio", Severity.DOUBT, "It moved.", "", {}))


def test_a_race_of_programs_does_not_count_the_program_that_repeats_them() -> None:
    treatments = tuple(
        replace(each, card=replace(each.card, versions={"x": "1.2"}, threads=2, processes=2))
        for each in (APACHE, NGINX)
        if each.card
    )
    analysis = replace(ANALYSIS, experiments=(replace(STATIC, treatments=treatments),))
    batch = replace(RECORDING.plan.experiments[0], load=Load("batch", {}, {"seconds": 1}))

    def line(asks: str) -> str:
        plan = replace(RECORDING.plan, experiments=(replace(batch, asks=asks),))
        return configured_line(StudyContext(analysis, replace(RECORDING, plan=plan)).experiments[0])

    assert "2 processes" in line("batch/program-v1")
    assert line(BATCH_RACE) == ""


def test_a_program_s_own_version_comes_before_those_of_what_it_needs() -> None:
    assert APACHE.card is not None
    parts = {"mariadb": "/usr/sbin/mariadbd  Ver 10.11.19-MariaDB", "php-forum": "PHP 8.2.36 (fpm-fcgi)"}
    php = replace(APACHE, subject="php-forum", card=replace(APACHE.card, versions=parts))
    line = told(replace(STATIC, treatments=(php, NGINX)))["Configured"]
    assert line.startswith("Apache HTTP Server: PHP 8.2.36 with mariadb 10.11.19, ")
    alone = replace(php, card=replace(APACHE.card, versions={"another": "3.1"}))
    assert told(replace(STATIC, treatments=(alone, NGINX)))["Configured"].startswith("Apache HTTP Server 3.1, ")


def test_an_answer_that_is_a_mean_of_loads_has_the_ratio_at_each() -> None:
    assert re.match(
        r"\d\.\d+x with 10 and \d\.\d+x with 100 connections \(at the stricter 99\.3 %: at least "
        r"\d\.\d+x and \d\.\d+x\)\.",
        told(STATIC)["Also measured"],
    )


def test_where_runs_vary_the_ratio_of_each_block_is_on_the_card() -> None:
    (pair,) = STATIC.comparisons
    ratios = replace(pair, blocks=(2.19, 2.29, 2.35, 2.59, 2.51, 3.2))
    vary = Finding(TYPICAL_ERROR.id, Severity.DOUBT, "nginx: runs vary by 14 %.", "", {"treatment": "nginx"})
    moves = Finding("trend-of-ratio", Severity.DOUBT, "It rose.", "", {})
    alone = Finding("trend-of-setup", Severity.NOTE, "nginx: values rose by 9 % from the first (p 0.001).", "", {})
    shown = "Ratio by block, nginx to Apache HTTP Server: 2.19, 2.29, 2.35, 2.59, 2.51, 3.20"
    result = replace(STATIC, comparisons=(ratios,), findings=(vary,))
    assert told(result)["Over time"] == f"{shown}."
    groups = replace(vary, evidence={"treatment": "nginx", "runs_above": "1, 3"})
    assert told(replace(result, findings=(groups,)))["Over time"] == f"{shown}.", "a doubt has that they changed"
    assert told(replace(result, findings=(vary, moves)))["Over time"] == f"{shown}."
    assert told(replace(result, findings=(alone,)))["Over time"] == "nginx: values rose by 9 % from the first."
    assert pair.ratio is not None
    third = replace(pair.ratio, value=1 / 3)
    turned = replace(pair, verdict="worse", ratio=third, blocks=(0.25, 0.5, 0.32, 0.34, 0.33, 0.4))
    assert told(replace(result, comparisons=(turned,)))["Over time"].startswith(
        "Ratio by block, Apache HTTP Server to nginx: 4.00, 2.00, 3.12, 2.94, 3.03, 2.50"
    ), "as the answer has it: 3x as much"
    for verdict in ("same", "inconclusive"):
        assert "Over time" not in told(replace(result, comparisons=(replace(ratios, verdict=verdict),))), (
            "a chart has it"
        )
    many = replace(result, comparisons=(replace(pair, blocks=(2.0,) * 24),))
    assert "Over time" not in told(many)


def test_how_sure_begins_with_the_machines_that_a_bench_compared() -> None:
    (planned,) = [each for each in RECORDING.plan.experiments if each.name == STATIC.name]
    labels = ["dual", "quad"]
    here = replace(planned, treatments=tuple(replace(each, server="dual") for each in planned.treatments))
    two = replace(
        planned, treatments=tuple(replace(each, server=labels[at % 2]) for at, each in enumerate(planned.treatments))
    )

    assert list(servers_sentence(two)) == ["These two machines, on this day, interleaved."]
    assert [*servers_sentence(here), *servers_sentence(planned), *servers_sentence(None)] == []


def test_response_times_of_the_highest_load_are_next_to_throughput() -> None:
    assert told(STATIC)["Response time"] == (
        "At full load with 100 connections, 99 of 100 responses within 8.33 ms (Apache HTTP Server); 3.03 ms (nginx)."
    )


@pytest.mark.parametrize(
    ("low", "told_of"),
    [
        (1.2, "At the median Apache HTTP Server is ahead."),
        (0.2, "Their medians there, 0.283 ms and 1.13 ms, vary too much to rank."),
    ],
)
def test_the_median_is_next_to_p99_and_it_is_said_where_their_order_turns(low: float, told_of: str) -> None:
    case, name = Case({"connections": 100}), "response_time_p50_ns"
    halves = {"apache-httpd": 283_000.0, "nginx": 1_130_000.0}
    cells = {label: Cell(case, name, Estimate(value, None, 6)) for label, value in halves.items()}
    (pair,) = STATIC.comparisons
    ratio = Exploratory(case, name, Estimate(3.98, Interval(low, 60.0, 0.999), 6), 0.03)
    both = tuple(replace(each, cells=(*each.cells, cells[each.label])) for each in (APACHE, NGINX))
    result = replace(STATIC, treatments=both, comparisons=(replace(pair, exploratory=(ratio,)),))
    halves_shown = (
        "At full load with 100 connections, half of the responses within 0.283 ms and 99 of 100 within 8.33 ms "
        f"(Apache HTTP Server); 1.13 ms and 3.03 ms (nginx). {told_of}"
    )
    left_out = (
        "At full load with 100 connections, 99 of 100 responses within 8.33 ms (Apache HTTP Server); 3.03 ms (nginx). "
        f"{told_of}"
    )
    assert told(result)["Response time"] == (halves_shown if low > 1 else left_out)
    slowest = Exploratory(
        Case({"connections": 100}), "response_time_p99_ns", Estimate(0.36, Interval(0.2, 0.6, 0.99), 6), 0.03
    )
    sure = replace(result, comparisons=(replace(pair, exploratory=(ratio, slowest)),))
    assert told(sure)["Response time"].endswith(f" {told_of[:-1]}; the slowest 1 % are far quicker with nginx.")


def test_both_ends_of_the_response_times_are_named_where_each_setup_is_ahead_at_one() -> None:
    case, name = Case({"connections": 100}), "response_time_p50_ns"
    halves = {"apache-httpd": 283_000.0, "nginx": 1_130_000.0}
    both = tuple(
        replace(each, cells=(*each.cells, Cell(case, name, Estimate(halves[each.label], None, 6))))
        for each in (APACHE, NGINX)
    )
    slowest = Exploratory(case, "response_time_p99_ns", Estimate(0.36, Interval(0.2, 0.6, 0.99), 6), 0.03)
    ends = {"p10": (30.0, 50.0), "p20": (20.0, 60.0), "p30": (0.1, 3000.0), "p40": (2.0, 9.0), "p99": (0.2, 0.81)}
    shifts = tuple(Shift(case, tenth, Estimate(9.0, Interval(*each, 0.99), 6)) for tenth, each in ends.items())
    (pair,) = STATIC.comparisons
    sure = replace(pair, exploratory=(slowest,), shifts=shifts)
    assert told(replace(STATIC, treatments=both, comparisons=(sure,)))["Response time"].endswith(
        "(nginx). Quickest 20 %: at least 20x sooner with Apache HTTP Server; slowest 1 %: at least 1.2x sooner with "
        "nginx."
    )
    unsure = replace(sure, shifts=(*shifts[:3], shifts[-1]))
    assert told(replace(STATIC, treatments=both, comparisons=(unsure,)))["Response time"].endswith(
        "sooner with nginx; rest open."
    )
    other_case = replace(sure, shifts=tuple(replace(each, case=Case({"connections": 10})) for each in shifts))
    assert "uickest" not in told(replace(STATIC, treatments=both, comparisons=(other_case,)))["Response time"]


def test_the_average_response_is_named_where_the_quickest_half_says_the_opposite_for_sure() -> None:
    case = Case({"connections": 100})
    times = {"apache-httpd": (6_420_000.0, 59_500.0), "nginx": (2_040_000.0, 1_930_000.0)}
    names = ("response_time_mean_ns", "response_time_p50_ns", "response_time_p99_ns")
    added = {
        label: [Cell(case, name, Estimate(ns, None, 6)) for name, ns in zip(names, own, strict=False)]
        for label, own in times.items()
    }
    both = tuple(replace(each, cells=(*each.cells, *added[each.label])) for each in (APACHE, NGINX))
    ends = ((0.2, 0.5), (18.0, 57.0), (0.2, 0.6))
    ratios = [
        Exploratory(case, name, Estimate(1.0, Interval(*each, 0.999), 6), 0.03)
        for name, each in zip(names, ends, strict=True)
    ]
    (pair,) = STATIC.comparisons
    sure = replace(STATIC, treatments=both, comparisons=(replace(pair, exploratory=tuple(ratios)),))
    assert told(sure)["Response time"] == (
        "At full load with 100 connections, responses of Apache HTTP Server are uneven: half within 0.0595 ms "
        "(nginx, slower: 1.93 ms), but 1 of 100 over 8.33 ms (nginx: 3.03 ms). The rate follows their mean, 6.42 ms "
        "(nginx: 2.04 ms)."
    )
    for at in range(3):
        unsure = [*ratios]
        unsure[at] = replace(ratios[at], ratio=Estimate(1.0, Interval(0.5, 2.0, 0.999), 6))
        text = told(replace(sure, comparisons=(replace(pair, exploratory=tuple(unsure)),)))["Response time"]
        assert "uneven" not in text, names[at]
    nine = {"apache-httpd": 61_000.0, "nginx": 2_100_000.0}
    with_nine = tuple(
        replace(each, cells=(*each.cells, Cell(case, "response_time_p90_ns", Estimate(nine[each.label], None, 6))))
        for each in both
    )
    known = Exploratory(case, "response_time_p90_ns", Estimate(30.0, Interval(18.0, 57.0, 0.999), 6), 0.03)
    for more, within in (
        ((known,), "9 of 10 within 0.0610 ms (nginx, slower: 2.10 ms)"),
        ((), "half within 0.0595 ms (nginx, slower"),
    ):
        of_nine = replace(pair, exploratory=(*ratios, *more))
        assert within in told(replace(sure, treatments=with_nine, comparisons=(of_nine,)))["Response time"]
    few = Case({"connections": 10})
    alike = tuple(
        replace(each, cells=(*each.cells, *(replace(one, case=few) for one in each.cells if one.case == case)))
        for each in both
    )
    ratios += [replace(each, case=few) for each in ratios]
    twice = replace(sure, treatments=alike, comparisons=(replace(pair, exploratory=tuple(ratios)),))
    assert told(twice)["Response time"].endswith("(nginx: 2.04 ms). Uneven too with 10 connections.")


@pytest.mark.parametrize(
    ("apache_ns", "end"),
    [
        (1_500_000.0, ". The slowest 1 % are far quicker with nginx."),
        (3_000_000.0, "; 1.00 ms and 3.03 ms (nginx)."),
    ],
)
def test_the_slowest_responses_are_named_where_they_differ_more_than_the_median(apache_ns: float, end: str) -> None:
    case, name = Case({"connections": 100}), "response_time_p50_ns"
    halves = {"apache-httpd": apache_ns, "nginx": 1_000_000.0}
    both = tuple(
        replace(each, cells=(*each.cells, Cell(case, name, Estimate(halves[each.label], None, 6))))
        for each in (APACHE, NGINX)
    )
    (pair,) = STATIC.comparisons
    slowest = Exploratory(case, "response_time_p99_ns", Estimate(0.3, Interval(0.2, 0.6, 0.99), 6), 0.03)
    text = told(replace(STATIC, treatments=both, comparisons=(replace(pair, exploratory=(slowest,)),)))["Response time"]
    assert text.endswith(end)


@pytest.mark.parametrize(
    ("away", "side", "said"), [(-0.25, "below", "slower than"), (0.25, "above", "faster than"), (0.25, "both", "from")]
)
def test_a_run_far_from_its_setups_others_is_flagged_whichever_way_it_is(away: float, side: str, said: str) -> None:
    where: dict[str, Scalar] = {"away_share": away, "side": side, "runs": "24", "treatment": "nginx"}
    far = Finding("outlier", Severity.NOTE, "far", "Look.", where)
    assert told(replace(STATIC, findings=(far,)))["Outliers"] == f"Run 24, of nginx: 25 % {said} its median; kept."


@pytest.mark.parametrize(("other_by", "likewise"), [(1.2, ", and Apache HTTP Server by 20 % in that block"), (1.1, "")])
def test_of_a_block_in_which_all_setups_were_far_off_that_is_named(other_by: float, likewise: str) -> None:
    """Its ratio is then an ordinary one."""
    runs = [each for each in RECORDING.runs if each.run.experiment == STATIC.name]
    counted = run_points(STATIC, runs)
    blocks: dict[str, list[int]] = {}
    for each in runs:
        if each.run.run in counted:
            blocks.setdefault(each.run.label, []).append(each.run.block)
    floors = tuple(each for each in STATIC.treatments if each.floor)
    level = {"nginx": 60e3, "apache-httpd": 20e3}
    by = {"nginx": 1.3, "apache-httpd": other_by}
    arms = [
        replace(one, points=tuple(level[one.label] * (by[one.label] if at == 2 else 1.0) for at in blocks[one.label]))
        for one in STATIC.treatments
        if one.label in level
    ]
    (number,) = (
        each.run.run for each in runs if each.run.run in counted and (each.run.label, each.run.block) == ("nginx", 2)
    )
    where: dict[str, Scalar] = {"away_share": 0.3, "side": "above", "runs": str(number), "treatment": "nginx"}
    far = Finding("outlier", Severity.NOTE, "far", "Look.", where)
    shown = told(replace(STATIC, treatments=(*arms, *floors), findings=(far,)))["Outliers"]
    assert shown == f"Run {number} (block 2), of nginx: 30 % faster than its median{likewise}; kept."


def test_runs_far_from_others_come_with_the_answer_of_the_other_blocks() -> None:
    (pair,) = STATIC.comparisons
    assert pair.ratio is not None
    where: dict[str, Scalar] = {"away_share": 0.3, "side": "both", "runs": "900, 901", "treatment": "apache-httpd"}
    far = Finding("outlier", Severity.NOTE, "far", "Look.", where)
    fewer = replace(pair.ratio, n=pair.ratio.n - 2)
    text = told(replace(STATIC, findings=(far,), comparisons=(replace(pair, without_outliers=fewer),)))["Outliers"]
    start = "Runs 900 and 901, of Apache HTTP Server: up to 30 % from its median; kept. The "
    assert text.startswith(f"{start}{fewer.n} of {pair.ratio.n} blocks without outliers also give ")
    assert text.endswith("the same winner.")
    unknown = replace(pair, ratio=None, verdict="not-measured", without_outliers=fewer)
    text = told(replace(STATIC, findings=(far,), comparisons=(unknown,)))["Outliers"]
    assert text.endswith("median; kept."), "there is no answer to compare with"
    turned = replace(fewer, value=1.0, interval=Interval(0.9, 1.1, 0.95))
    text = told(replace(STATIC, findings=(far,), comparisons=(replace(pair, without_outliers=turned),)))["Outliers"]
    assert text.endswith("outside the interval of all."), "and nothing to do follows from that"


def test_what_limited_several_alike_is_said_once() -> None:
    assert told(STATIC)["Why"].endswith("Both were limited by CPU. What makes the difference was not measured.")


def test_a_limit_that_is_not_known_is_no_limit() -> None:
    def unknown(each: TreatmentResult) -> TreatmentResult:
        return replace(each, limits=tuple(replace(one, resource="unknown") for one in each.limits))

    result = replace(STATIC, treatments=tuple(map(unknown, STATIC.treatments)))
    assert told(result)["Why"].endswith("What limited them is not known. What makes the difference was not measured.")


@pytest.mark.parametrize("verdict", ["same", "inconclusive"])
def test_an_answer_without_a_winner_has_absolute_values(verdict: Verdict) -> None:
    pair = replace(STATIC.comparisons[0], verdict=verdict)
    assert "Measured" not in told(STATIC)
    assert re.match(
        r"Apache HTTP Server [\d,]+ /s \[.*\]; nginx [\d,]+ /s \[.*\] \(correct responses\)\.$",
        told(replace(STATIC, comparisons=(pair,)))["Measured"],
    )


def test_the_blocks_that_are_missing_are_one_number() -> None:
    result = ANALYSIS.experiments[3]
    (pair,) = (replace(each, blocks_needed=(each.ratio.n if each.ratio else 0) + 104) for each in result.comparisons)
    changed = replace(result, comparisons=(pair,))
    assert "About 100 more blocks" in verdict_text(pair, changed).needs
    assert " min more (100 blocks)" in told(changed)["Next"]


def test_what_has_no_run_that_counts_is_not_called_measured() -> None:
    lost = tuple(replace(each, primary=None) for each in STATIC.treatments)
    assert answer(replace(STATIC, comparisons=())).badge == "measured"
    assert answer(replace(STATIC, comparisons=(), treatments=lost)).badge == "not measured"


def test_what_limited_some_cases_only_is_counted() -> None:
    limits = (Limit(Case.parse("a"), "cpu"), Limit(Case.parse("b"), "cpu"), Limit(Case.parse("c"), "unknown"))
    mixed = replace(STATIC, treatments=(replace(APACHE, limits=limits), NGINX))
    assert told(mixed)["Why"].endswith(
        "What limited each: Apache HTTP Server: CPU for a and b, not certain for c; nginx: CPU. "
        "What makes the difference was not measured."
    )


def test_the_cpu_time_of_a_response_is_given_from_its_least_case_to_its_greatest() -> None:
    costs = tuple(
        Cost(Case.parse(case), Estimate(value, None, 1), None)
        for case, value in (("a", 56_900.0), ("b", 65_200.0), ("c", 60_000.0))
    )
    text = told(replace(STATIC, treatments=(replace(APACHE, costs=costs, limits=()),)))["Why"]
    assert text.startswith("CPU time per response: 56.9 to 65.2 \u00b5s (Apache HTTP Server).")


def test_what_is_not_visible_costs_nothing_that_is_told() -> None:
    assert NGINX.card is not None
    blind = replace(NGINX.card, subject_cpus_busy=None, subject_memory_peak_bytes=None)
    assert "Peak memory" not in told(replace(STATIC, treatments=(replace(NGINX, card=blind, cells=()),)))


def test_of_several_programs_that_were_compared_with_one_the_values_have_the_best_first() -> None:
    (pair,) = STATIC.comparisons
    assert NGINX.primary is not None
    best = replace(NGINX, label="best", primary=replace(NGINX.primary, value=9 * NGINX.primary.value))
    three = replace(STATIC, treatments=(APACHE, NGINX, best))
    found = told(three)["Measured"]
    assert found.startswith("Highest first: best ")
    assert found.index("; nginx ") < found.index("; Apache HTTP Server ")
    levels = replace(three, comparisons=(replace(pair, factor="cpus"),))
    assert told(levels)["Measured"].startswith("Apache HTTP Server "), "levels have an order of their own"


def test_of_many_setups_the_first_are_named() -> None:
    many = tuple(replace(APACHE, label=f"t{n}") for n in range(MOST_IN_A_LINE + 3))
    text = told(replace(STATIC, treatments=many))["Measured"]
    assert text.endswith("; 3 more in the tables (correct responses).")


def test_a_mean_over_unlike_kernels_has_no_absolute_value() -> None:
    for each in ANALYSIS.experiments[1:3]:
        (sentence,) = [found.sentence for found in answer(each).verdicts]
        assert "/s" not in sentence
    assert "71,800 against 26,300 correct responses/s" in answer(STATIC).verdicts[0].sentence


def test_the_ideal_has_a_verdict_of_its_own() -> None:
    rsa = ANALYSIS.experiments[1]
    assert answer(rsa).badge == "clear; below the ideal"
    (pair,) = rsa.comparisons
    assert pair.scaling is not None
    wide = replace(pair.scaling, interval=Interval(0.9, 1.02, 0.964))
    found = answer(replace(rsa, comparisons=(replace(pair, scaling=wide),)))
    assert found.badge == "clear; may reach the ideal"
    assert found.verdicts[0].sentence.endswith("so it cannot be distinguished from 2x.")


def test_a_p_that_cannot_reach_its_level_is_left_out() -> None:
    (pair,) = STATIC.comparisons
    few = replace(pair, blocks=pair.blocks[:5], sign_flip_p=0.0625)
    assert "sign-flip" not in answer(replace(STATIC, comparisons=(few,))).verdicts[0].behind
    assert "sign-flip" in answer(STATIC).verdicts[0].behind


def test_one_ratio_has_one_interval() -> None:
    rsa = pages.experiment(ANALYSIS, RECORDING, "rsa")
    (pair,) = rsa.result.comparisons
    assert pair.scaling is not None
    table = growth_table(rsa)
    assert table is not None
    row = next(row for group in table.groups for row in group.rows if row.small == "signs")
    assert row.cells[2].small == gains(pair.scaling.gain, pair.scaling.interval)[1]


def test_a_kernel_chosen_afterwards_is_a_hypothesis_with_its_corrected_p() -> None:
    recording = suite_study()
    (context,) = StudyContext(analyze(recording), recording).experiments
    text = dict(card_lines(context))["Hypothesis"]
    assert "noticed afterwards (corrected p " in text
    (suite,) = [each for each in context.result.suites if not each.reference]
    far = next(each for each in suite.cases if each.tail)
    logs = [math.log(each.ratio.value) for each in suite.cases if each is not far]
    others = f"the other {len(logs)} ({100 * (math.exp(sum(logs) / len(logs)) - 1):+.1f} % together); noticed"
    assert f"may differ from {others} afterwards" in text


def test_vcpus_that_may_be_threads_of_one_core_are_named_where_that_matters() -> None:
    """Where numbers of CPUs were compared, and where a server and its load generator had CPUs of their own."""
    rsa = ANALYSIS.experiments[1]
    assert "hether vCPUs share cores." in told(rsa)["Does not show"]
    assert told(STATIC)["Does not show"].endswith("; whether vCPUs share cores.")
    shared = [
        replace(each, card=replace(each.card, driver_cpus=each.card.cpus)) for each in STATIC.treatments if each.card
    ]
    assert "whole cores" not in told(replace(STATIC, treatments=tuple(shared)))["Does not show"]
    bare = replace(
        RECORDING.hosts[0], facts=tuple(each for each in RECORDING.hosts[0].facts if each.name != "hypervisor")
    )
    study = StudyContext(replace(ANALYSIS, experiments=(rsa,)), replace(RECORDING, hosts=(bare,)))
    assert dict(card_lines(study.experiments[0].in_words()))["Does not show"] == (
        "Machines with 1 CPU; more than 2 CPUs."
    )


def test_new_connections_are_named_where_all_were_kept_open() -> None:
    (planned, *others) = RECORDING.plan.experiments
    kept = tuple(replace(each, settings={**each.settings, "connection": "keep-alive"}) for each in planned.treatments)

    def open_of(**changes: object) -> str:
        own = replace(planned, treatments=kept, load=replace(planned.load, **changes))  # type: ignore[arg-type]
        study = StudyContext(ANALYSIS, replace(RECORDING, plan=replace(RECORDING.plan, experiments=(own, *others))))
        return dict(card_lines(study.experiments[0].in_words()))["Does not show"]

    assert "; new connections; " in open_of()
    assert "new connections" not in open_of(settings={**planned.load.settings, "calls": 5})
    assert "new connections" not in told(STATIC)["Does not show"], "no setting states how they were kept"


def test_other_configurations_are_named_where_servers_were_compared() -> None:
    assert "; other configurations or CPUs; " in told(STATIC)["Does not show"]
    assert "configurations" not in told(ANALYSIS.experiments[1])["Does not show"]


def test_the_head_of_the_page_names_machine_runs_span_and_what_went_wrong() -> None:
    machine, trust, _ = masthead(ANALYSIS, RECORDING)
    assert machine == (
        "2 vCPUs, AMD EPYC 9B14, 7.76 GiB of memory, KVM, Debian GNU/Linux 12 (bookworm); 20 November 2026, 10:00 UTC"
    )
    assert trust.startswith("63 runs in 10 min 25 s \u00b7 no part measured again \u00b7 1 discarded (foreign CPU")
    assert trust.endswith(" \u00b7 0 wrong responses")
    assert trust_line(replace(RECORDING, runs=())) == "No run was made."


def test_the_configuration_of_each_setup_is_one_click_from_its_answer() -> None:
    page = pages.html(ANALYSIS, RECORDING)
    for number in range(1, 5):
        assert f'<a href="#experiment-{number}-configuration">Configurations</a>' in page
        assert f'<div id="experiment-{number}-configuration" class="opened">' in page


def test_false_winners_are_claimed_for_an_experiment_and_for_the_study() -> None:
    compared = [each for each in ANALYSIS.experiments if any(pair.ratio for pair in each.comparisons)]
    assert len(compared) == 4
    claim = claim_sentence(ANALYSIS)
    assert claim == (
        "If runs scatter normally, a question's intervals include the true ratio in at least "
        "95 of 100 studies; at most 5 name a false winner (20 over all 4 questions)."
    )
    planned = claim_sentence(ANALYSIS, RECORDING.plan.experiments)
    assert planned.endswith("intervals hold in 76 to 84; with long tails in 90.")
    first = pages.markdown(ANALYSIS, RECORDING).partition("## What to do")[0]
    assert "\n### All questions together\n" in first
    assert f"- **How sure, overall**: {planned}\n- **Noise alone**: Not measured: " in first
    assert "at most 5 name a false winner." in claim_sentence(replace(ANALYSIS, experiments=(STATIC,)))
    assert claim_sentence(replace(ANALYSIS, experiments=(replace(STATIC, comparisons=()),))) == ""


def test_the_method_of_intervals_is_named_with_the_level_of_each_kind() -> None:
    method, *of_suites, levels = method_sentences(ANALYSIS)
    assert of_suites == [LIKE_THESE.format("kernel")]
    assert "Student's t intervals: of a ratio, on the logarithms of the ratios within blocks" in method
    assert levels.startswith("Levels: 95 % for the value of one setup. 96.4 % and 97.3 % for a ratio that decides")
    page = pages.markdown(ANALYSIS, RECORDING)
    assert method in page.partition("## How it was measured")[2]
    assert "at 96.4 %, the level of each check" in page
    assert method_sentences(replace(ANALYSIS, experiments=())) == ()


def test_a_serial_share_which_has_no_interval_is_not_shown() -> None:
    shares = [pair.scaling.serial_share for each in ANALYSIS.experiments for pair in each.comparisons if pair.scaling]
    assert any(each is not None for each in shares)
    assert "serial" not in pages.markdown(ANALYSIS, RECORDING).lower()
