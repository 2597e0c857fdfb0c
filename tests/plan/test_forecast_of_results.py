"""What `check` forecasts of the results of a plan, next to what such results take."""

from pathlib import Path
from random import Random

from benches.make_runs import Asked, experiment, make
from headtohead.model.plan import Plan
from headtohead.plan.forecast.results import report_forecast
from headtohead.report.terminal.plan import Forecast, ResultsSize, render_plan


def of(runs: int, experiments: int) -> Plan:
    made = Asked(runs, experiments)
    return Plan("Many", 1, None, "", "0.1.0", tuple(experiment(each, made) for each in range(experiments)), (), {})


def test_what_is_forecast_grows_with_runs_and_experiments_and_is_a_range() -> None:
    few, many = report_forecast(of(200, 1)), report_forecast(of(10_000, 50))
    assert (few.runs, many.runs) == (200, 10_000)
    assert (few.is_large, many.is_large) == (False, True)
    for low, high in (few.seconds, few.size_bytes, many.seconds, many.size_bytes):
        assert 0 < low < high
    assert many.seconds[0] > 10 * few.seconds[0]


def test_the_forecast_of_the_disk_holds_for_made_runs(tmp_path: Path) -> None:
    make(tmp_path / "runs", Asked(40, 2, Random(1).randrange(1000)))
    took = sum(each.stat().st_blocks * 512 for each in tmp_path.rglob("*"))
    low, high = report_forecast(of(40, 2)).size_bytes
    assert low < took < high


def test_check_prints_it_where_it_is_much() -> None:
    plan, size = of(200, 1), ResultsSize(10_000, (30.0, 130.0), (4e8, 2.5e9))
    assert "of the disk" not in render_plan(plan, Forecast(60.0, 60.0, {}))
    text = " ".join(render_plan(plan, Forecast(60.0, 60.0, {}, results=size)).split())
    assert "All 10,000 runs together take 381 MiB to 2.33 GiB of the disk; a report of them takes 30 s to" in text
