"""Page one says why: what the work took, whether that explains the answer, and no time that is the load generator's."""

from dataclasses import replace

from headtohead.model.analysis.card import MeanPeak
from headtohead.model.analysis.comparison import ComparisonResult, Exploratory
from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.estimates import Cell, Estimate, Interval
from headtohead.model.analysis.limit import Limit
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.analysis.suite import Suite, SuiteCase
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.study.workload import DataSet, OwnFile
from headtohead.report.context import StudyContext
from headtohead.report.document import Fold, Items, Text
from headtohead.report.study.page_one.answer_with_badge import OPEN_FOR_EACH, answer_of
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.card.why import ACKNOWLEDGMENTS
from headtohead.report.study.page_one.conclusion import conclusion, conclusion_section, open_advice
from headtohead.report.study.page_one.what_was_not_tested import untested_terms
from headtohead.report.study.section_of_each_question import FEW, experiment_sections
from headtohead.report.study.study_page import study_page
from headtohead.report.text.setup_names import short
from headtohead.report.text.verdicts import verdict_text
from tests.report.sample import ANALYSIS, RECORDING

STATIC, RSA, COPIES = ANALYSIS.experiments[:3]
APACHE, NGINX, NOOP = STATIC.treatments
ONE, TWO = COPIES.treatments


def told(result: ExperimentResult) -> dict[str, str]:
    (context,) = StudyContext(replace(ANALYSIS, experiments=(result,)), RECORDING).experiments
    return dict(card_lines(context.in_words()))


def costing(treatment: TreatmentResult, *cpu_ns: float) -> TreatmentResult:
    costs = tuple(Cost(Case({"connections": n}), Estimate(each, None, 6), None) for n, each in enumerate(cpu_ns))
    return replace(treatment, costs=costs)


RATE = "This restates the rate"


def idle(treatment: TreatmentResult) -> TreatmentResult:
    """Return a setup of which nothing is known to have limited it."""
    return replace(treatment, limits=tuple(replace(each, resource="unknown") for each in treatment.limits))


def test_cpu_time_explains_nothing_if_every_setup_kept_as_many_cpus_full_as_it_is_the_rate_inverted() -> None:
    full = replace(STATIC, treatments=(costing(APACHE, 41e3, 46e3), costing(NGINX, 12e3, 13e3)))
    assert told(full)["Why"] == (
        "Both filled their CPU: a response took 12.5 \u00b5s of it with nginx and 43.4 \u00b5s with Apache HTTP "
        f"Server. {RATE}. Why nginx needs less was not measured."
    )
    floor = replace(full, treatments=(*full.treatments, costing(NOOP, 7e3, 9e3)))
    assert told(floor)["Why"] == told(full)["Why"], "the limit is compared with nothing"
    alike = replace(STATIC, treatments=(costing(APACHE, 12e3), costing(NGINX, 12e3)))
    assert told(alike)["Why"] == "Both were limited by CPU. What makes the difference was not measured."
    open_one = replace(alike, comparisons=(replace(STATIC.comparisons[0], verdict="inconclusive"),))
    assert told(open_one)["Why"] == "No difference is sure; both were limited by CPU.", (
        "without a winner there is nothing to explain"
    )
    assert NGINX.card is not None
    wider = replace(costing(NGINX, 12e3), card=replace(NGINX.card, cpus=(0, 1)))
    assert told(replace(full, treatments=(costing(APACHE, 41e3), wider)))["Why"].startswith("CPU time per response: ")


def test_gains_in_other_cases_than_that_of_the_answer_are_on_the_card() -> None:
    text = told(RSA)["Also measured"]
    assert "). Operation verify 1.9" in text, text
    assert text.startswith(
        "1.97x with bits 2048 and 1.98x with bits 4096 (at the stricter 99.4 %: at least 1.93x and 1.9"
    )
    assert text.count("x to ") == 1
    assert text.endswith(" at 99.4 %)."), "a level above that of the answer"
    twice = replace(RSA, comparisons=(*RSA.comparisons, replace(RSA.comparisons[0], baseline="x")))
    assert "Also measured" not in told(twice), "of which pair they are would be open"


def test_a_gain_in_another_case_has_every_field_of_its_case() -> None:
    key = {"key": ("rsa2048",)}
    plan = replace(
        RECORDING.plan,
        experiments=tuple(
            replace(
                each, summaries=tuple(replace(summary, where={**key, **summary.where}) for summary in each.summaries)
            )
            for each in RECORDING.plan.experiments
        ),
    )
    result = replace(RSA, primary=replace(RSA.primary, where={**key, **RSA.primary.where}))
    study = StudyContext(replace(ANALYSIS, experiments=(result,)), replace(RECORDING, plan=plan))
    text = dict(card_lines(study.experiments[0].in_words()))["Also measured"]
    assert "Key rsa2048, operation verify 1.9" in text, text
    fourth = Case({"key": "rsa4096", "operation": "verify"})
    (pair,) = result.comparisons
    ratio = Exploratory(fourth, result.primary.of, Estimate(1.5, Interval(1.4, 1.6, 0.993), 6), 0.03)
    cell = Cell(fourth, result.primary.of, ratio.ratio)
    both = tuple(replace(each, cells=(*each.cells, cell)) for each in RSA.treatments)
    found = replace(result, comparisons=(replace(pair, exploratory=(ratio,)),), treatments=both)
    study = StudyContext(replace(ANALYSIS, experiments=(found,)), replace(RECORDING, plan=plan))
    text = dict(card_lines(study.experiments[0].in_words()))["Also measured"]
    assert "; key rsa4096, operation verify 1.50x (1.40x to 1.60x at 9" in text, "no summary is of it"


def test_data_that_came_from_memory_are_named_with_what_is_not_shown() -> None:
    from_memory = "data from disk (here from memory)"
    (planned, *_) = RECORDING.plan.experiments
    with_data = replace(planned, data=DataSet("pages", 1.0, 1, "kept"))
    plan = replace(RECORDING.plan, experiments=(with_data, *RECORDING.plan.experiments[1:]))
    for read, shown in ((0.0, True), (5e6, False)):
        read_so = tuple(
            replace(each, card=replace(each.card, disk_read_bytes_per_s=MeanPeak(read, read)))
            for each in STATIC.treatments
            if each.card
        )
        analysis = replace(ANALYSIS, experiments=(replace(STATIC, treatments=read_so),))
        (context,) = StudyContext(analysis, replace(RECORDING, plan=plan)).experiments
        assert (from_memory in dict(card_lines(context.in_words()))["Does not show"]) is shown


def test_a_step_in_the_runs_of_a_setup_is_on_its_card() -> None:
    says = "nginx: the last 4 of 10 runs are 3.9 % below those before (p 2e-05)."
    found = Finding("step", Severity.NOTE, says, "Look.", {})
    assert told(replace(STATIC, findings=(found,)))["Over time"] == (
        "nginx: the last 4 of 10 runs are 3.9 % below those before."
    )


def test_the_cpus_of_server_and_load_generator_are_on_the_card() -> None:
    assert told(STATIC)["CPUs"] == "Each server had 1 of 2 CPUs, the load generator the other."
    needing = [
        replace(each, card=replace(each.card, versions={each.subject: "1", "mariadb": "2"}))
        for each in (APACHE, NGINX)
        if each.card
    ]
    assert told(replace(STATIC, treatments=tuple(needing)))["CPUs"] == (
        "Each server, with mariadb, had 1 of 2 CPUs, the load generator the other."
    )
    assert "CPUs" not in told(RSA), "without a load generator the names of the setups have them"
    shared = [replace(each, card=replace(each.card, driver_cpus=(0,))) for each in (APACHE, NGINX) if each.card]
    assert (
        told(replace(STATIC, treatments=tuple(shared)))["CPUs"] == "The load generator shared the CPUs of the servers."
    )


def test_less_cpu_time_per_response_is_the_likely_reason_if_the_winner_needs_less_in_every_case() -> None:
    cheaper = replace(STATIC, treatments=(costing(APACHE, 41e3, 46e3), idle(costing(NGINX, 12e3, 13e3))))
    assert told(cheaper)["Why"].startswith(
        "CPU time per response: 41.0 to 46.0 \u00b5s (Apache HTTP Server); 12.0 to 13.0 \u00b5s (nginx). "
        "That is the likely reason."
    )
    held_by = replace(STATIC, treatments=(idle(costing(APACHE, 41e3, 46e3)), idle(costing(NGINX, 12e3, 13e3))))
    assert "(nginx). That may be why. What limited" in told(held_by)["Why"], "what held the loser back is not known"
    overlapping = replace(STATIC, treatments=(costing(APACHE, 41e3, 46e3), idle(costing(NGINX, 12e3, 43e3))))
    assert "likely" not in told(overlapping)["Why"]
    a_little = replace(STATIC, treatments=(costing(APACHE, 46e3), idle(costing(NGINX, 42e3))))
    assert "likely" not in told(a_little)["Why"], "a tenth does not explain several times as much"
    (pair,) = STATIC.comparisons
    assert "likely" not in told(replace(cheaper, comparisons=(replace(pair, verdict="inconclusive"),)))["Why"]


def test_a_link_that_limited_the_loser_alone_is_the_likely_reason_and_cpu_time_is_not() -> None:
    def behind(treatment: TreatmentResult) -> TreatmentResult:
        return replace(treatment, limits=tuple(replace(each, resource="link") for each in treatment.limits))

    loser, winner = costing(APACHE, 41e3, 46e3), costing(NGINX, 12e3, 13e3)
    assert told(replace(STATIC, treatments=(behind(loser), winner)))["Why"] == (
        "CPU time per response: 41.0 to 46.0 \u00b5s (Apache HTTP Server); 12.0 to 13.0 \u00b5s (nginx). "
        "What limited each: the link (Apache HTTP Server); CPU (nginx). The link is the likely reason."
    )
    both = told(replace(STATIC, treatments=(behind(loser), behind(winner))))["Why"]
    assert both.endswith("Both were limited by the link. What makes the difference was not measured.")
    assert "likely" not in both
    assert "likely reason. What" in told(replace(STATIC, treatments=(loser, behind(winner))))["Why"]


def per_copy(*, one: float, two: float) -> ExperimentResult:
    """Return that each of two copies is 5 % slower, and how many CPUs one and both kept busy."""
    assert ONE.card is not None
    busy = [replace(each, card=replace(ONE.card, subject_cpus_busy=cpus)) for each, cpus in ((ONE, one), (TWO, two))]
    return replace(
        COPIES,
        metric=replace(COPIES.metric, per="copies"),
        comparisons=(slower(COPIES.comparisons[0]),),
        treatments=tuple(busy),
        suites=(),
    )


def slower(pair: ComparisonResult) -> ComparisonResult:
    return replace(pair, verdict="worse", ratio=Estimate(0.945, Interval(0.926, 0.965, 0.95), 6), scaling=None)


def test_the_cpu_that_each_copy_had_is_the_likely_reason_if_it_explains_most_of_the_change() -> None:
    assert told(per_copy(one=0.96, two=1.84))["Why"].startswith(
        "CPUs busy per copy: 0.96 (1 copy); 0.92 (2 copies). That is the likely reason."
    )
    assert told(per_copy(one=0.96, two=1.91))["Why"] == (
        "Busy CPUs may compute or wait for memory: not visible here."
    ), "0.96 and 0.96 explain nothing"


def test_whether_each_copy_could_have_a_cpu_of_its_own_is_on_the_card_and_whether_these_are_cores() -> None:
    lines = told(per_copy(one=0.96, two=1.84))
    assert lines["CPUs"] == "2 in both setups: each copy could have its own."
    assert lines["Does not show"].endswith("hether vCPUs share cores.")
    cramped = [replace(each, card=replace(each.card, cpus=(0,))) for each in COPIES.treatments if each.card]
    result = replace(per_copy(one=0.96, two=0.96), treatments=tuple(cramped))
    assert told(result)["CPUs"] == "1 in both setups: 2 copies took turns."


def test_what_copies_do_in_all_is_on_the_card_with_its_interval() -> None:
    assert told(per_copy(one=0.96, two=1.84))["Together"] == (
        "2 copies together do 1.89x the work of 1 copy (each copy's figure times 2; interval 1.85x to 1.93x), on "
        "average over the work measured."
    )
    assert "Together" not in told(STATIC)


def test_times_at_a_load_that_the_load_generator_limited_are_left_out() -> None:
    assert "At full load with 100 connections" in told(STATIC)["Response time"]
    waited = Limit(Case({"connections": 100}), "driver", driver_delay_share=0.57)
    limited = replace(STATIC, treatments=(replace(APACHE, limits=(waited,)), NGINX))
    assert "With 10 connections" in told(limited)["Response time"]
    both = replace(waited, case=Case({"connections": 10}))
    assert "Response time" not in told(replace(STATIC, treatments=(replace(APACHE, limits=(waited, both)), NGINX)))


def test_memory_on_the_card_is_that_of_the_tables() -> None:
    cell = next(each for each in NGINX.cells if each.metric == "subject_memory_peak_bytes")
    assert f"nginx: {cell.estimate.value / 2**20:.2f} MiB" in told(STATIC)["Peak memory"]
    alike = replace(STATIC, treatments=(replace(APACHE, cells=NGINX.cells), NGINX))
    assert told(alike)["Peak memory"] == f"{cell.estimate.value / 2**20:.2f} MiB each."
    one = replace(alike, treatments=tuple(replace(each, subject="nginx") for each in alike.treatments))
    assert "Peak memory" not in told(one), "one program needs what it needs"


def test_one_gain_is_rounded_alike_wherever_it_is_shown() -> None:
    (pair,) = RSA.comparisons
    assert pair.scaling is not None
    gain = replace(pair.scaling, gain=0.79, interval=Interval(0.572, 1.04, 0.95), efficiency=0.895)
    ratio = Estimate(1.79, Interval(1.572, 2.04, 0.95), 6)
    result = replace(RSA, comparisons=(replace(pair, ratio=ratio, scaling=gain),))
    sentence = verdict_text(result.comparisons[0], result).sentence
    assert "1.79x" in sentence
    assert "(interval 1.57x to 2.04x" in sentence
    assert "That is 90 % of the ideal 2x (79 % to 102 %), so it cannot be distinguished from 2x." in sentence
    (advice,) = conclusion(replace(ANALYSIS, experiments=(result,)), RECORDING)
    assert "at least 1.57x the rate (ideal 2x)" in advice.lines[0]


def test_of_many_questions_each_section_is_folded_as_page_one_has_its_card() -> None:
    many = replace(ANALYSIS, experiments=(STATIC,) * (FEW + 1))
    found = [each for each in study_page(many, RECORDING, pictures=False).sections if each.kicker]
    assert len(found) == FEW + 1
    assert all(each.folded for each in found)
    few = [each for each in study_page(ANALYSIS, RECORDING, pictures=False).sections if each.kicker]
    assert few
    assert not any(each.folded for each in few)


def test_copies_that_do_more_in_all_are_advised_while_only_the_speed_of_each_is_open() -> None:
    worse = per_copy(one=0.96, two=1.91)
    ratio = Estimate(0.979, Interval(0.958, 1.002, 0.97), 10)
    pair = replace(worse.comparisons[0], verdict="inconclusive", ratio=ratio, blocks_needed=67)
    study = StudyContext(replace(ANALYSIS, experiments=(replace(worse, comparisons=(pair,)),)), RECORDING)
    (section,) = conclusion_section(study)
    lines = [line for each in section.blocks if isinstance(each, Items) for line in each.lines]
    assert (
        lines[0]
        == "To get more work done, run 2 copies: at least 1.91x the work of 1 copy, on average over the work measured."
    )
    assert lines[1].startswith("whether each of 2 copies is within 3 % of 1 copy alone; about ")
    assert lines[1].endswith(" more (57 blocks) may decide.")
    assert answer_of(study.experiments[0]).badge == OPEN_FOR_EACH
    maybe = replace(pair, ratio=replace(ratio, interval=Interval(0.48, 1.1, 0.97)))
    unsure = StudyContext(replace(ANALYSIS, experiments=(replace(worse, comparisons=(maybe,)),)), RECORDING)
    assert answer_of(unsure.experiments[0]).badge == "open"
    few = StudyContext(
        replace(study.analysis, experiments=(replace(worse, comparisons=(pair,), blocks_done=3),)), RECORDING
    )
    assert answer_of(few.experiments[0]).badge == "open", "too few blocks for any verdict"
    slower_yet = replace(pair, blocks_needed_for="winner")
    study = StudyContext(replace(ANALYSIS, experiments=(replace(worse, comparisons=(slower_yet,)),)), RECORDING)
    (open_line,) = next(open_advice(study)).lines
    assert open_line.startswith("whether each of 2 copies is slower than 1 copy alone; about ")
    assert pair.ratio is not None
    below = replace(slower_yet, ratio=replace(pair.ratio, interval=Interval(0.9, 0.99, 0.972)))
    sure = StudyContext(replace(ANALYSIS, experiments=(replace(worse, comparisons=(below,)),)), RECORDING)
    (open_line,) = next(open_advice(sure)).lines
    assert open_line.startswith("whether each of 2 copies is called slower than 1 copy alone; about ")


def test_a_total_over_kernels_names_the_lowest_of_them() -> None:
    result = per_copy(one=0.96, two=1.84)
    (pair,) = result.comparisons
    ratios = {"fft": 0.98, "stream-triad": 0.88, "matrix-multiply": 1.015}
    cases = tuple(
        SuiteCase(Case({"kernel": name}), Estimate(each, None, 6), tail=False) for name, each in ratios.items()
    )
    assert pair.ratio is not None
    suite = Suite(pair.other, pair.baseline, False, pair.ratio, None, 1.05, None, None, False, None, cases)
    assert told(replace(result, suite="kernel", suites=(suite,)))["Together"] == (
        "2 copies together do 1.89x the work of 1 copy (each copy's figure times 2; interval 1.85x to 1.93x), on "
        "average; lowest: stream-triad, 1.76x."
    )
    sure = tuple(replace(each, ratio=Estimate(each.ratio.value, Interval(0.8, 1.1, 0.998), 6)) for each in cases)
    line = told(replace(result, suite="kernel", suites=(replace(suite, cases=sure),)))["Together"]
    assert line.endswith("; lowest: stream-triad, 1.76x (1.60x to 2.20x at 99.8 %).")


def test_what_to_do_has_the_low_end_of_the_kernel_whose_interval_ends_lowest() -> None:
    worse = per_copy(one=0.96, two=1.91)
    (pair,) = worse.comparisons
    ends = {"fft": (0.97, 0.98, 0.99), "stream-triad": (0.6189, 0.88, 1.2), "matrix-multiply": (1.0, 1.015, 1.03)}
    cases = tuple(
        SuiteCase(Case({"kernel": name}), Estimate(size, Interval(low, high, 0.998), 6), tail=False)
        for name, (low, size, high) in ends.items()
    )
    assert pair.ratio is not None
    like = Interval(0.663, 1.049, 0.972)
    suite = Suite(pair.other, pair.baseline, False, pair.ratio, like, 1.05, None, None, False, None, cases)
    open_one = replace(pair, verdict="inconclusive", blocks_needed=67)
    result = replace(worse, comparisons=(open_one,), suite="kernel", suites=(suite,))
    study = StudyContext(replace(ANALYSIS, experiments=(result,)), RECORDING)
    lines = [line for section in conclusion_section(study) for each in section.blocks for line in _lines(each)]
    assert any(
        line.endswith(
            "the work of 1 copy, on average over these kernels; for a single one of them at least 1.23x (stream-triad)."
        )
        for line in lines
    ), lines
    told_of = dict(card_lines(study.experiments[0].in_words()))
    of_all = "even the mean of all like these may be 34 % slower to 5 % faster, a single one far outside"
    assert f"our own kernel: {of_all}" in told_of["Does not show"]


def _lines(block: object) -> tuple[str, ...]:
    return block.lines if isinstance(block, Items) else ()


def test_one_of_two_setups_that_had_more_cpus_has_its_share_of_cpu_time_as_the_reason() -> None:
    full = tuple(
        replace(
            each,
            limits=(Limit(Case(), "cpu"),),
            card=replace(each.card, cpus=tuple(range(at + 1)), subject_cpus_busy=busy),
        )
        for at, (each, busy) in enumerate(zip(RSA.treatments, (0.968, 1.9186), strict=True))
        if each.card
    )
    assert told(replace(RSA, treatments=full))["Why"] == (
        "Both filled their CPUs: with 2 CPUs the program had 1.98x the CPU time of 1 CPU, over all cases."
    )
    case, other = Case({"key": "rsa2048", "operation": "sign"}), Case({"key": "rsa4096", "operation": "sign"})
    by_case = tuple(
        replace(each, limits=(Limit(case, "cpu", subject_cpus=cpus), Limit(other, "cpu", subject_cpus=1.0)))
        for each, cpus in zip(full, (0.9677, 1.913), strict=True)
    )
    asked = replace(RSA.primary, where={"key": ("rsa2048",), "operation": ("sign",)})
    assert told(replace(RSA, treatments=by_case, primary=asked))["Why"].endswith("had 1.98x the CPU time of 1 CPU.")
    one_thread = tuple(replace(each, limits=(Limit(Case(), "parallelism"),)) for each in full)
    assert "filled" not in told(replace(RSA, treatments=one_thread))["Why"]


def test_batch_work_names_its_kinds_and_how_many_processes_worked_in_setups_with_other_cpus() -> None:
    (planned,) = (each for each in RECORDING.plan.experiments if each.name == RSA.name)
    cases = {"key": ("rsa2048",), "operation": ("sign", "verify"), "processes": (2,)}
    load = replace(planned.load, cases=cases)
    plan = replace(RECORDING.plan, experiments=(replace(planned, load=load),))
    both = tuple(
        replace(each, cells=(Cell(Case({"processes": 2}), RSA.primary.of, Estimate(1.0, None, 6)),))
        for each in RSA.treatments
    )
    result = replace(RSA, treatments=both)
    study = StudyContext(replace(ANALYSIS, experiments=(result,)), replace(RECORDING, plan=plan))
    (context,) = study.experiments
    assert (
        dict(card_lines(context.in_words()))["Processes"]
        == "2 at work in both setups; with fewer CPUs they took turns."
    )
    (section,) = experiment_sections(study)
    (detail, *_) = section.blocks
    assert isinstance(detail, Fold)
    about = next(each.text for each in detail.blocks if isinstance(each, Text))
    assert "Measured here: key rsa2048, operation sign and verify." in about


def test_a_wait_for_acknowledgments_is_the_reason_and_not_the_cpu_time() -> None:
    waits = Finding(ACKNOWLEDGMENTS, Severity.DOUBT, "It waits.", "Set TCP_NODELAY.", {}, of=(APACHE.label,))
    slow = replace(STATIC, findings=(waits,), treatments=(costing(idle(APACHE), 172e3), costing(NGINX, 11.6e3)))
    assert told(slow)["Why"] == (
        "Apache HTTP Server waits 40 ms a response for a TCP acknowledgment, with its CPU mostly idle: that is the "
        "likely reason, not the work."
    )
    both = replace(waits, of=(NGINX.label,))
    assert "acknowledgment" not in told(replace(slow, findings=(waits, both)))["Why"], "then it explains nothing"


def test_a_bare_number_does_not_name_a_setup() -> None:
    levels = replace(STATIC, treatments=(replace(APACHE, label="gzip 9"), replace(NGINX, label="gzip 1")))
    assert [short(each, levels) for each in levels.treatments] == ["gzip 9", "gzip 1"]
    workers = replace(
        STATIC, treatments=(replace(APACHE, label="nginx 1 worker"), replace(NGINX, label="nginx 2 workers"))
    )
    assert [short(each, workers) for each in workers.treatments] == ["1 worker", "2 workers"]


def test_a_bare_level_does_not_name_a_setup_and_its_factor_stays() -> None:
    def named(*labels: str) -> list[str]:
        both = zip((APACHE, NGINX), labels, strict=True)
        result = replace(STATIC, treatments=tuple(replace(each, label=label) for each, label in both))
        return [short(each, result) for each in result.treatments]

    assert named("nginx with gzip off", "nginx with gzip on") == ["gzip off", "gzip on"]
    assert named("X with engine A and tuning ours", "X with engine A and tuning theirs") == [
        "tuning ours",
        "tuning theirs",
    ]
    assert named("Board in PHP", "Board in Java") == ["PHP", "Java"]
    assert named("nginx with gzip on", "nginx with gzip on and 2 workers")[0] == "nginx with gzip on"
    assert named("nginx with Debian 12", "nginx with Debian 13") == ["Debian 12", "Debian 13"]


def test_a_file_of_ones_own_was_made_by_no_generator() -> None:
    (static, *_) = RECORDING.plan.experiments
    own = DataSet("my.json", 1, 1, "kept", (OwnFile("my.json", 2, "sha256:0"),))
    plan = replace(RECORDING.plan, experiments=(replace(static, data=own),))
    assert dict(untested_terms(ANALYSIS, replace(RECORDING, plan=plan)))["Other data"] == (
        "The data were my.json, a file of your own."
    )
