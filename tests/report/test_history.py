"""A history in words and as a chart."""

from dataclasses import replace

from headtohead.model.analysis.comparison import Verdict
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.history import HistoryPoint, HistorySeries, LevelChange, VersionsRace
from headtohead.report.fleet.history import chart_of, lines_of, title_of


def point(day: int, ratio: float) -> HistoryPoint:
    estimate = Estimate(ratio, Interval(ratio - 0.01, ratio + 0.01, 0.95), 10)
    return HistoryPoint(f"day-{day}", f"2026-10-{day:02d}T10:00:00Z", estimate, "nginx 1.2")


SERIES = HistorySeries(
    experiment="page",
    metric="right answers per second",
    reference="apache 2.4",
    other="nginx",
    matters=1.03,
    points=(point(1, 1.1), point(2, 1.2)),
    levels=(1.1, 1.2),
    changes=(LevelChange("day-1", "day-2", 1.0909),),
    enough=True,
)


def told_of(change: LevelChange) -> str:
    return "\n".join(lines_of(replace(SERIES, changes=(change,))))


def raced(verdict: Verdict, ratio: float) -> LevelChange:
    estimate = Estimate(ratio, Interval(ratio - 0.01, ratio + 0.01, 0.95), 10)
    return replace(SERIES.changes[0], race=VersionsRace("verified/race", verdict, estimate))


def test_a_change_is_a_possible_one_and_names_both_folders_and_what_confirms_it() -> None:
    text = "\n".join((title_of(SERIES), *lines_of(SERIES)))

    assert "Correct responses per second of nginx relative to apache 2.4 (page)" in text
    assert "2026-10-01  day-1  1.10 [1.09, 1.11]  nginx 1.2" in text
    assert "Possible change of +9 % between day-1 and day-2. The same command with --verify races" in text


def test_versions_that_cannot_be_raced_from_the_results_have_the_reason_and_the_line_to_type() -> None:
    text = told_of(replace(SERIES.changes[0], why_not="./server is not there any more"))
    assert "Possible change of +9 % between day-1 and day-2. The two versions cannot be raced" in text
    assert "results: ./server is not there any more. " in text
    assert "`headtohead race --name before --serve CMD --name after --serve CMD --get PATH`" in text


def test_a_race_of_the_versions_makes_it_a_change_or_takes_it_back() -> None:
    confirmed = told_of(raced("better", 1.08))
    same, opposite = told_of(raced("same", 1.0)), told_of(raced("worse", 0.9))

    assert "  Change of +9 % between day-1 and day-2: a race of the two versions has a ratio of 1.08 [1.07" in confirmed
    assert "possible change" not in chart_of(replace(SERIES, changes=(raced("better", 1.08),))).svg()
    assert "No change between day-1 and day-2, though the level moved by +9 %" in same
    assert "the same within 3 % (verified/race)" in same
    assert "No change between" in opposite
    assert "in the other direction" in opposite


def test_a_race_without_a_verdict_leaves_it_possible_and_has_the_line_that_adds_blocks() -> None:
    open_, lost = told_of(raced("inconclusive", 1.03)), told_of(raced("not-measured", 1.03))
    assert "Possible change of +9 %" in open_
    assert "`headtohead run verified/race/content/race.toml --results verified --more 12`" in open_
    assert "was not measured" in lost
    assert "--more" not in lost


def test_without_a_change_and_with_few_points_that_is_stated() -> None:
    assert "No change of level in 2 points." in "\n".join(lines_of(replace(SERIES, changes=())))
    assert "changes are looked for from 12 points on" in "\n".join(lines_of(replace(SERIES, changes=(), enough=False)))


def test_the_step_that_would_show_soon_is_stated_if_the_points_show_how_much_they_vary() -> None:
    assert "steps of" not in "\n".join(lines_of(SERIES))
    told = list(lines_of(replace(SERIES, found_soon=1.0463)))
    assert told[-1].strip() == (
        "About 9 of 10 steps of 4.6 % would show within 5 sessions; with more blocks a session, smaller ones."
    )


def test_the_chart_has_each_session_the_reference_and_the_change() -> None:
    drawn = chart_of(SERIES).svg()

    assert drawn.startswith("<svg") or "<svg" in drawn[:200]
    assert "apache 2.4" in drawn
    assert "possible change" in drawn
    assert "2026-10-02" in drawn
