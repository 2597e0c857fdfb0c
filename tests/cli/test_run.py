"""What `run` decides by itself: the exit status, and which folder to go on in."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead import __version__
from headtohead.cli.exit_status import FailIf, ask_verdicts, ask_writable, exit_code, reason, write_verdicts
from headtohead.cli.folders.add_blocks import ask_only, with_more_blocks
from headtohead.cli.folders.folder_of_study import ask_kept, folder_for
from headtohead.cli.progress import BELIEVED_S, Pace, ProgressBar
from headtohead.model.case import WHOLE_RUN
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.plan import Treatment
from headtohead.model.record import BatchRecord
from headtohead.model.study.workload import Load
from headtohead.store import durable, read, write
from headtohead.store.layout import Layout
from headtohead.store.proof import seal
from headtohead.store.proof.inspection import emptied
from tests.report.sample import ANALYSIS
from tests.small import experiment, plan, recorded

OURS = replace(plan(experiment("a")), version=__version__)


def test_a_study_whose_comparisons_all_have_a_verdict_ends_with_0() -> None:
    assert exit_code(replace(ANALYSIS, complete=True)) == 0


def test_a_study_that_is_not_finished_ends_with_1() -> None:
    assert exit_code(replace(ANALYSIS, complete=False)) == 1


def test_a_comparison_that_was_not_measured_ends_with_1() -> None:
    first = ANALYSIS.experiments[0]
    lost = replace(first, comparisons=(replace(first.comparisons[0], verdict="not-measured"),))

    assert exit_code(replace(ANALYSIS, complete=True, experiments=(lost,))) == 1


def test_a_verdict_that_the_caller_calls_a_failure_ends_with_3_even_beside_one_that_was_not_measured() -> None:
    first = ANALYSIS.experiments[0]
    worse, lost = (replace(first.comparisons[0], verdict=each) for each in ("worse", "not-measured"))
    found = replace(ANALYSIS, complete=True, experiments=(replace(first, comparisons=(worse, lost)),))

    assert exit_code(found, fail_if=FailIf.WORSE) == 3
    assert exit_code(found) == 1
    better = replace(
        ANALYSIS, complete=True, experiments=(replace(first, comparisons=(replace(worse, verdict="better"),)),)
    )
    assert exit_code(better, fail_if=FailIf.WORSE) == 0


@pytest.mark.parametrize(
    ("code", "why"),
    [(3, "one was found to be worse"), (0, "none was found to be worse"), (1, "something failed, or was not measured")],
)
def test_a_pipeline_ends_with_the_reason_of_its_exit_status(code: int, why: str) -> None:
    assert reason(code, FailIf.WORSE) == f"Exit status {code}: {why} (--fail-if worse)."


def test_verdicts_are_written_for_others_and_a_folder_that_is_missing_is_refused_first(tmp_path: Path) -> None:
    write_verdicts(ANALYSIS, as_junit=tmp_path / "v.xml", as_markdown=tmp_path / "v.md")
    assert "<testsuites" in (tmp_path / "v.xml").read_text()
    assert "| Comparison |" in (tmp_path / "v.md").read_text()
    ask_writable(tmp_path / "v.xml", None)
    with pytest.raises(WordsError):
        ask_writable(None, tmp_path / "missing" / "v.md")


def begun(folder: Path, *, study: bytes = b"words", version: str = __version__) -> Layout:
    layout = Layout(folder)
    write.begin(layout, study=study, plan=replace(OURS, version=version), hosts=())
    return layout


def elsewhere() -> tuple[Treatment, ...]:
    """Return our treatments as a machine of more CPUs would give them out."""
    return tuple(replace(each, cpus=(7,)) for each in OURS.experiments[0].treatments)


def test_what_began_without_tolerance_does_not_go_on_with_it(tmp_path: Path) -> None:
    begun(tmp_path / "2026-11-19-first")

    found, going_on = folder_for(b"words", tmp_path, plan=OURS.tolerating_noise(), base="2026-11-20-first")

    assert (found.root, going_on) == (tmp_path / "2026-11-20-first", False)


def test_the_plan_keeps_that_noise_is_tolerated_and_else_has_no_word_of_it(tmp_path: Path) -> None:
    for plan_, kept in ((OURS, False), (OURS.tolerating_noise(), True)):
        layout = Layout(tmp_path / str(kept))
        write.begin(layout, study=b"words", plan=plan_, hosts=())
        assert read.planned(layout).tolerates_noise is kept
        assert ("tolerates_noise" in layout.plan.read_text()) is kept


def test_a_verdict_that_will_not_come_cannot_be_a_failure() -> None:
    ask_verdicts(FailIf.WORSE, tolerate_noise=False)
    ask_verdicts(None, tolerate_noise=True)
    with pytest.raises(WordsError, match="--fail-if with --tolerate-noise"):
        ask_verdicts(FailIf.WORSE, tolerate_noise=True)


def test_the_first_folder_is_named_by_day_and_study(tmp_path: Path) -> None:
    found, going_on = folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first")

    assert (found.root, going_on) == (tmp_path / "2026-11-20-first", False)


def test_an_unfinished_folder_of_the_same_words_is_gone_on_in(tmp_path: Path) -> None:
    begun(tmp_path / "2026-11-19-first")

    found, going_on = folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first")

    assert (found.root, going_on) == (tmp_path / "2026-11-19-first", True)


def test_a_study_that_ended_without_its_report_is_gone_on_in(tmp_path: Path) -> None:
    write.end(begun(tmp_path / "2026-11-19-first"), {"a": "decided"})

    assert folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first")[1]


@pytest.mark.parametrize("why", ["finished", "other words", "other version", "other CPUs"])
def test_any_other_folder_is_left_alone_and_a_new_one_begun(tmp_path: Path, why: str) -> None:
    study = b"others" if why == "other words" else b"words"
    layout = begun(tmp_path / "2026-11-20-first", study=study, version="9" if why == "other version" else __version__)
    if why == "other CPUs":
        moved = replace(OURS, experiments=(replace(OURS.experiments[0], treatments=elsewhere()),))
        write.begin(layout, study=study, plan=moved, hosts=())
    if why == "finished":
        write.end(layout, {"a": "decided"})
        durable.whole(layout.markdown, "# Report")

    found, going_on = folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first")

    assert (found.root, going_on) == (tmp_path / "2026-11-20-first-2", False)


def test_a_folder_whose_plan_is_cut_short_is_called_damaged_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = begun(tmp_path / "2026-11-20-first")
    layout.plan.write_text(layout.plan.read_text()[:200])

    found, going_on = folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first")

    assert (found.root, going_on) == (tmp_path / "2026-11-20-first-2", False)
    assert "unfinished, but its plan.json is damaged (it is not JSON" in capsys.readouterr().err


def test_a_study_whose_runs_were_removed_can_keep_new_ones(tmp_path: Path) -> None:
    layout = begun(tmp_path / "2026-11-20-first")
    layout.runs.rmdir()

    write.tidy(layout)

    made = recorded("a", experiment("a").runs[0], number=1)
    write.run(layout, made.run, files={}, partial=layout.runs / ".1")
    assert layout.vanished([1, 2]) == [2]


def with_runs(layout: Layout, *, runs: int) -> Layout:
    for number, planned in enumerate(experiment("a").runs[:runs], start=1):
        made = recorded("a", planned, number=number)
        write.run(layout, made.run, files={}, partial=layout.runs / ".partial")
    return layout


def test_a_study_whose_runs_were_all_removed_begins_again_in_its_folder(tmp_path: Path) -> None:
    layout = with_runs(begun(tmp_path / "2026-11-20-first"), runs=2)
    write.mark_invalid(layout, 2, reason="data-changed: of the runs that are gone")
    shutil.rmtree(layout.runs)

    assert folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first") == (layout, True)
    write.tidy(layout)
    assert emptied(layout)
    assert seal.restart(layout) == 2

    with_runs(layout, runs=1)
    again = read.recording(layout.root)
    assert again.proof is not None
    assert again.proof.flaws == ()
    assert [(each.run.run, each.run.reasons) for each in again.runs] == [(1, ())]
    assert not emptied(layout)


@pytest.mark.parametrize("more", ["a run is left", "hosts.json changed"])
def test_a_folder_with_more_than_its_runs_removed_stays_as_it_is_and_the_study_begins_a_new_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str
) -> None:
    layout = with_runs(begun(tmp_path / "2026-11-20-first"), runs=2)
    if more == "a run is left":
        shutil.rmtree(layout.run(1))
    else:
        shutil.rmtree(layout.runs)
        layout.hosts.write_text(layout.hosts.read_text() + "\n")

    found, going_on = folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first")

    assert (found.root, going_on) == (tmp_path / "2026-11-20-first-2", False)
    said = " ".join(capsys.readouterr().err.split())
    assert "2026-11-20-first is unfinished, but not as it was recorded (" in said
    assert "stays as it is" in said


def test_a_run_whose_folder_vanished_ends_the_study_in_words(tmp_path: Path) -> None:
    layout = begun(tmp_path / "2026-11-20-first")
    made = [recorded("a", each, number=number) for number, each in enumerate(experiment("a").runs, start=1)]
    for each in made:
        write.run(layout, each.run, files={}, partial=layout.runs / ".partial")
    ask_kept(layout, made)

    layout.run(2).rename(tmp_path / "elsewhere")

    with pytest.raises(RecordError, match=r"runs/0002 vanished while the study ran.*Put the folders back"):
        ask_kept(layout, made)


def test_a_folder_that_was_never_begun_is_taken(tmp_path: Path) -> None:
    (tmp_path / "2026-11-20-first" / "runs").mkdir(parents=True)

    found, going_on = folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first")

    assert (found.root, going_on) == (tmp_path / "2026-11-20-first", False)


def test_progress_of_a_search_says_how_many_trials_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    of = experiment("a", looks=(2,))
    of = replace(of, load=Load("open", {}, {"rate_per_s": "search"}))
    record = BatchRecord(WHOLE_RUN, 1, "x", 1, "y", {})
    with ProgressBar(plan(of), verdicts=lambda *_: ()) as bar:
        bar.tell("Preparing pages for nginx; it is kept for later studies.")
        bar.making(of, of.runs[0], attempt=1)
        bar.trying("trial 1: 16 connections")
        bar.made(of, replace(recorded("a", of.runs[0]), records=(record, record)))

    lines = ["Preparing pages for nginx; it is kept for later studies."]
    lines.append("a: block 1, A: done, a search of 2 trials (about 0 s left)")
    assert capsys.readouterr().err.splitlines() == lines


def test_progress_without_a_terminal_is_a_line_a_run_and_the_verdicts_when_an_experiment_ends(
    capsys: pytest.CaptureFixture[str],
) -> None:
    of = experiment("a", looks=(2,))
    with ProgressBar(plan(of), verdicts=lambda *_: ("  B is 5 % faster than A.",)) as bar:
        bar.began(of, 2, runs_done=1, runs_to_look=4)
        bar.making(of, of.runs[0], attempt=1)
        bar.made(of, recorded("a", of.runs[0]))
        bar.ended(of, "decided", runs=())

    said = capsys.readouterr()
    assert said.out == ""
    lines = ["a: to block 2 (3 runs, about 30 s left)", "a: block 1, A: done (about 20 s left)", "a: ended, decided"]
    lines.append("  B is 5 % faster than A.")
    assert said.err.splitlines() == lines


def test_the_time_left_grows_while_a_run_waits_and_a_pipe_gets_one_line_a_run_and_minute(
    capsys: pytest.CaptureFixture[str],
) -> None:
    of, now_s = experiment("a", looks=(2,)), [0.0]
    with ProgressBar(plan(of), verdicts=lambda *_: (), clock_s=lambda: now_s[0]) as bar:
        bar.began(of, 2, runs_done=0, runs_to_look=4)
        bar.making(of, of.runs[0], attempt=1)
        for now_s[0] in (2.0, 40.0):
            bar.waiting("waiting for quiet: 1.5 CPU by [red] (pid 123)")
        bar.began(of, 2, runs_done=0, runs_to_look=4)
        for now_s[0] in (62.0, 64.0, 121.0):
            bar.waiting("waiting for quiet: 0.7 CPU by [red] (pid 123)")

    first, waits, last, still = capsys.readouterr().err.splitlines()
    assert first == "a: to block 2 (4 runs, about 40 s left)"
    assert waits == "a, block 1 of 2, run 1: A: waiting for quiet: 1.5 CPU by [red] (pid 123)"
    assert last == "a: to block 2 (4 runs, about 3 min left)"
    assert still == "a, block 1 of 2, run 1: A: waiting for quiet: 0.7 CPU by [red] (pid 123)"


def test_an_experiment_that_takes_longer_than_planned_says_little_about_the_others() -> None:
    now_s = [0.0]
    pace = Pace(lambda: now_s[0])
    assert pace.factor("a") == 1

    for now_s[0] in (0.0, 30.0, 60.0):
        pace.began("a", 10.0)
    assert pace.factor("a") == 6, "the third run has only begun"
    now_s[0] = 90.0
    pace.ended("a", 10.0)
    assert pace.factor("a") == 9
    assert pace.factor("b") == pytest.approx((90 + BELIEVED_S) / (10 + BELIEVED_S))

    pace.began("b", 10.0)
    assert pace.factor("b") == 1


def test_runs_that_were_given_up_are_not_ahead(capsys: pytest.CaptureFixture[str]) -> None:
    two = plan(experiment("a", looks=(2,)), experiment("b", looks=(2,)))
    with ProgressBar(two, verdicts=lambda *_: ()) as bar:
        bar.began(two.experiments[0], 2, runs_done=0, runs_to_look=4)
        bar.ended(two.experiments[0], "nothing-to-compare", runs=())
        bar.began(two.experiments[1], 2, runs_done=0, runs_to_look=4)
    assert [line.partition("about ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "80 s left)",
        "",
        "40 s left)",
    ]


def ended(folder: Path, why: str) -> Layout:
    """Return ended results of four blocks, in which nothing was measured that could decide."""
    layout = with_runs(begun(folder), runs=8)
    write.end(layout, {"a": why})
    durable.whole(layout.markdown, "# Report")
    return layout


def test_an_ended_study_without_a_verdict_goes_on_with_more_blocks(tmp_path: Path) -> None:
    layout = ended(tmp_path / "2026-11-20-first", "last-look")

    assert with_more_blocks(b"words", tmp_path, plan=OURS, blocks=4) == layout
    longer = read.recording(layout.root)
    assert longer.plan.experiments[0].looks == (2, 4, 8)
    assert longer.stopped is None
    assert longer.proof is not None
    assert longer.proof.flaws == ()
    assert folder_for(b"words", tmp_path, plan=OURS, base="2026-11-20-first") == (layout, True), "if it is interrupted"

    layout.more.write_text(layout.more.read_text().replace("0.005", "0.05"))
    tampered = read.recording(layout.root).proof
    assert tampered is not None
    assert [each.where for each in tampered.flaws] == ["more.json"]


def test_one_experiment_of_several_goes_on_alone(tmp_path: Path) -> None:
    two = replace(plan(experiment("a"), experiment("b"), within_min=9.0), version=__version__)
    layout = Layout(tmp_path / "2026-11-20-first")
    write.begin(layout, study=b"words", plan=two, hosts=())
    with_runs(layout, runs=8)
    write.end(layout, {"a": "last-look", "b": "out-of-time"})
    durable.whole(layout.markdown, "# Report")

    with pytest.raises(WordsError) as caught:
        with_more_blocks(b"words", tmp_path, plan=two, blocks=4, only=["c"])
    assert "It has a and b." in str(caught.value)
    assert with_more_blocks(b"words", tmp_path, plan=two, blocks=4, only=["a"]) == layout
    found = read.recording(layout.root)
    assert [each.looks for each in found.plan.experiments] == [(2, 4, 8), (2, 4)]
    assert [each.within_min for each in found.plan.experiments] == [None, 0.0], "b stays ended"
    assert found.proof is not None
    assert found.proof.flaws == ()
    write.end(layout, {"a": "last-look", "b": "out-of-time"})
    durable.whole(layout.markdown, "# Report")
    with_more_blocks(b"words", tmp_path, plan=two, blocks=4)
    again = read.recording(layout.root)
    assert [each.looks for each in again.plan.experiments] == [(2, 4, 8), (2, 4)], "a has blocks ahead"
    assert [each.within_min for each in again.plan.experiments] == [None, None], "now all go on"


def test_experiments_are_named_only_with_more() -> None:
    with pytest.raises(WordsError):
        ask_only(["a"], None)
    ask_only(["a"], 4)
    ask_only(None, None)


def test_more_blocks_need_ended_results_of_the_same_study(tmp_path: Path) -> None:
    begun(tmp_path / "2026-11-20-first")
    with pytest.raises(WordsError) as caught:
        with_more_blocks(b"words", tmp_path, plan=OURS, blocks=4)
    assert "--more without ended results" in str(caught.value)

    ended(tmp_path / "2026-11-20-first-2", "last-look")
    with pytest.raises(WordsError):
        with_more_blocks(b"other words", tmp_path, plan=OURS, blocks=4)


def test_progress_has_the_cases_of_a_discarded_run_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    of = experiment("a", looks=(2,))
    lost = recorded("a", of.runs[0])
    why = ("foreign-cpu: other processes used 0.31 CPU in connections=10 (limit 0.10)",)
    with ProgressBar(plan(of), verdicts=lambda *_: ()) as bar:
        bar.making(of, of.runs[0], attempt=1)
        bar.made(of, replace(lost, run=replace(lost.run, status="invalid", reasons=why)))
        bar.made(of, replace(lost, run=replace(lost.run, status="invalid", reasons=(*why, "steal: 3 %", "x: y"))))
    once = "a: block 1, A: does not count (other processes used 0.31 CPU with 10 connections (limit 0.10)"
    assert capsys.readouterr().err.splitlines() == [f"{once})", f"{once}; and 2 other reasons)"]


def test_a_machine_on_which_hardly_a_run_counts_is_told_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    of = experiment("a", looks=(2,))
    good = recorded("a", of.runs[0])
    lost = replace(good, run=replace(good.run, status="invalid", reasons=("foreign-cpu: others",)))
    failed = replace(good, run=replace(good.run, status="failed"))
    with ProgressBar(plan(of), verdicts=lambda *_: ()) as bar:
        for each in (good, *(lost for _ in range(5)), failed, good):
            bar.made(of, each)
        assert "--wait" not in capsys.readouterr().err
        bar.made(of, lost)
        assert "a: 6 of the last 8 runs do not count" in capsys.readouterr().err
        bar.made(of, lost)
        assert "--wait" not in capsys.readouterr().err, "said once, until it has happened again"


def test_a_shared_driver_is_the_cause_where_hardly_a_run_counts(capsys: pytest.CaptureFixture[str]) -> None:
    of = replace(experiment("a", looks=(2,)), share_driver=True)
    good = recorded("a", of.runs[0])
    lost = replace(good, run=replace(good.run, status="invalid", reasons=("client-limited: kept from its CPU",)))
    with ProgressBar(plan(of), verdicts=lambda *_: ()) as bar:
        for _ in range(8):
            bar.made(of, lost)
    assert "give it CPUs of its own (fewer cpus)" in (told := capsys.readouterr().err)
    assert "--wait" not in told


def test_a_resumed_experiment_has_no_less_than_no_run_left(capsys: pytest.CaptureFixture[str]) -> None:
    of = experiment("a", looks=(2,))
    with ProgressBar(plan(of), verdicts=lambda *_: ()) as bar:
        bar.began(of, 2, runs_done=3, runs_to_look=4)
        bar.began(of, 2, runs_done=4, runs_to_look=4)
    assert capsys.readouterr().err.splitlines() == [
        "a: to block 2 (1 run, about 10 s left)",
        "a: to block 2 (its runs were made before; those that do not count are made again)",
    ]


def test_an_experiment_of_which_no_run_counts_has_not_ended_like_another(capsys: pytest.CaptureFixture[str]) -> None:
    of = experiment("a", looks=(2,))
    failed = [replace(each, run=replace(each.run, status="failed")) for each in (recorded("a", run) for run in of.runs)]
    with ProgressBar(plan(of), verdicts=lambda *_: ()) as bar:
        bar.ended(of, "last-look", runs=failed)
        bar.ended(of, "last-look", runs=[recorded("a", of.runs[0]), *failed[1:]])
    assert capsys.readouterr().err.splitlines() == [
        "a: ended, none of its 4 runs counts",
        "a: ended, after its last check",
    ]
