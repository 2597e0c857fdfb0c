"""What runs took here is kept, and forecasts take it in place of what they assume, while the machine is the same."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headtohead.cli import durations
from headtohead.cli.durations import as_before_here, keep_durations_here
from headtohead.cli.progress import ProgressBar
from headtohead.model.case import WHOLE_RUN
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.record import Phase, Repeat, Run
from headtohead.model.study.workload import Load
from headtohead.plan.forecast.duration import duration_s
from headtohead.plan.forecast.earlier import took_s
from headtohead.report.terminal.plan import Forecast, render_plan
from tests.analyze.building import experiment, plan, recorded, run
from tests.analyze.suites import CPU

OTHER = HostFacts("local", tuple(replace(each, value="another") for each in CPU.facts))
ASKED = experiment()
"""Two treatments of 10 s, 6 and 10 blocks."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durations, "cache_dir", lambda: tmp_path)
    monkeypatch.setattr(durations, "read_facts", lambda _: CPU)


def lasting(seconds: float, label: str = "nginx", **changes: Any) -> Run:  # noqa: ANN401 -- any field of a run
    return replace(run(label), phases=(Phase("measure", None, 0, round(seconds * 1e9)),), **changes)


def keep(*runs: Run, of: Plan | None = None) -> None:
    keep_durations_here(of or plan(ASKED), [recorded(each) for each in runs], (CPU,))


def expected(of: Plan | None = None) -> dict[str, float]:
    return dict(as_before_here(of or plan(ASKED)).plan.experiments[0].run_s)


def test_without_earlier_runs_the_forecast_is_what_was_planned() -> None:
    before = as_before_here(plan(ASKED))
    assert (before.plan, before.known, before.treatments) == (plan(ASKED), 0, 2)


def test_a_treatment_takes_the_median_of_its_valid_runs_without_repeats() -> None:
    again = (Repeat(WHOLE_RUN, ("steal",)),)
    keep(lasting(30), lasting(31), lasting(50), lasting(9, status="invalid"), lasting(90, repeats=again))
    assert expected() == {"apache": 10.0, "nginx": 31.0}
    assert duration_s(as_before_here(plan(ASKED)).plan) == (6 * 41, 10 * 41)


def test_the_newest_study_counts_and_keeps_what_others_recorded() -> None:
    keep(lasting(30), lasting(40, "apache"))
    keep(lasting(20))
    assert expected() == {"apache": 40.0, "nginx": 20.0}


def test_the_same_work_under_another_load_takes_as_much_longer_than_was_assumed() -> None:
    keep(lasting(25))
    larger = replace(ASKED, same_test="larger", run_s={"apache": 30.0, "nginx": 30.0})
    assert expected(plan(larger)) == {"apache": 30.0, "nginx": 75.0}
    searched = replace(larger, load=Load("open", {}, {"rate_per_s": "search"}))
    assert expected(plan(searched)) == {"apache": 30.0, "nginx": 30.0}, "a search is other work"


def test_a_short_run_does_not_show_that_a_long_one_is_shorter_than_assumed() -> None:
    keep(lasting(2))
    other = replace(ASKED, same_test="another")
    assert expected(plan(other)) == {"apache": 10.0, "nginx": 2.0}
    larger = replace(other, run_s={"apache": 30.0, "nginx": 30.0})
    assert expected(plan(larger)) == {"apache": 30.0, "nginx": 30.0}, "its start alone may have been quick"
    assert as_before_here(plan(larger)).known == 0


def test_a_search_with_another_time_limit_has_trials_of_another_length() -> None:
    def searching(limit_ns: float, test: str) -> PlannedExperiment:
        load = Load("open", {}, {"rate_per_s": "search"}, objective={"response_time_p99_ns": limit_ns})
        return replace(ASKED, load=load, same_test=test)

    keep(lasting(25), of=plan(searching(5e9, "first")))
    assert expected(plan(searching(5e9, "with other connections"))) == {"apache": 10.0, "nginx": 25.0}
    assert expected(plan(searching(9e9, "with another limit"))) == {"apache": 10.0, "nginx": 10.0}


def test_waits_for_quiet_are_not_counted_and_those_for_the_server_are() -> None:
    gates = ({"waited_s": 0.3}, {"waited_s": 8.3}, {"waited_s": 5.0, "subject_cpus": 0.9})
    assert took_s(lasting(30, gates=gates)) == pytest.approx(22)


def test_a_machine_that_changed_has_no_earlier_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(lasting(30))
    monkeypatch.setattr(durations, "read_facts", lambda _: OTHER)
    assert expected() == {"apache": 10.0, "nginx": 10.0}
    keep_durations_here(plan(ASKED), [recorded(lasting(40, "apache"))], (OTHER,))
    assert expected() == {"apache": 40.0, "nginx": 10.0}, "what the old machine took is gone"


@pytest.mark.parametrize("text", ["", '{"format": 1, "tests": [], "facts": "none"}', "[]"])
def test_a_damaged_file_is_as_none_and_is_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / "durations.json").write_text(text)
    assert expected() == {"apache": 10.0, "nginx": 10.0}
    keep(lasting(30))
    assert expected() == {"apache": 10.0, "nginx": 30.0}


def test_check_says_how_much_of_it_earlier_runs_support() -> None:
    def said(known: int) -> str:
        return " ".join(render_plan(plan(ASKED), Forecast(60.0, 60.0, {}, made_before=(known, 2))).split())

    assert "That is an estimate; waiting" in said(0)
    assert "That is an estimate, for 1 of 2 treatments by earlier runs on this machine; waiting" in said(1)
    assert "for all 2 treatments by earlier runs" in said(2)


def test_progress_goes_by_earlier_runs_too(capsys: pytest.CaptureFixture[str]) -> None:
    keep(lasting(30), lasting(50, "apache"))
    with ProgressBar(as_before_here(plan(ASKED)).plan, verdicts=lambda *_: ()) as bar:
        bar.began(ASKED, 6, runs_done=0, runs_to_look=12)
    assert "12 runs, about 8 min left" in capsys.readouterr().err


def test_runs_on_servers_of_a_bench_are_not_taken_for_those_of_this_machine() -> None:
    keep(lasting(30))
    there = tuple(replace(each, server="quad") for each in ASKED.treatments)
    assert expected(plan(replace(ASKED, treatments=there))) == {"apache": 10.0, "nginx": 10.0}


def test_a_cache_that_cannot_be_written_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(durations, "cache_dir", lambda: tmp_path / "file" / "folder")
    keep_durations_here(plan(ASKED), [recorded(lasting(30))], (CPU,))
    assert expected() == {"apache": 10.0, "nginx": 10.0}
