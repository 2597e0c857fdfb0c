"""Page one hides no doubt, says what to do next with its command and time, and that other programs were at work."""

import re
import shlex
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from headtohead.analyze.findings.findings_of_experiment import LOOKS_FOR
from headtohead.analyze.study import analyze
from headtohead.describe.home import find_home
from headtohead.describe.study.study import read_study
from headtohead.model.analysis.comparison import Verdict
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.finding import Finding, Severity
from headtohead.model.machine.host import Fact
from headtohead.model.plan import Comparison
from headtohead.model.proof import Proof
from headtohead.model.quantity import Scalar
from headtohead.model.record import Recorded
from headtohead.model.rules import TYPICAL_ERROR, enough_blocks
from headtohead.model.study.subject import BATCH_RACE, REPEATED
from headtohead.model.study.subject import RACE as SERVER_RACE
from headtohead.model.study.workload import Load
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.study.intervals_and_error_rates import claim_sentence
from headtohead.report.study.page_one.answer_with_badge import answer, kind_of
from headtohead.report.study.page_one.blocks_that_may_decide import block_s
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.conclusion import OPEN, RUNS, conclusion, open_advice
from headtohead.report.study.page_one.doubts import doubt_lines, graded
from headtohead.report.study.page_one.masthead import busy_line, masthead, span_s, took_text
from headtohead.report.study.page_one.next_step import GOES_AWAY, NO_MORE, NOTHING_MORE, UNDECIDED, next_step
from headtohead.report.study.page_one.still_open import still_open
from headtohead.report.study.path_of_study_file import study_file
from headtohead.report.terminal import summary
from headtohead.report.terminal.summary import verdict_lines
from headtohead.report.text.numbers.dates_and_durations import duration, rough
from headtohead.report.text.scaling import ideal_sentence
from tests.analyze import building
from tests.report import pages
from tests.report.sample import ANALYSIS, RECORDING

STATIC, COPIES, OPEN_ONE = ANALYSIS.experiments[0], ANALYSIS.experiments[2], ANALYSIS.experiments[3]


def context(result: ExperimentResult) -> ExperimentContext:
    return StudyContext(replace(ANALYSIS, experiments=(result,)), RECORDING).experiments[0].in_words()


def finding(name: str, says: str, severity: Severity = Severity.DOUBT, **evidence: str) -> Finding:
    return Finding(name, severity, says, "Do this.", evidence)


def often(name: str, runs: int) -> dict[str, Scalar]:
    return {"treatment": name, "runs": runs, "of_runs": 9}


def test_every_doubt_is_on_page_one_the_worst_first_and_notes_are_not() -> None:
    found = (
        finding("many-invalid", "4 of 17 runs do not count."),
        finding("note", "A note.", Severity.NOTE),
        finding("busy", "a was busy", treatment="a"),
        finding("worst", "No verdict.", Severity.INVALID),
        finding("busy", "b was busy", treatment="b"),
        finding("spread", "c: 20 % (limit 5.0 %).", treatment="c"),
        finding("spread", "d: 5.1 % (limit 5.0 %).", treatment="d"),
        Finding(
            "often", Severity.DOUBT, "e, in 1 of 9 runs: used 3.1 % in fft.", "", {"share": 0.031, **often("e", 1)}
        ),
        Finding(
            "often", Severity.DOUBT, "f, in 2 of 9 runs: used 5.2 % in n-body.", "", {"share": 0.052, **often("f", 2)}
        ),
        finding("groups", "g: 9 % (doubtful above 5 %): 2 of 6 are above.", treatment="g"),
        finding("groups", "h: 8 % (doubtful above 5 %): with fft, 3 of 6 are above.", treatment="h"),
        Finding("kept", Severity.DOUBT, "i, in 2 of 9 runs: it kept up.", "", {"share": 1.1, **often("i", 2)}),
        Finding("kept", Severity.DOUBT, "k, in 1 of 9 runs: it kept up.", "", {"share": 1.1, **often("k", 1)}),
        finding("twice", "One.", treatment="a"),
        finding("twice", "Two."),
    )
    lines = (
        "No verdict.",
        "4 of 17 runs do not count.",
        "a was busy; likewise b.",
        "c: 20 % (limit 5.0 %); d: 5.1 %.",
        "f, in 2 of 9 runs: used 5.2 % in n-body; e: 3.1 %, in 1 of 9 runs.",
        "g: 9 % (doubtful above 5 %): 2 of 6 are above; h: 8 %: with fft, 3 of 6 are above.",
        "i, in 2 of 9 runs: it kept up; k, in 1 of 9 runs.",
        "One; Two.",
    )
    assert doubt_lines(found) == lines
    page = pages.markdown(replace(ANALYSIS, experiments=(replace(STATIC, findings=found),)), RECORDING)
    first = page[: page.index("## What this study does not show")]
    assert all(f"- {line}" in first for line in lines)
    assert "more." not in first


def test_doubts_of_which_some_have_the_same_figure_each_have_it() -> None:
    says = "{}: runs vary by {} % (doubtful above 5 %)."
    three = [
        finding("spread", says.format(name, share), treatment=name)
        for name, share in zip("abc", (12, 12, 9), strict=True)
    ]
    assert doubt_lines(three) == ("a: runs vary by 12 % (doubtful above 5 %); b: 12 % and c: 9 %.",)
    grouped = finding("spread", says.format("d", 14)[:-1] + ": 3 of 6 runs are a group of their own.", treatment="d")
    assert doubt_lines([three[0], grouped]) == (
        "a: runs vary by 12 % (doubtful above 5 %); d: runs vary by 14 %: 3 of 6 runs are a group of their own.",
    )
    assert doubt_lines([grouped, three[0]]) == (
        "d: runs vary by 14 % (doubtful above 5 %): 3 of 6 runs are a group of their own; a: 12 %.",
    )


def test_which_setup_lost_its_runs_comes_before_how_many_were_lost() -> None:
    names = [each.__name__ for each in LOOKS_FOR]
    assert names.index("lopsided") < names.index("invalid_share")


@pytest.mark.parametrize(
    ("cases", "kind"),
    [("these-alone", "clear for these 8 kernels"), ("worse-elsewhere", "clear on average only")],
)
def test_a_badge_does_not_claim_more_than_its_doubts_leave(cases: str, kind: str) -> None:
    (pair,) = COPIES.comparisons
    won = replace(pair, verdict="better", ratio=STATIC.comparisons[0].ratio, scaling=None, at_least_margin=True)
    doubt = replace(finding(cases, "Only these."), evidence={"cases": 8}, of=(pair.baseline, pair.other))
    result = replace(COPIES, comparisons=(won,), suite="kernel")
    assert answer(result).badge == "clear"
    assert answer(replace(result, findings=(doubt,))).badge == kind
    assert answer(replace(result, findings=(replace(doubt, of=("x", "y")),))).badge == "clear"
    assert answer(context(replace(result, findings=(doubt,))).result).badge == kind, "also with names in words"
    small = replace(won, at_least_margin=False)
    assert answer(replace(result, comparisons=(small,), findings=(doubt,))).badge == f"{kind}; may be under 3 %"
    assert answer(replace(result, comparisons=(won, small))).badge == "clear; 1 may be under 3 %"
    assert kind_of(answer(replace(result, comparisons=(small,)))) == "open"


def test_an_open_answer_says_how_many_blocks_by_which_command_and_how_long() -> None:
    (pair,) = OPEN_ONE.comparisons
    assert pair.blocks_needed is not None
    assert next_step(context(OPEN_ONE)) == (
        "Measure about 6 min more (18 blocks): `headtohead run 2026-11-20-first/study.toml --results . --more "
        "18`. That may be enough to show that the difference is under 3 %."
    )
    few = replace(OPEN_ONE, comparisons=(replace(pair, blocks_needed=pair.ratio.n + 2 if pair.ratio else 2),))
    assert "--more 4`" in next_step(context(few)), "fewer cannot be added"
    many = replace(OPEN_ONE, comparisons=(replace(pair, blocks_needed=5000),))
    assert next_step(context(many)) == (
        "If the best estimate is true, about 5,000 more blocks (27 h 26 min) may be enough to show that the difference "
        "is under 3 %. Each command adds up to 100, about 33 min: `headtohead run 2026-11-20-first/study.toml "
        "--results . --more 100`."
    )
    assert any("about 5,000 more blocks (27 h 26 min) may be enough." in each for each in still_open(context(many)))
    lead = Estimate(1.01, Interval(0.95, 1.07, 0.97), pair.ratio.n if pair.ratio else 10)
    tiny = replace(pair, ratio=lead, blocks_needed=5000, blocks_needed_for="winner")
    small = context(replace(OPEN_ONE, comparisons=(tiny,)))
    assert next_step(small).startswith(
        "If the best estimate is true, about 5,000 more blocks (27 h 26 min) give an even"
    )
    assert next_step(small).endswith(", though by under 3 %, too small to matter: not worth it.")
    assert any(each.endswith("; see Next.") for each in still_open(small))
    unknown = next_step(context(replace(OPEN_ONE, comparisons=(replace(pair, blocks_needed=None),))))
    assert "How many it takes cannot be estimated" in unknown
    assert "--more 10`" in unknown
    assert next_step(context(replace(OPEN_ONE, stopped="unfinished"))).startswith("Finish the study: `headtohead run")


def test_the_command_that_adds_blocks_names_its_question_if_others_could_go_on_too() -> None:
    for stopped in ("last-look", "out-of-time"):
        two = StudyContext(replace(ANALYSIS, experiments=(OPEN_ONE, replace(COPIES, stopped=stopped))), RECORDING)
        first, _ = two.experiments
        assert next_step(first.in_words()).startswith(
            f"Measure about {rough(18 * block_s(first))} more (18 blocks): `headtohead run 2026-11-20-first/study.toml "
            f"--results . --more 18 --only {OPEN_ONE.name}`. That may be enough"
        ), "its own blocks, in their own time"


def test_wrong_responses_are_no_fault_of_the_machine() -> None:
    wrong = replace(finding("many-invalid", "4 of 8 runs do not count."), evidence={"most_often": "wrong-answer"})
    assert next_step(context(replace(OPEN_ONE, findings=(wrong,)))).startswith(
        "First end what discards runs (wrong or unknown results): see each run in the report. Then measure about 6 min"
    )


def test_what_discards_runs_comes_before_more_of_them() -> None:
    lost = replace(finding("many-invalid", "4 of 8 runs do not count."), evidence={"most_often": "foreign-cpu"})
    assert next_step(context(replace(OPEN_ONE, findings=(lost,)))).startswith(
        "First end what discards runs (another program used the CPU): `headtohead host`. Then measure about 6 min"
    )


def test_a_lead_that_may_be_too_small_to_matter_has_what_more_blocks_would_show() -> None:
    small = replace(STATIC, comparisons=tuple(replace(each, at_least_margin=False) for each in STATIC.comparisons))
    text = next_step(context(replace(small, findings=(finding("a", "A doubt."),))))
    assert text == "Who is ahead needs no more blocks; whether by over 3 % is not known. Do this."


def test_more_blocks_of_a_search_do_not_hide_the_doubt_that_they_leave() -> None:
    low = finding("held-past-capacity", "a: offered 150 % of the capacity, it kept up too.")
    assert next_step(context(replace(OPEN_ONE, findings=(low,)))).endswith(
        "under 3 %. More blocks do not remove the doubt that a setup kept up with more than its capacity: do this."
    )
    assert "a doubt" not in next_step(context(replace(OPEN_ONE, findings=(replace(low, id="outlier"),))))


def test_the_time_still_needed_counts_the_share_of_runs_that_are_discarded() -> None:
    shown = context(OPEN_ONE)
    assert block_s(shown) == pytest.approx(19.752)
    valid = shown.runs
    twice = tuple(replace(each, run=replace(each.run, status="invalid")) for each in valid)
    recording = replace(RECORDING, runs=(*valid, *twice))
    assert block_s(StudyContext(ANALYSIS, recording).experiments[3]) == 40
    assert block_s(replace(shown, result=replace(shown.result, blocks_done=0))) == pytest.approx(19.752)


def test_a_verdict_that_is_forbidden_is_measured_again() -> None:
    bad = finding("foreign-effect", "Runs gave less.", Severity.INVALID)
    text = next_step(context(replace(STATIC, findings=(finding("a", "A doubt."), bad))))
    assert text.startswith("Do this. Then measure again: `headtohead run 2026-11-20-first/study.toml` (about ")
    assert next_step(context(replace(STATIC, findings=()))) == NOTHING_MORE


def test_what_comes_next_does_not_contradict_a_clear_answer() -> None:
    doubted = replace(STATIC, findings=(finding("spread", "Runs vary."),))
    assert answer(doubted).badge == "clear"
    assert next_step(context(doubted)) == "The verdict needs no more blocks. Do this."
    vary = replace(doubted.findings[0], id=TYPICAL_ERROR.id)
    assert next_step(context(replace(STATIC, findings=(vary,)))) == f"{NO_MORE} Do this.", "the advice of the finding"
    assert "Do this." in next_step(one_sided(None, findings=(vary,))), "an open answer depends on it"
    assert next_step(context(replace(OPEN_ONE, stopped="decided", findings=doubted.findings))) != ""


def one_sided(blocks_needed: int | None, **changes: object) -> ExperimentContext:
    """Return an open question whose interval excludes 1, without a doubt."""
    (pair,) = OPEN_ONE.comparisons
    assert pair.ratio is not None
    ratio = replace(pair.ratio, value=0.96, interval=Interval(0.94, 0.98, 0.972))
    pair = replace(pair, ratio=ratio, blocks_needed=blocks_needed, because="a difference near the margin")
    result = replace(OPEN_ONE, comparisons=(pair,), findings=())
    return context(replace(result, **changes))  # type: ignore[arg-type]


def test_an_open_answer_that_more_blocks_would_decide_has_their_command_though_its_interval_excludes_1() -> None:
    waits = one_sided(16)
    assert next_step(waits).startswith("Measure about 2 min more (6 blocks): `headtohead run ")
    assert "--more 6`" in next_step(waits)
    assert "How sure" in dict(card_lines(waits))
    (line,) = still_open(waits)
    assert line.endswith("no choice follows yet; about 2 min more (6 blocks) may decide.")


def test_an_open_answer_without_a_doubt_is_not_sent_to_its_doubts() -> None:
    alone = one_sided(None)
    assert next_step(alone) == UNDECIDED
    (line,) = still_open(alone)
    assert line.endswith("no choice follows yet; the card has the reason.")
    doubted = one_sided(None, findings=(finding("spread", "Runs vary."),))
    assert [each.partition("; ")[2] for each in still_open(doubted)] == ["see its doubts first."]


def test_too_few_blocks_for_any_verdict_are_added_to_whichever_side_the_interval_is() -> None:
    few = one_sided(None, blocks_done=3)
    assert "--more 4`. A verdict needs at least 6 blocks; a small difference needs more." in next_step(few)
    forbidden = one_sided(None, blocks_done=3, findings=(finding("bad", "No.", Severity.INVALID),))
    assert "--more" not in next_step(forbidden)


def test_an_ideal_that_may_be_reached_is_open_wherever_what_is_open_is_listed() -> None:
    rsa = ANALYSIS.experiments[1]
    (pair,) = rsa.comparisons
    assert pair.scaling is not None
    above = replace(pair.scaling, gain=1.08, efficiency=1.04, interval=Interval(0.91, 1.24, 0.972))
    result = replace(rsa, comparisons=(replace(pair, scaling=above),), findings=())
    assert ideal_sentence(above, rsa.matters).endswith("(96 % to 112 %), so it cannot be distinguished from 2x.")
    assert answer(result).badge == "clear; may reach the ideal"
    near = replace(above, gain=1.0, efficiency=1.0, interval=Interval(0.96, 1.02, 0.972))
    assert pair.ratio is not None
    enough = replace(pair.ratio, n=enough_blocks(1))
    within = replace(result, comparisons=(replace(pair, scaling=near, ratio=enough),))
    few = replace(result, comparisons=(replace(pair, scaling=near, ratio=replace(enough, n=enough.n - 1)),))
    assert answer(few).badge == "clear; may reach the ideal", "fewer blocks may miss slow runs"
    assert list(still_open(context(few))) == [], "it is near, whatever more blocks would show"
    assert ideal_sentence(near, rsa.matters).endswith("of the ideal 2x (98 % to 101 %): it is reached within 3 %.")
    assert answer(within).badge == "clear; the ideal within 3 %"
    assert list(still_open(context(within))) == [], "what does not matter is not open"
    assert "new blocks" not in next_step(context(within))
    assert ideal_sentence(replace(near, interval=Interval(0.93, 1.02, 0.972)), rsa.matters).endswith("from 2x.")
    close = replace(result, comparisons=(replace(pair, scaling=replace(above, gain=1.04, blocks_for_ideal=21)),))
    assert answer(close).badge == "clear; may reach the ideal"
    assert list(still_open(context(close))) == [], "a difference of 2 % does not matter, whatever its sign"
    assert next_step(context(close)) == NOTHING_MORE
    assert list(still_open(context(result))) == [], "what is above the ideal is probably scatter"
    assert next_step(context(result)) == NOTHING_MORE
    below = replace(above, gain=0.92, interval=Interval(0.85, 1.01, 0.972))
    result = replace(result, comparisons=(replace(pair, scaling=below),))
    needs = "whether a second CPU brings less or more than 2x needs more than the 6 made"
    assert list(still_open(context(result))) == [f"{needs}."]
    assert next_step(context(result)) == f"The gain needs no more blocks; {needs}."
    far = replace(result, comparisons=(replace(pair, scaling=replace(below, blocks_for_ideal=800)),))
    needs = "whether a second CPU brings less or more than 2x may show only in over 100 new blocks"
    assert list(still_open(context(far))) == [f"{needs}."], "the same words as below"
    assert next_step(context(far)) == f"The gain needs no more blocks; {needs}."


def vary(name: str, advice: str, *, by: float) -> Finding:
    evidence: dict[str, Scalar] = {"treatment": name, "typical_error_share": by}
    return Finding(TYPICAL_ERROR.id, Severity.DOUBT, f"{name}: runs vary.", advice, evidence)


def test_the_connections_that_requests_waited_for_are_named_next_to_the_first_advice() -> None:
    queued = replace(finding("queued", "Requests waited."), advice="Raise connections.")
    held = finding("held-past-capacity", "It kept up.")
    both = next_step(context(replace(STATIC, findings=(held, queued))))
    assert both == "The verdict needs no more blocks. Do this. Raise connections."
    alone = next_step(context(replace(STATIC, findings=(queued, queued))))
    assert alone == "The verdict needs no more blocks. Raise connections."


def test_an_interval_is_narrowed_by_the_advice_on_the_setup_that_varies_most_and_it_is_said_once() -> None:
    findings = (vary("apache-httpd", "Plan more blocks.", by=0.06), vary("nginx", "Find quiet.", by=0.13))
    first = replace(STATIC, findings=findings)
    (pair,) = (rsa := ANALYSIS.experiments[1]).comparisons
    assert pair.scaling is not None
    ideal = replace(pair.scaling, gain=0.92, interval=Interval(0.85, 1.01, 0.972), blocks_for_ideal=800)
    second = replace(
        rsa, comparisons=(replace(pair, scaling=ideal),), findings=(vary("openssl cpus=2", "Find quiet.", by=0.1),)
    )
    alone = next_step(context(second))
    assert alone.endswith("may show only in over 100 new blocks. Find quiet.")
    both = StudyContext(replace(ANALYSIS, experiments=(first, second)), RECORDING).experiments
    assert next_step(both[0].in_words()) == f"{NO_MORE} Find quiet."
    assert next_step(both[1].in_words()) == alone.replace("Find quiet.", "For narrower intervals, see question 1.")


def test_that_more_blocks_narrow_an_interval_is_no_next_step_for_a_verdict_that_needs_none() -> None:
    more = "plan more blocks (raise the last of `looks` in `study.toml`)"
    advice = f"For narrower intervals, {more}; nothing explains the spread."
    varied = replace(STATIC, findings=(vary("nginx", advice, by=0.13),))
    assert next_step(context(varied)) == NO_MORE


def test_an_open_ideal_has_the_blocks_that_it_needs_with_their_command() -> None:
    rsa = ANALYSIS.experiments[1]
    (pair,) = rsa.comparisons
    assert pair.scaling is not None
    below = replace(pair.scaling, gain=0.94, interval=Interval(0.85, 1.01, 0.972), blocks_for_ideal=9)
    result = replace(rsa, comparisons=(replace(pair, scaling=below),), findings=())
    assert next_step(context(result)) == (
        "The gain needs no more blocks; whether a second CPU brings less or more than 2x may show in about 9 new "
        "blocks: copy `2026-11-20-first/study.toml` to `more.toml`, keep only `rsa`, set `looks = [9]` and remove "
        "`within_min` there, then `headtohead run more.toml` (about 3 min)."
    )
    page = pages.markdown(replace(ANALYSIS, experiments=(result,)), RECORDING)
    assert "set `looks = [9]` and remove `within_min` there, then `headtohead run more.toml`" in page, (
        "to be typed, not escaped"
    )
    assert list(still_open(context(result))) == ["whether a second CPU brings less or more than 2x: see Next."]
    varies = replace(result, findings=(vary("openssl cpus=2", "Find quiet.", by=0.1),))
    assert next_step(context(varies)) == next_step(context(result)), "the verdict stands"
    assert list(still_open(context(varies))) == list(still_open(context(result)))
    (planned,) = (each for each in RECORDING.plan.experiments if each.name == rsa.name)
    plan = replace(RECORDING.plan, experiments=(planned,), within_min=None)
    study = StudyContext(replace(ANALYSIS, experiments=(result,)), replace(RECORDING, plan=plan))
    assert "to `more.toml`, set `looks = [9]` there, then" in next_step(study.experiments[0].in_words())
    assert next_step(of_race(result)).endswith("may show in about 9 new blocks, about 3 min.")


def test_the_study_that_an_open_ideal_advises_is_one_that_can_be_run(tmp_path: Path) -> None:
    whole = Path("studies/first.toml").read_text("utf-8")
    head, *experiments = re.sub(r"^within_min.*\n", "", whole, flags=re.MULTILINE).split("[[experiment]]")
    (rsa,) = (each for each in experiments if 'name     = "rsa"' in each)
    alone = f"{head}[[experiment]]{re.sub('looks .*', 'looks = [93]', rsa)}"
    (tmp_path / "more.toml").write_text(alone, "utf-8")
    study = read_study(tmp_path / "more.toml", find_home())
    assert [(each.name, each.looks) for each in study.experiments] == [("rsa", (93,))]
    assert study.within_min is None


def test_runs_in_two_groups_are_to_be_compared_before_more_are_planned() -> None:
    says = "nginx: runs vary by 20 % (doubtful above 5 %): 3 of 6 runs are 51 % above the others."
    evidence: dict[str, Scalar] = {"treatment": "nginx", "runs_above": "6, 7, 15"}
    advice = "Compare the files of runs 6, 7, 15 of nginx with those of its others."
    groups = Finding(TYPICAL_ERROR.id, Severity.DOUBT, says, advice, evidence)
    assert next_step(context(replace(STATIC, findings=(groups,)))) == f"The verdict needs no more blocks. {advice}"
    because = (
        f"{advice[:-1]}, as it may work in two ways: neither stolen CPU time nor other programs explain the spread."
    )
    opened = next_step(context(replace(OPEN_ONE, findings=(replace(groups, advice=because),))))
    assert opened.startswith(
        "First compare the files of runs 6, 7, 15 of nginx with those of its others, as it may work in two ways. Then "
        "measure about 6 min more (18 blocks): `headtohead run "
    ), "what the runs show may change the answer before more of them do"


def test_more_blocks_are_advised_at_the_level_of_their_check_and_for_what_they_can_show() -> None:
    (planned,) = (each for each in RECORDING.plan.experiments if each.name == OPEN_ONE.name)
    longer = replace(
        planned, comparisons=tuple(replace(each, alpha=(*each.alpha, 0.005)) for each in planned.comparisons)
    )
    assert (planned.added_error, planned.error) == (0.005, 0.05)
    assert longer.added_error == 0.0025
    assert longer.error == pytest.approx(0.06)
    plan = replace(RECORDING.plan, experiments=(longer,))
    study = StudyContext(replace(ANALYSIS, experiments=(OPEN_ONE,)), replace(RECORDING, plan=plan))
    (shown,) = study.experiments
    assert dict(card_lines(shown))["How sure"].startswith("94 % interval; ")
    assert claim_sentence(study.analysis, plan.experiments) == (
        "If runs scatter normally, a question's intervals include the true ratio in at least "
        "94 of 100 studies; at most 6 name a false winner. If one setup stalls in 15 % of its runs, intervals hold in "
        "76 to 84; with long tails in 90."
    )


def test_what_is_still_open_is_said_under_what_to_do() -> None:
    (advice,) = open_advice(StudyContext(ANALYSIS, RECORDING))
    assert advice.role == OPEN
    assert advice.lines == (
        "Question 4: 64 threads or 256 threads: no choice follows yet; about 6 min more (18 blocks) may decide.",
    )
    alone = replace(ANALYSIS, experiments=(OPEN_ONE,))
    assert "## What to do" in pages.markdown(alone, RECORDING)
    assert list(open_advice(StudyContext(replace(ANALYSIS, experiments=(STATIC,)), RECORDING))) == []


def busy(**values: float | str) -> tuple[Fact, ...]:
    names = {"load": "load of the last minute", "used": "CPU used by others now", "who": "busiest other processes"}
    return tuple(
        replace(RECORDING.hosts[0].facts[0], group="noise", name=names[key], value=value)
        for key, value in values.items()
    )


def test_the_head_of_the_page_says_what_else_ran_and_nothing_where_nothing_did() -> None:
    (host,) = RECORDING.hosts
    proved = replace(RECORDING, proof=Proof("abc"))
    assert len(masthead(ANALYSIS, proved)) == 2
    loaded = replace(host, facts=(*host.facts, *busy(load=2.31, used=1.4, who="cc1 0.9, python3 0.4")))
    line = masthead(ANALYSIS, replace(proved, hosts=(loaded,)))[2]
    assert line == (
        "Not idle: load 2.31 in the minute before the start; other programs used 1.4 CPU at the start "
        "(busiest: cc1 0.9, python3 0.4)."
    )
    (*most, last) = RECORDING.runs
    start = datetime.fromisoformat(last.run.started_at) + timedelta(hours=2)
    later = [*most, replace(last, run=replace(last.run, started_at=start.isoformat()))]
    assert took_text(RECORDING.runs) == duration(span_s(RECORDING.runs) or 0.0)
    assert re.fullmatch(r"\d+ min \d+ s, and 2 h.* of breaks", took_text(later))
    idle = replace(host, facts=busy(load=0.2, used=0.01, who="none"))
    two = (replace(loaded, name="lab1"), replace(loaded, name="lab2", facts=busy(load=1.5, used=0.01, who="none")))
    assert busy_line(two, RECORDING.runs).endswith("CPU at the start (busiest: cc1 0.9, python3 0.4)."), (
        "that of lab2 was over"
    )
    short = replace(loaded, facts=busy(load=0.9, used=0.01, who="none"))
    nothing = replace(loaded, facts=busy(load=1.5, used=0.0, who="none"))
    assert busy_line((nothing,), RECORDING.runs) == ""
    assert busy_line((short,), RECORDING.runs) == "", "it was over, and had no consequence"
    assert busy_line(two, RECORDING.runs).startswith("Not idle: lab1: load 2.31 in the")
    assert busy_line((idle,), RECORDING.runs) == ""
    assert busy_line((idle,), [begun_busy(RECORDING.runs[0]), *RECORDING.runs[1:]]) == (
        "Not idle: 1 of 63 runs began before the machine was quiet (others used up to 0.45 CPU)."
    )


def test_the_head_of_the_page_marks_values_that_were_never_in_files_as_an_example() -> None:
    (_, _, example) = masthead(ANALYSIS, RECORDING)
    assert example == "An example: these values are from no results folder, so nothing shows that they were measured."
    assert len(masthead(ANALYSIS, replace(RECORDING, runs=()))) == 2, "without a run there are no values"


def begun_busy(each: Recorded) -> Recorded:
    busy: dict[str, Scalar] = {"case": "a", "quiet": False, "foreign_cpus": 0.45}
    idle: dict[str, Scalar] = {"case": "b", "quiet": True, "foreign_cpus": 0.01}
    return replace(each, run=replace(each.run, gates=(busy, idle)))


def test_the_study_file_is_named_as_it_is_typed() -> None:
    odd = replace(RECORDING, name="a study; rm")
    assert study_file(odd) == "'a study; rm'/study.toml"


LINE = "headtohead race --serve 'python3 v1.py --port @port@' --serve 'python3 v2.py --port @port@' --get /"
RACE = replace(RECORDING, race=tuple(shlex.split(LINE)[2:]))


def of_race(result: ExperimentResult) -> ExperimentContext:
    return StudyContext(replace(ANALYSIS, experiments=(result,)), RACE).experiments[0].in_words()


def test_what_comes_next_for_a_race_is_its_own_line() -> None:
    assert f"`{LINE} --more 18`. That may be enough" in next_step(of_race(OPEN_ONE))
    assert next_step(of_race(replace(OPEN_ONE, stopped="unfinished"))) == f"Finish the race: `{LINE}`."
    bad = finding("foreign-effect", "Runs gave less.", Severity.INVALID)
    again = next_step(of_race(replace(STATIC, findings=(bad,))))
    assert again.startswith(f"Do this. Then measure again: `{LINE}` (about")
    page = pages.markdown(replace(ANALYSIS, experiments=(OPEN_ONE,)), RACE)
    assert f"`{LINE} --more 18`" in page, "to be typed: no letter of it is escaped"
    assert "2026-11-20-first/study.toml" not in page
    racing = tuple(replace(each, asks=SERVER_RACE) for each in RACE.plan.experiments)
    raced = replace(RACE, plan=replace(RACE.plan, experiments=racing))
    chosen = pages.markdown(replace(ANALYSIS, experiments=(STATIC,)), raced)
    assert "### If you choose between them" in chosen
    assert "buy or install" not in chosen
    assert "headtohead run 2026-11-20-first/content/race.toml" in page
    earlier = StudyContext(replace(ANALYSIS, experiments=(OPEN_ONE,)), replace(RECORDING, race=())).experiments[0]
    assert "`headtohead run 2026-11-20-first/content/race.toml --results . --more 18`" in next_step(earlier)


def test_a_race_of_programs_is_timed_from_outside_them() -> None:
    (first, *others) = RECORDING.plan.experiments
    programs = replace(first, asks=BATCH_RACE, load=Load("batch", {}, {"seconds": 3}))
    recording = replace(RACE, plan=replace(RECORDING.plan, experiments=(programs, *others)))
    text = pages.markdown(replace(ANALYSIS, experiments=(STATIC,)), recording)
    assert "in each run Head to Head starts the program again and again" in text
    assert f"{REPEATED[1:]} (" in text, "under how it was measured"
    assert "ne start of the program that does not count, then 3 s of work for each figure (" in text


def test_what_comes_next_with_content_of_one_s_own_is_typed_where_that_is() -> None:
    own = replace(RECORDING, plan=replace(RECORDING.plan, own={"my.json": "0" * 64}, own_study="my study.toml"))
    (context, *_) = StudyContext(replace(ANALYSIS, experiments=(OPEN_ONE,)), own).experiments
    assert "`headtohead run 'my study.toml' --more 18`, in its folder and with your options." in next_step(context)
    page = pages.markdown(replace(ANALYSIS, experiments=(OPEN_ONE,)), own)
    assert "2026-11-20-first/study.toml" not in page, "its content is not found from there"


def test_too_few_blocks_far_apart_are_called_far_behind_so_far_with_what_a_verdict_needs_and_the_command() -> None:
    of = building.experiment(looks=(2,), run_s={"apache": 7.0, "nginx": 7.0})
    slow = {"apache": building.steady(4000, blocks=2), "nginx": building.steady(500, blocks=2)}
    recording = building.recording(building.blocks_of(slow, of=of), of=building.plan(of))
    analysis = analyze(recording)
    (shown,) = analysis.experiments
    said = (
        "Far behind, by 8.0 times, in each of 2 blocks, but a verdict needs 6 blocks: run the same "
        "command again with --more 4."
    )
    line = "headtohead run 2026-11-20-first/study.toml --results . --more 4"

    terminal = " ".join(summary.render(analysis, recording).split())
    assert said in terminal
    assert f"Next: Measure about 1 min more (4 blocks): `{line}`. A verdict needs at least 6 blocks" in terminal
    assert said in " ".join(verdict_lines(shown, of, recording.plan.titles)), "as progress prints it"
    page = pages.markdown(analysis, recording)
    first = page[: page.index("## What this study does not show")]
    assert said in first.replace("\\", "")
    assert f"`{line}`" in first


def test_planned_checks_that_a_time_limit_left_out_come_before_added_blocks() -> None:
    cut = replace(OPEN_ONE, stopped="out-of-time", blocks_done=6, looks=(6, 10, 16))
    assert next_step(of_race(cut)) == (
        "Its time limit ended it after 6 blocks. This goes on to the planned checks after 10 and 16 blocks (the first "
        f"takes about 1 min 20 s more): `{LINE} --more 4`."
    )


def test_the_reason_of_no_verdict_has_cases_in_words() -> None:
    (pair,) = STATIC.comparisons
    why = f"{pair.other}, in 3 of 6 runs: the load generator was 99 % busy in connections=10 (limit 95 %)"
    withheld = replace(STATIC, comparisons=(replace(pair, verdict="inconclusive", because=why, blocks_needed=None),))
    text = " ".join(each.sentence for each in answer(context(withheld).result).verdicts)
    (planned,) = (each for each in RECORDING.plan.experiments if each.name == STATIC.name)
    progress = " ".join(verdict_lines(withheld, planned, RECORDING.plan.titles))
    for each in (text, progress):
        assert "busy with 10 connections" in each
        assert "connections=" not in each
        assert "apache-httpd" not in each, "setups by their titles"


@pytest.mark.parametrize(
    ("subject", "said", "advised"),
    [
        (
            "B",
            "If the best estimate is true, that has about an even chance to call B slower.",
            "no choice follows yet",
        ),
        ("A", GOES_AWAY, "one setup"),
    ],
)
def test_of_one_setup_twice_no_winner_is_promised(subject: str, said: str, advised: str) -> None:
    of = building.experiment(
        treatments=(building.treatment("A"), building.treatment("B", subject=subject)),
        comparisons=(Comparison("subject", "A", "B", {}, (0.028, 0.028)),),
        run_s={"A": 10.0, "B": 10.0},
    )
    values = {"A": building.steady(1000, step=0.02), "B": [930.0, 1010.0, 940.0, 990.0, 960.0] * 2}
    recording = building.recording(building.blocks_of(values, of=of), of=building.plan(of))
    (shown,) = StudyContext(analyze(recording), recording).experiments
    (pair,) = shown.result.comparisons
    assert pair.blocks_needed
    assert (pair.blocks_needed_for is None) == (subject == "A")
    assert said in next_step(shown.in_words())
    assert any(advised in each for each in still_open(shown.in_words()))
    assert ("to call B" in answer(shown.result).verdicts[0].needs) == (subject == "B")


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("same", "A and B are one setup, and are the same within 3 %, as they should."),
        (
            "better",
            "A and B are one setup, yet B came out faster by at least 2.0 %: find out why before you trust other",
        ),
    ],
)
def test_of_one_setup_twice_no_choice_follows(verdict: Verdict, said: str) -> None:
    of = building.experiment(
        treatments=(building.treatment("A"), building.treatment("B", subject="A")),
        comparisons=(Comparison("subject", "A", "B", {}, (0.028, 0.028)),),
    )
    values = {"A": building.steady(1000), "B": building.steady(1000)}
    recording = building.recording(building.blocks_of(values, of=of), of=building.plan(of))
    analysis = analyze(recording)
    (result,) = analysis.experiments
    pair = replace(result.comparisons[0], verdict=verdict)
    if verdict == "better":
        pair = replace(pair, ratio=Estimate(1.03, Interval(1.02, 1.04, 0.97), 10))
    told = replace(analysis, experiments=(replace(result, comparisons=(pair,)),))
    (advice,) = conclusion(told, recording)
    assert advice.role == RUNS
    assert advice.lines[0].startswith(said)


def test_runs_that_vary_leave_a_verdict_as_it_is() -> None:
    vary = Finding("unsteady-runs", Severity.DOUBT, "nginx: runs vary by 20 % (doubtful above 5 %).", "", {})
    vary = replace(vary, id=TYPICAL_ERROR.id)
    (kept,), (open_one,) = graded([vary], decided=True), graded([vary])
    assert kept.by_itself == "nginx: runs vary by 20 % (doubtful above 5 %); the verdict stands."
    assert open_one.by_itself == kept.says == open_one.says == "nginx: runs vary by 20 % (doubtful above 5 %)."


def test_a_level_that_both_setups_have_in_their_names_is_not_named_before_them_as_well() -> None:
    (pair,) = STATIC.comparisons
    alike = [
        replace(pair, baseline=f"Apache {words}", other=f"nginx {words}", fixed={"workers": workers})
        for workers, words in ((1, "with 1 worker"), (2, "with 2 workers"))
    ]
    first, second = (each.sentence for each in answer(replace(STATIC, comparisons=tuple(alike))).verdicts)
    assert first.startswith("nginx with 1 worker is ")
    assert second.startswith("nginx with 2 workers is ")
    longer = [replace(each, baseline=f"{each.baseline} and gzip on") for each in alike]
    assert answer(replace(STATIC, comparisons=tuple(longer))).verdicts[0].sentence.startswith("nginx with 1 worker")
    for other_name in ("Apache", "Apache with 11 workers"):
        apart = [replace(each, baseline=other_name) for each in alike]
        kept = answer(replace(STATIC, comparisons=tuple(apart))).verdicts[0].sentence
        assert kept.startswith("With 1 worker: nginx"), "one name does not have it"
