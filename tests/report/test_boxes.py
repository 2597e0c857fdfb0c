"""How it was measured, what it does not test, and how to repeat it: each line from a fact of the study."""

from dataclasses import replace

import pytest

from headtohead.model.analysis.card import MeanPeak
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import Analysis, TreatmentResult
from headtohead.model.case import Case
from headtohead.model.machine.host import Fact
from headtohead.model.machine.link import Link
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import LoadRecord, Phase, Recorded, Recording
from headtohead.model.study.workload import Load
from headtohead.report.study.method import method_terms
from headtohead.report.study.page_one.what_was_not_tested import FIRST, untested_terms
from headtohead.report.study.reproduce import raw_data_terms, reproduction_terms
from tests.report import pages
from tests.report.plans import EXPERIMENTS, PLAN
from tests.report.sample import ANALYSIS, RECORDING

STATIC = EXPERIMENTS[0]


def made(recording: Recording = RECORDING, analysis: Analysis = ANALYSIS) -> dict[str, str]:
    return dict(method_terms(analysis, recording))


def left_open(recording: Recording = RECORDING, analysis: Analysis = ANALYSIS) -> dict[str, str]:
    return dict(untested_terms(analysis, recording))


def planned(*experiments: PlannedExperiment) -> Recording:
    return replace(RECORDING, plan=replace(PLAN, experiments=experiments))


def one_run(*records: LoadRecord, **changes: object) -> Recording:
    first = RECORDING.runs[0]
    run = replace(first.run, **changes)  # type: ignore[arg-type]
    return replace(RECORDING, runs=(Recorded(run, records, None),))


def load_record(right: int) -> LoadRecord:
    return LoadRecord("local", Case({"connections": 10}), "closed", 1, 0, 1, right, right, {}, {})


def test_one_program_that_differs_from_question_to_question_is_named() -> None:
    again = replace(STATIC, name="again")
    result = ANALYSIS.experiments[0]
    slower = tuple(
        replace(each, primary=replace(each.primary, value=0.8 * each.primary.value, interval=_scaled(each.primary)))
        if each.primary
        else each
        for each in result.treatments
    )

    def told(*treatments: TreatmentResult) -> str:
        both = replace(ANALYSIS, experiments=(result, replace(result, name="again", treatments=treatments)))
        return left_open(planned(STATIC, again), both)["Other hours"]

    text = told(*slower)
    assert text.endswith(" correct responses/s in questions 1 and 2.")
    assert "; another hour may differ: " in text
    assert ", with the same settings of its own, had " in text
    assert told(*result.treatments).endswith("another hour may differ."), "equal values need no word"
    other = replace(again, treatments=tuple(replace(each, settings={"workers": 8}) for each in again.treatments))
    both = replace(ANALYSIS, experiments=(result, replace(result, name="again", treatments=slower)))
    assert "settings" not in left_open(planned(STATIC, other), both)["Other hours"], "other settings, other values"
    longer = replace(again, load=replace(again.load, settings={"think_s": 1.0}))
    assert "settings" not in left_open(planned(STATIC, longer), both)["Other hours"], "another load, other values"


def _scaled(estimate: Estimate) -> Interval:
    ends = estimate.interval or Interval(estimate.value, estimate.value, 0.95)
    return Interval(0.8 * ends.low, 0.8 * ends.high, ends.confidence)


def test_the_order_names_its_seed() -> None:
    assert "(seed 20261120)" in made()["Order"]


def test_orders_that_are_balanced_are_named() -> None:
    assert "balanced" not in made()["Order"]
    even = made(planned(replace(STATIC, orders="balanced")))["Order"]
    assert even.endswith(f" In {STATIC.name} orders are balanced: each setup comes after each other equally often.")


def test_the_seconds_of_work_of_each_figure_are_named() -> None:
    load = Load("batch", {}, {"seconds": 0.6})
    assert made(planned(replace(STATIC, load=load)))["Warm-up"] == (
        "Left to the program, then 0.6 s of work for each figure."
    )


def test_price_and_power_that_are_not_known_are_named() -> None:
    assert left_open()["Price and power"] == "Neither is known."


def test_experiments_made_alike_are_told_together() -> None:
    assert made()["Blocks and checks"].startswith(
        "6 of at most 10 blocks, checked after 6 and 10 (static-page, rsa and kernel-sweep); "
        "10 of at most 10 blocks, checked after 6 and 10 (threads)."
    )
    assert made()["Load generator"] == (
        "On CPU 1, never one of the program's (static-page and threads); "
        "none: the program generates its own work (rsa and kernel-sweep)."
    )


def test_a_lone_experiment_is_not_named() -> None:
    assert made(planned(STATIC))["Warm-up"] == "1 s, then 3 s measured, in each case."


def test_where_requests_end_the_time_they_are_told_and_no_time() -> None:
    three = replace(STATIC, load=replace(STATIC.load, settings={**STATIC.load.settings, "requests": 3}))
    assert made(planned(three))["Warm-up"] == "1 s, then 3 requests measured, in each case."


def test_a_driver_that_shared_the_subjects_cpus_is_said_to() -> None:
    both = tuple(replace(each, cpus=(0, 1)) for each in STATIC.treatments)
    assert made(planned(replace(STATIC, treatments=both)))["Load generator"] == "On CPU 1, shared with the program."


def test_answers_are_counted_in_valid_runs_alone() -> None:
    assert (
        "12 responses were correct, none wrong (status and length"
        in made(one_run(load_record(7), load_record(5)))["Checked"]
    )
    assert "Checked" not in made(one_run(load_record(7), status="invalid"))


def test_one_machine_is_said_to_be_one_and_its_loopback_to_be_no_network() -> None:
    assert left_open()["A network"] == (
        "The load generator ran on the same machine, over the loopback; they shared memory and caches."
    )
    linked = tuple(replace(each, link=Link(1000)) for each in STATIC.treatments)
    assert left_open(planned(replace(STATIC, treatments=linked)))["A network"].startswith(
        "The load generator ran on the same machine, over a link inside the kernel;"
    )
    away = one_run(hosts={"sut": "one", "drivers": ("other",)})
    assert not {"A network", "Other machines"} & set(left_open(away))


def test_only_a_virtual_machine_is_called_one() -> None:
    assert "(KVM)" in left_open()["Bare hardware"]
    bare = replace(RECORDING.hosts[0], facts=(Fact("virtualization", "hypervisor", "none", None, "lscpu"),))
    assert "Bare hardware" not in left_open(replace(RECORDING, hosts=(bare,)))


@pytest.mark.parametrize("taken", [True, False])
def test_memory_that_goes_back_to_the_host_is_told(taken: bool) -> None:
    facts = (Fact("virtualization", "free memory taken back", taken, None, "/sys"),)
    told = left_open(replace(RECORDING, hosts=(replace(RECORDING.hosts[0], facts=facts),)))
    assert ("Dedicated memory" in told) == taken


def test_only_a_closed_loop_leaves_those_out_who_come_anyway() -> None:
    term = "Open-loop traffic"
    assert "In questions 1 and 4 each user" in left_open()[term]
    opened = replace(STATIC, load=replace(STATIC.load, loop="open"))
    assert term not in left_open(planned(opened))
    assert left_open(planned(opened))["Other loads"] == "Only these were measured: 10 and 100 connections."


@pytest.mark.parametrize(("bytes_per_s", "cached"), [(0.0, True), (9e5, True), (2e6, False), (None, False)])
def test_data_came_from_memory_only_where_next_to_nothing_was_read(bytes_per_s: float | None, cached: bool) -> None:
    first = ANALYSIS.experiments[0]
    read = MeanPeak(bytes_per_s, None)
    cards = [replace(each.card, disk_read_bytes_per_s=read) for each in first.treatments if each.card]
    treatments = tuple(replace(each, card=card) for each, card in zip(first.treatments, cards, strict=True))
    study = replace(ANALYSIS, experiments=(replace(first, treatments=treatments),))
    assert ("Data larger than memory" in left_open(planned(STATIC), study)) == cached


def test_a_program_in_two_versions_is_not_called_one() -> None:
    assert "Other versions" in left_open()
    others = [replace(each, run=replace(each.run, versions={"nginx": str(each.run.run)})) for each in RECORDING.runs]
    assert "Other versions" not in left_open(replace(RECORDING, runs=tuple(others)))


def test_the_longest_run_tells_what_time_would_have_shown() -> None:
    text = left_open(one_run(phases=(Phase("measure", None, 0, 90_000_000_000),)))["Long-run effects"]
    assert text.startswith("No run lasted longer than 1 min 30 s")
    rounded = left_open(one_run(phases=(Phase("measure", None, 0, 9_010_000_000),)))["Long-run effects"]
    assert rounded == "No run lasted longer than 9.1 s.", "never less than it was"
    assert "Long-run effects" not in left_open(one_run(phases=(Phase("measure", None, 0, 4_000_000_000_000),)))


def test_to_repeat_it_one_types_one_line_and_knows_versions_and_checksums() -> None:
    data = {"set": "pages", "scale": 1.0, "seed": 7, "sha256": "abc", "state": "kept"}
    told = dict(reproduction_terms(ANALYSIS, one_run(data=data, versions={"nginx": "nginx/1.22.1"})))
    assert told["Measure again"] == "headtohead run 2026-11-20-first/study.toml"
    assert told["Package"] == "headtohead 0.1.0"
    assert told["Program, nginx"] == "nginx/1.22.1"
    assert told["Data set pages, scale 1, seed 7, sha256"] == "abc"
    assert told["Study, sha256"] == PLAN.study_sha256


def test_to_repeat_it_one_knows_whose_content_it_was_by_its_checksum() -> None:
    sums = {"../shared/workloads/mine": "b" * 64, "my.json": "c" * 64, "subjects/mine": "a" * 64}
    recording = replace(RECORDING, plan=replace(PLAN, own=sums, own_study="mine.toml"))

    told = dict(reproduction_terms(ANALYSIS, recording))
    page = pages.markdown(ANALYSIS, recording)

    own = {name: value for name, value in told.items() if name.startswith("Your own")}
    assert own == {f"Your own {path}, sha256": checksum for path, checksum in sums.items()}
    assert told["Measure again"] == "headtohead run mine.toml (in its folder, where your own content is)"
    assert all(f"Your own {path}, sha256" in page and checksum in page for path, checksum in sums.items())
    assert not any(name.startswith("Your own") for name, _ in reproduction_terms(ANALYSIS, RECORDING))


def test_only_files_that_some_run_has_are_named() -> None:
    assert "runs/NNNN/readings.csv" not in dict(raw_data_terms(RECORDING))
    assert "runs/NNNN/readings.csv" in dict(raw_data_terms(one_run(files={"readings.csv": "sha256:1"})))
    assert "runs/NNNN/run.json" not in dict(raw_data_terms(replace(RECORDING, runs=())))


def test_the_span_of_the_study_is_named_among_what_it_does_not_show() -> None:
    assert left_open()["Other hours"].startswith("All runs took ")
    assert "Other hours" not in left_open(one_run(started_at="not an instant"))


def test_page_one_names_what_a_verdict_is_about_and_how_often_it_holds_with_rare_stalls() -> None:
    assert left_open()["Rare slow runs"].startswith("Verdicts are about average runs")
    text = left_open()["Rare slow runs, in numbers"]
    assert (
        "stalls in 15 of 100 runs, 76 to 84 of 100 intervals include the true change, not 95; 90 with a long tail of "
        "slow runs." in text
    )
    assert "Of 2 setups" not in text
    assert "Rare slow runs" in list(left_open())[:FIRST]


@pytest.mark.parametrize(
    ("comparisons", "end"),
    [
        (2, "Of 2 comparisons, all intervals include it in 62 to 72 with stalls, in 87 with long tails."),
        (7, "all intervals include it in at most 43 to 58 with stalls, in 81 with long tails."),
    ],
)
def test_page_one_names_how_often_all_intervals_of_several_setups_hold(comparisons: int, end: str) -> None:
    of = replace(STATIC, comparisons=STATIC.comparisons[:1] * comparisons, looks=(6, 10))
    assert left_open(planned(of))["Rare slow runs, in numbers"].endswith(end)


def test_page_one_names_how_often_carry_over_is_found_in_few_blocks() -> None:
    told = left_open()
    assert told["Run-to-run effects"] == (
        "If each run slowed the next by 6 %, only 11 to 24 of 100 studies of 6 blocks would notice."
    )
    assert "Run-to-run effects" in list(told)[:FIRST]
