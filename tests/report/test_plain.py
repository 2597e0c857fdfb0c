"""Sentences of page one that were misread: setups that differ only in their levels, causes, ways without a network."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.analyze.study import analyze
from headtohead.model import rules
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.finding import Finding, Severity
from headtohead.model.machine.link import SOCKET
from headtohead.model.record import Recorded
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.conclusion import conclusion
from headtohead.report.study.page_one.doubts import doubt_lines, graded_of
from headtohead.report.study.page_one.masthead import short_cause
from headtohead.report.text.blocks_needed import needed_for
from headtohead.report.text.numbers.values_with_units import quantity
from headtohead.report.text.setup_names import apart, level_words, levels_apart
from headtohead.report.text.verdicts import verdict_text
from tests.report.sample import ANALYSIS, RECORDING

ROOT = Path(__file__).parents[2]
COPIES = ANALYSIS.experiments[2]
PER_COPY = replace(COPIES, metric=replace(COPIES.metric, per="copies"))


def test_the_title_of_a_page_has_its_size_in_the_unit_of_reports() -> None:
    for name in ("static-page", "static-page-tls"):
        workload = tomllib.loads((ROOT / "workloads" / name / "workload.toml").read_text("utf-8"))
        (request,) = workload["request"]
        assert f"A static page of {quantity(request['expect']['length_bytes'], 'B')}" in workload["title"]


def in_words(result: ExperimentResult = COPIES) -> ExperimentContext:
    (context,) = StudyContext(replace(ANALYSIS, experiments=(result,)), RECORDING).experiments
    return context.in_words()


def test_of_copies_each_is_slower_and_not_all_of_them() -> None:
    result = in_words(PER_COPY).result
    pair = replace(
        result.comparisons[0], ratio=Estimate(0.94, Interval(0.88, 1.01, 0.97), 6), blocks_needed_for="winner"
    )
    assert needed_for(pair, result) == " to call each of 2 copies slower", "together they do more"
    alone = replace(result, metric=replace(result.metric, per=None))
    assert needed_for(pair, alone) == " to call 2 copies slower"


def test_a_level_in_mib_has_its_unit_behind_it() -> None:
    assert level_words("buffer_mib", 512) == "buffer 512 MiB"
    assert level_words("write_share", 0.5) == "write share 0.5"


@pytest.mark.parametrize(
    ("name", "other", "words", "levels"),
    [
        ("OpenSSL on 1 CPU", "OpenSSL on 2 CPUs", "on 1 CPU", "1 CPU"),
        ("nginx on lab1", "nginx on lab2", "on lab1", "lab1"),
        ("nginx on 2 CPUs of lab1", "nginx on 4 CPUs of lab2", "on 2 CPUs of lab1", "2 CPUs of lab1"),
        ("PHP board on 2 CPUs with gzip on", "PHP board on 2 CPUs with gzip off", "with gzip on", "gzip on"),
        ("nginx", "nginx with gzip on", "nginx", ""),
        ("nginx on 1 CPU", "Apache on 1 CPU", "nginx on 1 CPU", ""),
        ("a with x 1 and y 1", "a with x 2 and y 1", "with x 1", "x 1"),
        ("a with x 1", "a with x 1 and y 1", "a with x 1", ""),
        ("a with x 1, y 1 and z 1", "a with x 2 and w 1", "with x 1, y 1 and z 1", "x 1, y 1 and z 1"),
    ],
)
def test_what_two_setups_share_is_named_once(name: str, other: str, words: str, levels: str) -> None:
    assert (apart(name, other), levels_apart(name, other)) == (words, levels)


DEBUG = "apache-httpd 2.4-debug (for nginx in n=1)"


def test_a_label_in_what_a_program_reports_of_itself_is_no_setup() -> None:
    def reporting(each: Recorded, versions: Mapping[str, str]) -> Recorded:
        return replace(each, run=replace(each.run, versions=versions))

    def versions(each: Recorded) -> Mapping[str, str]:
        if each.run.label == "nginx":
            return {"nginx": f"a nginx-{'1.1' if each.run.block > 3 else '1.0'} of nginx"}
        return {each.run.label: "1.0" if each.run.label == "noop" else DEBUG}

    titles = {**RECORDING.plan.titles, "nginx": "nginx web server"}
    static = replace(RECORDING.plan, experiments=RECORDING.plan.experiments[:1], titles=titles)
    runs = tuple(reporting(each, versions(each)) for each in RECORDING.runs if each.run.experiment == "static-page")
    recording = replace(RECORDING, plan=static, runs=runs)
    (context,) = StudyContext(analyze(recording), recording).experiments
    result = context.in_words().result
    says = {each.id: each.says for each in result.findings}
    debug = f"Apache HTTP Server is a debug build, as it reports itself: apache-httpd {DEBUG}."
    assert says["debug-build"] == debug
    assert says["versions-differ"].endswith("changed between runs, from a nginx-1.0 of nginx to a nginx-1.1 of nginx.")
    assert result.comparisons[0].because == debug, "also where it is why there is no verdict"
    assert any(each.says.startswith(debug.rstrip(".")) for each in graded_of(result))


def slower(pair: ComparisonResult) -> ComparisonResult:
    return replace(pair, verdict="worse", ratio=Estimate(0.95, Interval(0.93, 0.97, 0.95), 6), because="")


def test_each_of_several_copies_is_compared_with_one_alone() -> None:
    result = in_words(PER_COPY).result
    pair = slower(result.comparisons[0])
    each = (
        "With 2 copies, each is 5.0 % slower than 1 copy alone (interval 3.0 % to 7.0 %, 6 blocks), on average over "
        "all copies and 8 kernels."
    )
    assert verdict_text(pair, result).sentence.startswith(each)
    decided = replace(PER_COPY, comparisons=(slower(COPIES.comparisons[0]),))
    (advice,) = conclusion(replace(ANALYSIS, experiments=(decided,)), RECORDING)
    assert advice.lines == (
        "expect each of 2 copies to be 3.0 % to 7.0 % slower than 1 copy alone, on average over all copies and 8 "
        "kernels; single kernels -1.2 % to +0.7 %.",
    )


def test_a_doubt_on_page_one_has_the_names_of_its_setups() -> None:
    (first, second) = [each.label for each in COPIES.treatments]
    doubt = Finding("x", Severity.DOUBT, f"{first}: noisy, unlike {second}-old.", "")
    lines = doubt_lines(in_words(replace(COPIES, findings=(doubt,))).result.findings)
    assert lines == (f"1 copy: noisy, unlike {second}-old.",)


def test_what_a_unix_socket_leaves_open_is_not_called_loopback() -> None:
    static = ANALYSIS.experiments[0]
    local = [replace(each, card=replace(each.card, reach=SOCKET)) for each in static.treatments if each.card]
    lines = dict(card_lines(in_words(replace(static, treatments=tuple(local)))))
    assert "(only a Unix socket)" in lines["Does not show"]


def test_every_rule_that_excludes_a_run_has_a_cause_in_plain_words() -> None:
    excluding = {each.id for each in rules.OF_RUNS if each.then is Severity.INVALID}
    assert excluding <= set(rules.CAUSES)
    assert short_cause("not-in-memory: 1.2 % of the pages in connections=50 (limit 1.0 %)") == "data were not in memory"
