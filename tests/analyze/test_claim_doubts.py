"""Where doubts about claims begin and end: what is meant is no fault, and what is about one pair spares the others."""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from scipy import stats

from headtohead.analyze.findings import findings_of_experiment, judge_run
from headtohead.analyze.samples.summary_over_cases import summarize
from headtohead.analyze.statistics.binomial import by_chance
from headtohead.analyze.study import analyze
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Summary
from headtohead.model.record import BatchRecord, Recorded, Recording, Setting, Status
from headtohead.model.study.workload import Load
from tests.analyze.building import (
    ALPHA,
    OPERATIONS,
    batch_experiment,
    blocks_of,
    experiment,
    readings,
    steady,
    treatment,
)
from tests.analyze.seeding import CLEAR, arms, by_times, folder, of_label, sending, suite, telling, with_run
from tests.analyze.suites import KERNELS, suiting


def findings(recording: Recording) -> tuple[Finding, ...]:
    return analyze(recording).experiments[0].findings


def found(recording: Recording, *severities: Severity) -> list[str]:
    """Return the ids of what was found that weakens or forbids the claim, or of these severities."""
    wanted = severities or (Severity.DOUBT, Severity.INVALID)
    return [each.id for each in findings(recording) if each.severity in wanted]


def varying(factor: str) -> PlannedExperiment:
    """Return apache against nginx by another factor."""
    return experiment(comparisons=(Comparison(factor, "apache", "nginx", {}, ALPHA),))


def test_what_compression_does_is_meant() -> None:
    of = varying("gzip")
    assert found(folder(sending(blocks_of(CLEAR, of=of), {"apache": 19_500.0, "nginx": 2_700.0}), of)) == []


def test_a_tenth_more_bytes_is_a_doubt_and_forbids_nothing() -> None:
    told = folder(sending(blocks_of(CLEAR), {"apache": 19_500.0, "nginx": 21_500.0}))
    assert found(told, Severity.DOUBT) == ["unlike-answers"]
    assert found(told, Severity.INVALID) == []
    assert [each.says.rpartition(": ")[2] for each in findings(told) if each.severity is Severity.DOUBT] == [
        "the work may differ."
    ]


def test_databases_put_the_same_rows_in_bytes_of_their_own() -> None:
    of = experiment(asks="sql/forum-v1")
    told = folder(sending(blocks_of(CLEAR, of=of), {"apache": 2_000.0, "nginx": 4_000.0}), of)
    assert (found(told, Severity.DOUBT), found(told, Severity.INVALID)) == (["unlike-answers"], [])
    (each,) = [each for each in findings(told) if each.id == "unlike-answers"]
    assert each.says.endswith(": the work may differ, or their protocols differ.")
    assert each.advice.startswith("Compare the rows that both return"), "no setting makes both send the same bytes"
    close = folder(sending(blocks_of(CLEAR, of=of), {"apache": 2_000.0, "nginx": 2_900.0}), of)
    assert found(close, Severity.DOUBT) == ["unlike-answers"]
    one = tuple(dataclasses.replace(each, subject="mariadb") for each in of.treatments)
    alike = dataclasses.replace(of, treatments=one)
    told = folder(sending(blocks_of(CLEAR, of=alike), {"apache": 2_000.0, "nginx": 2_900.0}), alike)
    assert found(told, Severity.DOUBT) == ["unlike-answers"], "one program has one protocol"
    assert any(each.says.endswith(": the work may differ.") for each in findings(told))


def test_a_setting_that_the_other_has_by_default_is_not_set_for_one_alone() -> None:
    chosen = {"settings": {"database": "mariadb"}, "changed": ("database",)}
    for theirs, doubts in (("mariadb", []), ("sqlite", ["tuned-unlike"])):
        of = arms(chosen, {"settings": {"database": theirs}})
        told = findings(folder(blocks_of(CLEAR, of=of), of))
        unlike = [each for each in told if each.id == "tuned-unlike"]
        assert [each.id for each in unlike] == doubts
        assert [each.evidence["treatment"] for each in unlike] == ["nginx"] * len(doubts), "not the shared baseline"


@pytest.mark.parametrize("factor", ["cpus", "placement"])
def test_where_cpus_are_what_was_varied_they_may_differ(factor: str) -> None:
    of, cpus = varying(factor), {"apache": (0,), "nginx": (0, 1)}
    runs = [with_run(each, read_back={"cpus": cpus[each.run.label]}) for each in blocks_of(CLEAR, of=of)]
    assert found(folder(runs, of)) == []


def test_an_engine_in_process_may_have_the_driver_s_cpu_which_is_a_doubt() -> None:
    of, cpus = arms({"in_process": True}), {"apache": (0,), "nginx": (0, 1)}
    runs = [with_run(each, read_back={"cpus": cpus[each.run.label]}) for each in blocks_of(CLEAR, of=of)]
    assert "other-cpus" in found(folder(runs, of), Severity.DOUBT)


def test_servers_that_already_ran_are_a_doubt_and_keep_their_verdict() -> None:
    runs = [with_run(each, read_back={"restarted": False, "cpus": [0]}) for each in blocks_of(CLEAR)]
    recording = folder(runs)
    assert found(recording) == ["not-restarted"]
    (comparison,) = analyze(recording).experiments[0].comparisons
    assert comparison.verdict in ("better", "worse")


def test_one_order_in_few_blocks_may_be_chance() -> None:
    values = {label: each[:6] for label, each in CLEAR.items()}
    assert found(folder(blocks_of(values, first=["apache"] * 6))) == []


def struck(*labels: str) -> dict[tuple[str, int], Status]:
    """Return the statuses of a run a block, from the first on."""
    return {(label, block): "invalid" for block, label in enumerate(labels, start=1)}


def test_four_runs_struck_in_one_arm_alone_are_a_doubt() -> None:
    told = folder(blocks_of(CLEAR, statuses=struck("nginx", "nginx", "nginx", "nginx")))
    assert "lopsided" in found(told, Severity.DOUBT)
    assert "lopsided" not in found(told, Severity.INVALID)


def test_runs_struck_in_both_arms_are_none() -> None:
    assert "lopsided" not in found(folder(blocks_of(CLEAR, statuses=struck("nginx", "apache", "nginx", "apache"))))


@pytest.mark.parametrize(("more", "fewer"), [(4, 0), (6, 0), (7, 1), (9, 3), (12, 12)])
def test_chance_is_that_of_a_fair_coin(more: int, fewer: int) -> None:
    assert by_chance(more, fewer) == pytest.approx(stats.binomtest(more, more + fewer).pvalue)


def test_a_fifth_of_the_blocks_may_be_lost_and_no_more() -> None:
    two = analyze(folder(blocks_of(CLEAR, statuses=struck("nginx", "apache")))).experiments[0].comparisons[0]
    three = analyze(folder(blocks_of(CLEAR, statuses=struck("nginx", "apache", "nginx")))).experiments[0].comparisons[0]
    assert (two.verdict, three.verdict) == ("better", "inconclusive")
    assert three.because == "3 of 10 blocks are lost, more than a fifth of them"
    assert three.blocks_needed is None


def test_runs_of_value_0_are_a_doubt_for_the_loser_and_forbid_a_verdict_for_it_or_for_nobody() -> None:
    def with_zero(label: str, of: Mapping[str, Sequence[float]]) -> Recording:
        return folder(blocks_of({**of, label: [0.0, *of[label][1:]]}))

    loses = analyze(with_zero("apache", CLEAR)).experiments[0]
    assert loses.comparisons[0].verdict == "better"
    assert [each.says for each in loses.findings if each.id == "zero-value"] == [
        "apache: 1 of 10 runs have a value of 0, which no ratio can hold; their blocks are left out of it."
    ]
    assert found(with_zero("apache", CLEAR), Severity.DOUBT) == ["zero-value"]
    alike = experiment(looks=(6, 16))
    even = [*steady(1000), *steady(1000)[:6]]
    even_runs = blocks_of({"apache": even, "nginx": even}, of=alike)
    assert analyze(folder(even_runs, alike)).experiments[0].comparisons[0].verdict == "same"
    same = folder(blocks_of({"apache": [0.0, *even[1:]], "nginx": even}, of=alike), alike)
    for forbidden in (with_zero("nginx", CLEAR), same):
        assert found(forbidden, Severity.INVALID) == ["zero-value"]
        assert analyze(forbidden).experiments[0].comparisons[0].verdict == "inconclusive"
    assert "zero-value" not in found(folder(blocks_of(CLEAR)))


def test_one_case_of_value_0_makes_the_mean_over_cases_0() -> None:
    assert summarize([0.0, 1000.0], "geometric-mean") == 0.0
    assert summarize([-1.0, 1000.0], "geometric-mean") is None


@pytest.mark.parametrize("settings", [{"connections": 1}, {"connections": 10, "think_s": 1.0}])
def test_times_of_one_user_or_of_users_who_pause_may_decide(settings: dict[str, float]) -> None:
    of = by_times(**settings)
    assert found(folder(blocks_of(CLEAR, of=of), of)) == []


def kernels(*asked: str, primary: Summary | None = None) -> list[tuple[str, Severity]]:
    """Return what is found where some of ten kernels were asked for."""
    of = suiting(treatment("gcc"), treatment("clang"), kernels=asked, declared={"kernel": KERNELS})
    of = dataclasses.replace(of, primary=primary or of.primary)
    runs = blocks_of({"gcc": steady(100), "clang": steady(150)}, of=of)
    return [(each.id, each.severity) for each in findings(folder(runs, of)) if each.id == "subset"]


def test_one_kernel_of_ten_is_a_doubt_and_two_are_no_score() -> None:
    assert kernels("fft") == [("subset", Severity.DOUBT)]
    assert kernels("fft", "lu") == [("subset", Severity.INVALID)]


def test_a_summary_that_names_its_kernels_is_whole_without_the_others() -> None:
    of_two = Summary("two", OPERATIONS.name, "geometric-mean", {"kernel": ("fft", "lu")})
    assert kernels("fft", "lu", primary=of_two) == []


def test_the_subset_says_how_many_of_how_many_and_which_are_missing() -> None:
    (finding,) = (each for each in findings(suite([1.5] * 10, asked=KERNELS[:8])) if each.id == "subset")
    assert finding.says.startswith("Only 8 of the 10 that the workload declares for kernel were measured (not triad, ")


def unlike(of: PlannedExperiment, *configurations: Setting) -> bool:
    runs = blocks_of(CLEAR, of=of)
    told = {"apache": configurations[:1], "nginx": configurations[1:]}
    runs = [dataclasses.replace(each, configuration=told[each.run.label]) for each in runs]
    return "unlike-service" in found(folder(runs, of), Severity.INVALID)


def test_other_terms_are_meant_where_they_are_the_factor_or_the_subject_is_the_same() -> None:
    kept, anew = ({"settings": {"connection": each}} for each in ("keep-alive", "per-request"))
    by_connection = (Comparison("connection", "apache", "nginx", {}, ALPHA),)
    assert unlike(arms(kept, anew))
    assert not unlike(arms(kept, anew, comparisons=by_connection))
    assert not unlike(arms(kept | {"subject": "server"}, anew | {"subject": "server"}))


def test_durability_matters_where_something_is_written() -> None:
    lax, strict = Setting("innodb_flush_log_at_trx_commit", "2", "1"), Setting("fsync", "on", "on")
    reading, writing = ({"settings": {"write_share": share}} for share in (0, 0.1))
    assert unlike(arms(writing, writing), lax, strict)
    assert not unlike(arms(reading, reading), lax, strict)
    assert not unlike(arms(writing, writing), lax)


def test_an_engine_without_a_log_keeps_no_promise_whatever_its_settings_say() -> None:
    safe = Setting("innodb_flush_log_at_trx_commit", "1", "1")
    rows = {"settings": {"write_share": 0.1, "engine": "MyISAM"}}
    log = {"settings": {"write_share": 0.1, "engine": "InnoDB"}}
    assert unlike(arms(rows, log), safe, safe)
    assert not unlike(arms(log, log), safe, safe)


def test_fresh_copies_that_the_factor_itself_asks_for_are_meant() -> None:
    settings = {"write_share": 0.1}
    of = arms(
        {"fresh": True, "settings": settings},
        {"settings": {"write_share": 0}},
        comparisons=(Comparison("write_share", "apache", "nginx", {}, ALPHA),),
    )
    assert "cold-and-warm" not in found(folder(blocks_of(CLEAR, of=of), of))


@pytest.mark.parametrize(("factor", "forbidden"), [("subject", True), ("memory_mib", False)])
def test_the_page_cache_in_one_arm_alone_forbids_a_verdict_unless_it_is_the_factor(
    factor: str, forbidden: bool
) -> None:
    of = batch_experiment(
        treatments=(treatment("apache"), treatment("nginx")),
        comparisons=(Comparison(factor, "apache", "nginx", {}, ALPHA),),
    )

    def cached(each: Recorded) -> Recorded:
        (record,) = each.records
        assert isinstance(record, BatchRecord)
        told = {"page_cache": 1.0 if each.run.label == "nginx" else 0.0}
        return dataclasses.replace(each, records=(dataclasses.replace(record, metrics=told),))

    recording = folder([cached(each) for each in blocks_of(CLEAR, of=of)], of)
    assert ("cold-and-warm" in found(recording, Severity.INVALID)) == forbidden


def versions(of: PlannedExperiment, program: str) -> bool:
    """Return whether two versions of a program forbid the verdict."""
    named = {"apache": "1", "nginx": "2"}
    runs = [with_run(each, versions={program: named[each.run.label]}) for each in blocks_of(CLEAR, of=of)]
    return "builds-differ" in found(folder(runs, of), Severity.INVALID)


def test_a_version_may_differ_with_the_settings_that_it_names() -> None:
    gcc, clang = ({"subject": "kernels", "settings": {"compiler": each}} for each in ("gcc", "clang"))
    assert not versions(arms(gcc, clang), "kernels")
    assert versions(arms(gcc, gcc), "kernels")


def test_a_version_may_differ_with_the_userland() -> None:
    one, other = ({"subject": "nginx", "levels": {"userland": each}} for each in ("debian-12", "debian-13"))
    assert not versions(arms(one, other), "nginx")
    assert versions(arms(one, one), "nginx")


def test_a_database_that_two_forums_need_must_be_the_same() -> None:
    needs = {"parts": {"mariadb": {"engine": "InnoDB"}}}
    assert versions(arms(needs | {"settings": {"a": 1}}, needs | {"settings": {"b": 2}}), "mariadb")


def test_limits_that_are_the_factor_may_differ() -> None:
    of, limits = varying("memory_mib"), {"apache": 4096, "nginx": 512}
    runs = [with_run(each, read_back={"memory_mib": limits[each.run.label]}) for each in blocks_of(CLEAR, of=of)]
    assert found(folder(runs, of)) == []


def test_other_data_are_other_surroundings() -> None:
    seeds = {"apache": 1, "nginx": 2}
    runs = [with_run(each, data={"set": "pages", "seed": seeds[each.run.label]}) for each in blocks_of(CLEAR)]
    (finding,) = findings(folder(runs))
    assert (finding.id, finding.evidence["fact"]) == ("environment-differs", "data seed")


def test_a_start_that_nobody_timed_is_a_doubt() -> None:
    runs = of_label(blocks_of(CLEAR), "nginx", lambda each: with_run(each, phases=each.run.phases[1:]))
    assert found(folder(runs)) == ["start-untold"]


def test_what_differs_between_two_configurations_of_one_subject_is_listed_and_what_runs_choose_is_not() -> None:
    of = arms({"subject": "server"}, {"subject": "server"})

    def said(each: Recorded) -> Recorded:
        told = (
            Setting("cache", "on" if each.run.label == "nginx" else "off", "off"),
            Setting("port", str(each.run.run), ""),
            Setting("threads", "8", "8"),
        )
        return with_run(dataclasses.replace(each, configuration=told), versions={"server": "1"})

    (finding,) = findings(folder([said(each) for each in blocks_of(CLEAR, of=of)], of))
    assert finding.severity is Severity.NOTE
    assert finding.says == "apache and nginx differ in 1 of the settings in force: cache off / on."


def test_both_sides_tuned_or_one_subject_on_its_own_is_no_doubt() -> None:
    tuned = {"settings": {"threads": 8}, "changed": ("threads",)}
    for of in (arms(tuned, tuned), arms(tuned | {"subject": "server"}, {"subject": "server"})):
        runs = [with_run(each, versions={"x": "1"}) for each in blocks_of(CLEAR, of=of)]
        assert found(folder(runs, of)) == []


def test_open_loops_need_no_full_cpu_for_a_verdict_on_times() -> None:
    of = dataclasses.replace(by_times(rate_per_s=100), load=Load("open", {}, {"rate_per_s": 100}, measure_s=3))
    runs = [telling(each, loop="open") for each in blocks_of(CLEAR, of=of)]
    assert "unsaturated" not in found(folder(runs, of))


@pytest.mark.parametrize(
    ("fast_ms", "middle_ms", "used", "waits"),
    [(43.9, 44.0, 0.03, True), (43.9, 44.0, 0.9, False), (12.0, 44.0, 0.03, False), (80.0, 90.0, 0.03, False)],
)
def test_a_server_that_waits_for_delayed_acknowledgments_is_a_doubt_with_its_remedy(
    fast_ms: float, middle_ms: float, used: float, waits: bool
) -> None:
    times = {"response_time_p10_ns": fast_ms * 1e6, "response_time_p50_ns": middle_ms * 1e6}
    runs = of_label(
        blocks_of(CLEAR),
        "nginx",
        lambda each: dataclasses.replace(telling(each, values=times), readings=readings(subject_cpu_ns=used)),
    )

    told = [each for each in findings(folder(runs)) if each.id == "waits-for-acknowledgments"]

    assert [each.of for each in told] == ([("nginx",)] if waits else [])
    assert all("half of the responses took 44 ms" in each.says and "TCP_NODELAY" in each.advice for each in told)


def test_every_check_of_findings_is_in_one_list() -> None:
    listed = [each.__name__ for each in (*judge_run.LOOKS_FOR, *findings_of_experiment.LOOKS_FOR)]
    sources = [file.read_text("utf-8") for file in Path(findings_of_experiment.__file__).parent.rglob("*.py")]
    checks = r"^def ([a-z]\w*)\((?:seen: RunSeen|whole: Whole)\) -> Iterator\[Finding\]"
    made = {name for source in sources for name in re.findall(checks, source, re.MULTILINE)}
    assert len(listed) == len(set(listed)) == 25 + 50
    assert set(listed) == made - {"noticed"}
