"""Where treatments change places, in words: shown, not shown, and none in the range measured."""

from collections.abc import Mapping
from dataclasses import replace

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Crossing
from headtohead.model.quantity import Scalar
from headtohead.report.context import StudyContext
from headtohead.report.document import Heading, Text
from headtohead.report.experiment.crossings import crossing_blocks, crossing_sentences, proven_crossings
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.conclusion import conclusion
from tests.report.sample import ANALYSIS, RECORDING

LEVELS = (1.0, 5.0, 10.0, 50.0)


def crossing(
    low: float | None, high: float | None, *, shown: bool = True, over: str = "connections", **fixed: Scalar
) -> Crossing:
    levels: Mapping[str, Scalar] = fixed
    return Crossing(over, "apache-httpd", "nginx", levels, LEVELS, low, high, shown)


def told(*crossings: Crossing) -> tuple[str, ...]:
    return crossing_sentences(replace(ANALYSIS.experiments[0], crossings=crossings))


def lines(result: ExperimentResult) -> dict[str, str]:
    (context,) = StudyContext(replace(ANALYSIS, experiments=(result,)), RECORDING).experiments
    return dict(card_lines(context.in_words()))


def test_a_change_that_is_shown_lies_between_two_levels() -> None:
    assert told(crossing(5, 10)) == (
        "Between 5 and 10 connections nginx overtakes apache-httpd: the intervals at both show it.",
    )


def test_one_that_only_the_estimates_have_names_no_winner() -> None:
    (found,) = told(crossing(5, 10, shown=False))
    assert "overtakes" not in found
    assert found.startswith("Between 5 and 10 connections the estimates of apache-httpd and nginx change their order")


def test_none_is_told_with_the_range_that_was_measured() -> None:
    assert told(crossing(None, None)) == (
        "No: from 1 to 50 connections apache-httpd stays ahead of nginx, by intervals that hold together for these "
        "levels alone; those of the tables hold for more, so they are wider and may leave a level open.",
    )
    (found,) = told(crossing(None, None, shown=False))
    assert "ahead" not in found
    assert "the intervals allow either to lead" in found


def test_over_cpus_and_with_levels_held_fixed_both_are_named() -> None:
    pair = (crossing(1, 5, over="cpus", gzip="on"), crossing(None, None, over="cpus", gzip="off"))
    first, second = told(*pair)
    assert first.startswith("Between 1 and 5 CPUs with gzip on nginx overtakes")
    assert "from 1 to 50 CPUs apache-httpd stays ahead of nginx with gzip off" in second


def test_of_many_pairs_that_keep_their_places_it_is_said_how_many() -> None:
    (found,) = told(*(crossing(None, None, engine=str(n)) for n in range(9)))
    assert found == "No crossover is shown for 9 pairs from 1 to 50 connections."


def test_without_a_range_nothing_is_said() -> None:
    assert told() == ()


def test_page_one_and_the_conclusion_tell_only_what_is_shown_of_those_that_were_compared() -> None:
    shown = crossing(5, 10)
    others = (crossing(5, 10, shown=False), crossing(None, None), replace(shown, ahead="noop"))
    result = replace(ANALYSIS.experiments[0], crossings=(shown, *others))
    told = lines(result)["Crossover"]
    assert told == "Between 5 and 10 connections nginx overtakes Apache HTTP Server: the intervals at both show it."
    assert "Crossover" not in lines(replace(result, crossings=others))
    (role,) = conclusion(replace(ANALYSIS, experiments=(result,)), RECORDING)
    (line,) = role.lines
    winner, _, but = line.partition(" But b")
    assert " on average" in winner
    assert but == told[1:]


def test_averages_that_cross_over_are_advice_of_their_own() -> None:
    over = replace(crossing(1, 5, over="cpus"), ahead="mariadb", behind="postgresql")
    result = replace(ANALYSIS.experiments[0], crossings=(over,))
    (role,) = conclusion(replace(ANALYSIS, experiments=(result,)), RECORDING)
    assert role.lines[1].startswith("Which to choose depends: between 1 and 5 CPUs postgresql overtakes mariadb")


def test_where_nothing_has_a_verdict_no_change_of_places_advises_anything() -> None:
    open_one = replace(ANALYSIS.experiments[0].comparisons[0], verdict="inconclusive")
    result = replace(ANALYSIS.experiments[0], crossings=(crossing(5, 10),), comparisons=(open_one,))
    assert conclusion(replace(ANALYSIS, experiments=(result,)), RECORDING) == ()


def test_levels_of_a_factor_that_are_no_labels_were_compared() -> None:
    over = replace(crossing(1, 5, over="cpus"), ahead="mariadb", behind="postgresql")
    (found,) = proven_crossings(replace(ANALYSIS.experiments[0], crossings=(over,)))
    assert found.startswith("Between 1 and 5 CPUs postgresql overtakes mariadb")


def test_loads_that_all_saturate_the_servers_say_nothing_about_lower_ones() -> None:
    result = replace(ANALYSIS.experiments[0], crossings=(crossing(None, None),))
    assert crossing_sentences(result, saturated=True) == (
        "At 1, 5, 10 and 50 connections, each enough to saturate the servers, apache-httpd is ahead of nginx; lower "
        "loads were not measured.",
    )


def test_workers_are_no_load() -> None:
    static = ANALYSIS.experiments[0]
    flat = tuple(
        replace(each, cells=tuple(replace(cell, estimate=replace(cell.estimate, value=100.0)) for cell in each.cells))
        for each in static.treatments
    )

    def said(over: str) -> tuple[str, str]:
        result = replace(static, treatments=flat, crossings=(crossing(None, None, over=over),))
        (context,) = StudyContext(replace(ANALYSIS, experiments=(result,)), RECORDING).experiments
        heading, text = crossing_blocks(context)
        assert isinstance(heading, Heading)
        assert isinstance(text, Text)
        return heading.text, text.text

    load, workers = said("connections"), said("workers")
    assert load[0] == "Does load change the ranking?"
    assert "each enough to saturate the servers" in load[1]
    assert workers[0] == "Does the number of workers change the ranking?"
    assert "saturate" not in workers[1]
