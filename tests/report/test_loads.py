"""What the report says of loads that rise: curves to twice the capacity, what is left past it, what an answer costs."""

import re
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.model.analysis.estimates import Cell
from headtohead.model.analysis.limit import Limit, Resource
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.machine.link import Link
from headtohead.model.quantity import Summary
from headtohead.model.rules import TYPICAL_ERROR
from headtohead.model.study.trials import measure_s
from headtohead.model.study.workload import Load
from headtohead.report.context import StudyContext
from headtohead.report.document import Fold, Table
from headtohead.report.experiment.cost.cpu_time_with_more_cpus import cpu_time_with_more_cpus
from headtohead.report.experiment.load.charts_against_offered_load import draw_curves
from headtohead.report.experiment.load.goodput_past_capacity import OVERLOAD
from headtohead.report.experiment.load.merge_loads_into_steps import load_steps
from headtohead.report.study.explain_words_metrics_and_loops import loop_sentence
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.card.does_not_show import leaves_open
from headtohead.report.study.page_one.link_that_responses_fill import link_sentence
from headtohead.report.terminal.plan import Forecast, render_plan
from headtohead.report.text.names import metric_title
from headtohead.report.text.verdicts import measured_sentences
from tests.report import pages
from tests.report.plans import METRICS
from tests.report.rising import ANALYSIS, LADDER, LADDER_RESULT, RECORDING
from tests.report.searched import EXPERIMENT, LOAD, RESULT
from tests.report.test_html import read

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

SEARCHED = pages.experiment(ANALYSIS, RECORDING)
RUNGS = pages.experiment(ANALYSIS, RECORDING, LADDER.name)


@pytest.fixture(scope="module")
def page() -> str:
    return pages.html(ANALYSIS, RECORDING)


def table(title: str) -> Table:
    return pages.table(pages.parts(SEARCHED), title)


def rows(title: str) -> dict[str, list[str]]:
    return {
        row.head: [f"{cell.text} {cell.small}".rstrip() for cell in row.cells]
        for group in table(title).groups
        for row in group.rows
    }


def test_a_search_has_both_curves_and_they_reach_to_twice_the_capacity() -> None:
    rates, times = draw_curves(SEARCHED, prefix="c1")
    assert "Response rate against offered load" in rates.wide
    assert "Response time against offered load" in times.wide
    for chart in (rates, times):
        assert "capacity 640 /s" in chart.wide
        assert "capacity 640 /s" in chart.narrow
    for each in RESULT.treatments:
        assert each.primary is not None
        assert load_steps(each)[-1].offered_load_per_s == pytest.approx(2 * each.primary.value, rel=0.05)


def test_the_objective_is_drawn_among_the_response_times() -> None:
    _, times = draw_curves(SEARCHED, prefix="c1")
    assert "objective: p99 within 200 ms" in times.wide


def test_no_line_goes_back_where_a_search_tried_more_than_its_first_overload() -> None:
    (first, *rest) = RESULT.treatments
    (trial, *_) = first.curve
    beyond = replace(trial, offered_load_per_s=900.0, held=False)
    higher = replace(RESULT, treatments=(replace(first, curve=(*first.curve, beyond)), *rest))
    for chart in draw_curves(replace(SEARCHED, result=higher), prefix="c1"):
        assert "Dashed, past the capacity" in chart.caption
        assert "stroke-dasharray" in chart.wide
        drawn = re.findall(r'<path d="([^"CQz]+)"[^>]*stroke: var\(--series-1\)', chart.wide)
        lines = [[float(place.split()[0]) for place in re.split("[ML] ", each)[1:]] for each in drawn]
        assert len([each for each in lines if len(each) > 3]) >= 2
        assert all(each == sorted(each) for each in lines if len(each) > 3)


def test_a_ladder_has_curves_without_a_capacity() -> None:
    rates, _ = draw_curves(RUNGS, prefix="c1")
    assert "capacity" not in rates.wide
    assert "Dashed" not in rates.caption
    assert [each.offered_load_per_s for each in load_steps(LADDER_RESULT.treatments[0])] == [250, 500, 1000, 2000, 4000]


def test_without_a_rate_there_is_no_curve() -> None:
    still = replace(RESULT, treatments=tuple(replace(each, curve=()) for each in RESULT.treatments))
    assert draw_curves(replace(SEARCHED, result=still), prefix="c1") == ()


def test_near_loads_share_a_rung_and_overloads_have_their_own() -> None:
    steps = load_steps(RESULT.treatments[0])
    assert sum(each.trials for each in steps) == len(RESULT.treatments[0].curve)
    tried = [each.offered_load_per_s for each in steps if each.overload_percent is None]
    assert tried == sorted(tried)
    assert [each.overload_percent for each in steps[-4:]] == [110, 125, 150, 200]
    assert all(each.held is None for each in steps[-4:])


def test_what_is_left_past_the_capacity_is_told_for_each_overload_and_its_absence_is_not_zero() -> None:
    told = rows("Past the capacity")
    assert list(told) == [*(f"{each} % of the capacity" for each in (110, 125, 150, 200)), "the worst of them"]
    assert told["200 % of the capacity"][0].startswith("44.1 %")
    assert told["200 % of the capacity"][3] == "not measured"


def test_compression_is_told_as_cpu_against_bytes() -> None:
    told = rows("What a response costs")["java-forum gzip=on cpus=1"]
    assert told[1] == "1.56 times"
    assert told[3] == "0.0678 times 14.8 to 1"


def test_a_cost_that_could_not_be_read_is_not_visible() -> None:
    treatments = tuple(
        replace(each, costs=(replace(each.costs[0], subject_cpu_ns_per_answer=None),)) for each in RESULT.treatments
    )
    blind = replace(SEARCHED, result=replace(RESULT, treatments=treatments))
    cost = pages.table(pages.parts(blind), "What a response costs")
    assert [row.cells[0].text for group in cost.groups for row in group.rows] == ["not visible"] * 4


def test_two_cpus_against_one_are_told_with_gain_ideal_and_efficiency() -> None:
    told = rows("Scaling")["java-forum, gzip off"]
    assert told[:2] == ["640 /s with 1", "1,200 /s with 2"]
    assert told[2].startswith("+87 % [")
    assert told[3:] == ["+100 %", "93.6 %"]


def test_each_search_is_listed_with_its_own_interval_and_the_objective() -> None:
    (fold,) = [each for each in pages.parts(SEARCHED).blocks if isinstance(each, Fold) and each.title == "Each search"]
    (found,) = fold.blocks
    assert isinstance(found, Table)
    assert found.caption == "The capacity that each run found (p99 within 200 ms and errors within 0.5 %)"
    assert found.rows == 24


def test_an_experiment_without_a_rate_has_none_of_these_tables() -> None:
    bare = tuple(replace(each, curve=(), searches=(), costs=()) for each in RESULT.treatments)
    found = pages.titles(pages.parts(replace(SEARCHED, result=replace(RESULT, treatments=bare, growth=()))))
    of_rates = {"Past the capacity", "What a response costs", "Scaling", "Every load offered", "Each search"}
    assert of_rates <= set(pages.titles(pages.parts(SEARCHED)))
    assert not of_rates & set(found)


@pytest.mark.parametrize(
    ("load", "words"),
    [
        (LOAD, "Sessions of 5 calls, each on a connection of its own, Poisson arrivals"),
        (LADDER.load, "Open loop, even arrivals"),
        (Load("closed", {}, {"connections": 10}), "response times of a fully loaded server, which are longer"),
        (Load("closed", {}, {"connections": 10, "think_s": 1.0}), "pauses before the next request"),
        (None, "Batch work"),
    ],
)
def test_the_loop_is_named_with_what_its_response_times_mean(load: Load | None, words: str) -> None:
    assert words in loop_sentence(load)


def test_the_loop_and_its_arrivals_stand_beside_every_response_time(page: str) -> None:
    text = "".join(read(page).text)
    assert "response time (sessions, Poisson arrivals)" in text
    assert metric_title("response_time_p99_ns", loop="open", arrivals="uniform") in RUNGS.titled("response_time_p99_ns")


def test_the_page_is_whole_and_keeps_its_pictures_apart(page: str) -> None:
    found = read(page)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    pictures = " ".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert not re.search(r"(fill|stroke): ?#", pictures)
    assert "font-family" not in pictures


def test_a_formula_in_a_name_is_drawn_as_it_stands() -> None:
    first, *others = RESULT.treatments
    named: tuple[TreatmentResult, ...] = (replace(first, label="$x^2$"), *others)
    rates, _ = draw_curves(replace(SEARCHED, result=replace(RESULT, treatments=named)), prefix="c1")
    assert "$x^2$</text>" in rates.wide


def test_a_plan_names_what_a_search_keeps_to() -> None:
    text = render_plan(RECORDING.plan, Forecast(60.0, 60.0, {}), width=120)
    assert "one search a run for the highest load with p99 within 200 ms and errors within 0.5 %" in " ".join(
        text.split()
    )


def test_markdown_is_as_reviewed(snapshot: SnapshotAssertion) -> None:
    assert pages.markdown(ANALYSIS, RECORDING) == snapshot


def test_page_one_has_what_is_left_under_overload_and_what_more_cpus_brought() -> None:
    lines = dict(card_lines(SEARCHED))
    assert lines["Overload"] == (
        "Offered 150 % of its capacity, each setup responded to this share of its capacity: gzip=off cpus=1: 72.1 % "
        "(71.6 % to 72.7 %), gzip=on cpus=1: 96.7 % (95.9 % to 97.5 %), gzip=off cpus=2: 73.9 % (73.3 % to 74.5 %), "
        "gzip=on cpus=2: 100 % (99.4 % to 101 %); responses count here however late."
    ), "one has no 200 %, and unlike overloads do not compare"
    assert lines["Scaling"].startswith("A second CPU brings java-forum, gzip off +87 % [")
    assert lines["Scaling"].endswith("; ideal +100 %.")
    still = replace(SEARCHED, result=replace(RESULT, treatments=tuple(replace(e, cells=()) for e in RESULT.treatments)))
    assert "Overload" not in dict(card_lines(still))


def test_a_capacity_has_the_higher_rate_of_waiting_users_beside_it_where_one_study_has_both() -> None:
    def line(
        times: float,
        *,
        workload: str = EXPERIMENT.workload,
        more_cpus: tuple[int, ...] = (),
        connections: int | None = None,
    ) -> str:
        settings = {**LOAD.settings, **({} if connections is None else {"connections": connections})}
        goodput = METRICS["goodput_per_s"]
        most = Summary("most", goodput.name, "max", {})
        planned = replace(
            EXPERIMENT,
            name="closed",
            workload=workload,
            load=Load("closed", {"connections": (1, 50)}, {}),
            primary=most,
            treatments=tuple(replace(each, cpus=(*each.cpus, *more_cpus)) for each in EXPERIMENT.treatments),
        )
        arms = tuple(
            replace(
                each,
                cells=tuple(
                    Cell(Case({"connections": users}), goodput.name, replace(each.primary, value=value))
                    for users, value in ((1, 1.0), (50, times * each.primary.value))
                ),
            )
            for each in RESULT.treatments
            if each.primary
        )
        closed = replace(RESULT, name="closed", primary=most, metric=goodput, treatments=arms)
        plan = replace(
            RECORDING.plan,
            experiments=(planned, replace(EXPERIMENT, load=replace(LOAD, loop="open", settings=settings))),
        )
        study = StudyContext(replace(ANALYSIS, experiments=(closed, RESULT)), replace(RECORDING, plan=plan))
        return dict(card_lines(study.experiments[1].in_words())).get("Closed loop", "")

    waiting = "from users who wait for each response; "
    assert re.match(rf"Question 1 has up to 1,2\d\d /s \(.+\), .+ and .+, {waiting}", line(2))
    assert re.match(
        rf"Question 1 has 1,2\d\d /s \(.+\), .+ and .+ with 50 connections too, {waiting}", line(2, connections=50)
    )
    assert line(2, connections=1) == "", "as few have hardly more, and other numbers of them do not compare"
    assert "has up to" in line(2, connections=7), "it does not have as many"
    assert line(1.05) == "", "hardly more"
    assert line(2, workload="another") == ""
    assert line(2, more_cpus=(7,)) == "", "another setup of the same name"


def test_more_responses_than_were_offered_are_explained() -> None:
    first, *others = RESULT.treatments
    more = tuple(
        replace(each, estimate=replace(each.estimate, value=2.83)) if each.metric == OVERLOAD and each.case else each
        for each in first.cells
    )
    both = (replace(first, cells=more), *others)
    line = dict(card_lines(replace(SEARCHED, result=replace(RESULT, treatments=both))))["Overload"]
    assert re.search(r"gzip=off cpus=1: 283 % \([^)]*\) \(more than is offered: some had waited\), ", line)
    assert line.count("more than is offered") == 1


def test_page_one_does_not_take_the_highest_load_offered_for_a_limit() -> None:
    lines = dict(card_lines(RUNGS))
    assert lines["Loads"] == (
        "php-forum kept up to 500 /s; nginx kept up with every load, to 4,000 /s: its limit was not found."
    )
    first = LADDER_RESULT.treatments[0]
    behind = tuple(replace(each, goodput_per_s=0.5 * each.offered_load_per_s) for each in first.curve)
    slow = replace(LADDER_RESULT, treatments=(replace(first, curve=behind),))
    assert dict(card_lines(replace(RUNGS, result=slow)))["Loads"].endswith(" not even with 250 /s.")
    assert "Loads" not in dict(card_lines(SEARCHED)), "a search finds the limit"


def test_a_response_rate_below_the_offered_load_has_its_share() -> None:
    told = [row for group in table("Every load offered").groups for row in group.rows]
    (most, *_) = [row for row in told if row.small == "200 % of the capacity"]
    assert most.cells[0].small == "21.8 % of it"
    assert not told[0].cells[0].small


def test_page_one_has_how_far_apart_single_searches_are_and_at_how_many_connections_alone() -> None:
    lines = dict(card_lines(SEARCHED))
    objective = "the highest rate that the setup keeps up with, with p99 within 200 ms and errors within 0.5 %"
    assert lines["Searches"].startswith("Each run searched for its own capacity; single runs found ")
    assert f". A capacity is {objective}; trials near it fail too. Trials took " in lines["Searches"]
    longest_s = max(measure_s(LOAD, one.capacity_per_s) for each in RESULT.treatments for one in each.searches)
    stall_ms = round(200 + 10 * longest_s)
    assert f" Trials took 2 s or longer (a stall of {stall_ms} ms fails a trial)." in lines["Searches"], "p99 of 200 ms"
    ends = {each.label: [one.capacity_per_s for one in each.searches] for each in RESULT.treatments}
    slow, fast = ends["java-forum gzip=on cpus=1"], ends["java-forum gzip=off cpus=2"]
    assert " found gzip=off cpus=1 " in lines["Searches"]
    assert f"gzip=on cpus=1 {min(slow):.0f} to {max(slow):.0f} /s" in lines["Searches"]
    assert (min(fast), max(fast)) == pytest.approx((1190, 1200), abs=5)
    assert "gzip=off cpus=2 1,190 to 1,200 /s" in lines["Searches"]
    assert "connections" not in lines["Does not show"], "this load sets none"
    assert SEARCHED.planned is not None
    planned = replace(SEARCHED.planned, load=replace(LOAD, settings={**LOAD.settings, "connections": 50}))
    fifty = replace(RECORDING, plan=replace(RECORDING.plan, experiments=(planned, *RECORDING.plan.experiments[1:])))
    assert "other numbers of connections than 50" in leaves_open(pages.experiment(ANALYSIS, fifty))
    assert "Searches" not in dict(card_lines(RUNGS))


def test_searches_that_vary_too_much_are_in_the_order_of_time() -> None:
    varied = Finding(id=TYPICAL_ERROR.id, severity=Severity.DOUBT, says="runs vary", advice="", evidence={})
    first, *others = RESULT.treatments
    searches = tuple(replace(first.searches[0], capacity_per_s=each) for each in (940.0, 960.0, 720.0))
    result = replace(RESULT, treatments=(replace(first, searches=searches), *others), findings=(varied,))
    line = dict(card_lines(replace(SEARCHED, result=result)))["Searches"]
    assert line.startswith("Each run searched for its own capacity; block by block they found ")
    assert " 940, 960 and 720 /s" in line


def dearer(factors: dict[str, float], **changes: object) -> str:
    """Return what is said of more CPUs, where a response of these setups takes this factor of its CPU time."""

    def own(treatment: TreatmentResult) -> TreatmentResult:
        (cost,) = treatment.costs
        spent = cost.subject_cpu_ns_per_answer
        assert spent is not None
        more = replace(spent, value=spent.value * factors.get(treatment.label, 1.0))
        return replace(treatment, costs=(replace(cost, subject_cpu_ns_per_answer=more),))

    treatments = tuple(own(each) for each in RESULT.treatments)
    return cpu_time_with_more_cpus(replace(RESULT, **({"treatments": treatments} | changes)))  # type: ignore[arg-type]


def test_where_the_gain_from_more_cpus_went_is_said_once_a_response_takes_clearly_more_cpu_time() -> None:
    plain, packed = "java-forum gzip=off cpus=2", "java-forum gzip=on cpus=2"
    assert dearer({}) == "", "1.08x and 1.02x explain little"
    assert dearer({plain: 1.5, packed: 1.2}) == (
        "With 2 CPUs rather than 1, each used 2x the CPUs, and a response took 1.61x the CPU time with java-forum, "
        "gzip off and 1.23x with java-forum, gzip on. Why a response took more was not measured."
    )
    assert dearer({plain: 1.5}, growth=RESULT.growth[:1]) == (
        "With 2 CPUs rather than 1, the program used 2x the CPUs, and a response took 1.61x the CPU time. "
        "Why a response took more was not measured."
    )
    assert dearer({plain: 1.5}, growth=()) == ""
    unread = tuple(replace(each, limits=()) for each in RESULT.treatments)
    assert dearer({}, treatments=unread) == "", "nothing is made up of what was not read"


def test_cpus_in_use_are_those_at_the_highest_load_that_held_not_those_under_overload() -> None:
    (limit,) = RESULT.treatments[0].limits
    over = replace(limit, case=Case({"overload_percent": 200}), subject_cpus=1e-9)
    treatments = tuple(replace(each, limits=(*each.limits, over)) for each in RESULT.treatments)
    plain = replace(RESULT, treatments=treatments)
    spent = {each.label: each.costs[0].subject_cpu_ns_per_answer for each in plain.treatments}
    more = tuple(
        replace(each, costs=(replace(each.costs[0], subject_cpu_ns_per_answer=replace(own, value=own.value * 2)),))
        if each.label.endswith("2") and (own := spent[each.label])
        else each
        for each in plain.treatments
    )
    assert "each used 2x the CPUs" in cpu_time_with_more_cpus(replace(plain, treatments=more))


def test_a_reader_learns_what_link_the_responses_would_fill_unless_they_went_over_one() -> None:
    capacity = next(each.estimate.value for each in RESULT.treatments[2].cells if each.metric == "capacity_per_s")
    (cost,) = RESULT.treatments[2].costs
    assert cost.received_bytes_per_answer is not None
    filled = 8 * cost.received_bytes_per_answer.value * capacity * 1514 / 1448
    assert link_sentence(ANALYSIS, RECORDING) == (
        f" The responses measured would fill about {filled / 1e9:.2f} Gbit/s of a link with all headers (question 1, "
        "java-forum on 2 CPUs with gzip off, the most of all). Over a slower one, setups that fill it are equally "
        "fast; its delay adds to each response time."
    )
    first, *others = RECORDING.plan.experiments
    linked = replace(first, treatments=tuple(replace(each, link=Link(1000)) for each in first.treatments))
    away = replace(RECORDING, plan=replace(RECORDING.plan, experiments=(linked, *others)))
    assert link_sentence(ANALYSIS, away) == "", "bytes of no other question were counted"


@pytest.mark.parametrize(
    ("limits", "start"), [(("cpu", "driver"), "nginx: at least "), (("driver", "cpu"), "nginx: 4")]
)
def test_a_value_that_the_load_generator_limited_may_be_higher(limits: tuple[Resource, Resource], start: str) -> None:
    cases = [Case.parse(f"rate_per_s={rate}") for rate in (250, 4000)]
    found = tuple(Limit(case, resource) for case, resource in zip(cases, limits, strict=True))
    arms = tuple(replace(each, limits=found) for each in LADDER_RESULT.treatments)
    (_, nginx) = measured_sentences(replace(LADDER_RESULT, treatments=arms))
    assert nginx.startswith(start)
