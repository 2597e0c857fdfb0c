"""A history in words and as a chart."""

from dataclasses import replace

from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.history import HistoryPoint, HistorySeries, LevelChange
from headtohead.report.fleet.history import chart_of, lines_of, title_of


def point(day: int, ratio: float) -> HistoryPoint:
    estimate = Estimate(ratio, Interval(ratio - 0.01, ratio + 0.01, 0.95), 10)
    return HistoryPoint(f"day-{day}", f"2026-10-{day:02d}T10:00:00Z", estimate, "nginx 1.2")


SERIES = HistorySeries(
    experiment="page",
    metric="correct responses",
    reference="apache 2.4",
    other="nginx",
    matters=1.03,
    points=(point(1, 1.1), point(2, 1.2)),
    levels=(1.1, 1.2),
    changes=(LevelChange("day-1", "day-2", 1.0909),),
    enough=True,
)


def test_a_change_is_a_possible_one_and_names_both_folders_and_what_confirms_it() -> None:
    text = "\n".join((title_of(SERIES), *lines_of(SERIES)))

    assert "correct responses of nginx relative to apache 2.4 (page)" in text
    assert "2026-10-01  day-1  1.10 [1.09, 1.11]  nginx 1.2" in text
    assert "Possible change of +9 % between day-1 and day-2. Compare the two versions before you call it one" in text
    assert "`headtohead race --name 'nginx 1.2' --serve CMD --name 'nginx 1.2' --serve CMD --get PATH --fail-if" in text


def test_without_a_change_and_with_few_points_that_is_stated() -> None:
    assert "No change of level in 2 points." in "\n".join(lines_of(replace(SERIES, changes=())))
    assert "changes are looked for from 12 points on" in "\n".join(lines_of(replace(SERIES, changes=(), enough=False)))


def test_the_chart_has_each_session_the_reference_and_the_change() -> None:
    drawn = chart_of(SERIES).svg()

    assert drawn.startswith("<svg") or "<svg" in drawn[:200]
    assert "apache 2.4" in drawn
    assert "possible change" in drawn
    assert "2026-10-02" in drawn
