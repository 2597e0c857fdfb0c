import dataclasses

from headtohead.analyze.study import analyze
from headtohead.model.analysis.printed import ArticleThen
from headtohead.report.experiment.values.cells import NOTHING
from tests.analyze.building import plan, recording
from tests.analyze.sweeps import engine, sweeping, walked
from tests.analyze.test_then import ALIKE, RATES, published
from tests.report import pages

OF = sweeping(engine("myisam"), engine("innodb"), workload="forum-read")
RECORDING = recording(walked(OF, RATES), of=plan(OF))


def test_then_and_now_is_a_table_with_its_caveat_before_it() -> None:
    found = pages.section(analyze(RECORDING, None, published()), RECORDING)
    (title,) = [each for each in pages.titles(found) if each.startswith("Then and now")]
    assert title == "Then and now: A magazine, 2005, mysql"
    (line,) = pages.sentences(found, title)
    assert "366" in line
    assert "Another machine, other versions and another client program" in line
    assert line.endswith("Another forum.")
    table = pages.table(found, "Figures as printed, and those measured here")
    assert table.columns == ("1 connection", "50 connections")
    then, now = table.groups
    assert [(row.head, [each.text for each in row.cells]) for row in then.rows] == [
        ("Xeon", ["243", "333"]),
        ("Opteron", [NOTHING.text, "366"]),
    ]
    assert [row.head for row in now.rows] == ["myisam", "innodb"]
    assert all(cell.small for row in now.rows for cell in row.cells)


def test_both_forms_of_the_report_hold_it() -> None:
    analysis = analyze(RECORDING, None, published())
    for text in (pages.html(analysis, RECORDING), pages.markdown(analysis, RECORDING)):
        assert "Then and now: A magazine, 2005" in text
        assert "Opteron" in text


def test_a_figure_of_one_program_stands_beside_that_program_and_apart_from_others() -> None:
    told = published(alike=dataclasses.replace(ALIKE, program={"subject": "innodb"}))
    found = pages.section(analyze(RECORDING, None, told), RECORDING)
    title = next(each for each in pages.titles(found) if each.startswith("Then and now"))
    (line,) = pages.sentences(found, title)
    assert line.startswith("Highest: 366 correct responses/s printed (Opteron), 630 here (innodb).")
    groups = pages.table(found, "Figures as printed, and those measured here").groups
    assert [(each.title, [row.head for row in each.rows]) for each in groups[1:]] == [
        ("Now, with intervals", ["innodb"]),
        ("Now, another program than the printed one", ["myisam"]),
    ]


def test_benchmarks_of_programs_that_were_not_measured_are_named_alone() -> None:
    told = published(alike=dataclasses.replace(ALIKE, program={"subject": "db2"}))
    found = pages.section(analyze(RECORDING, None, told), RECORDING)
    assert not [each for each in pages.titles(found) if each.startswith("Then and now")], "no study of that article"
    text = pages.markdown(analyze(RECORDING, None, told), RECORDING)
    assert "Also printed, of programs that were not measured here: A magazine, 2005, mysql." in text
    assert "Opteron" not in text


def test_a_study_that_repeats_an_article_has_its_tables_of_programs_that_were_not_measured_too() -> None:
    told = published(alike=dataclasses.replace(ALIKE, program={"subject": "db2"}))
    analysis = analyze(RECORDING, None, told)
    article = ArticleThen(analysis.experiments[0].then[0].source, (), (), ())
    found = pages.section(dataclasses.replace(analysis, article=article), RECORDING)
    title = next(each for each in pages.titles(found) if each.startswith("Then and now"))
    (line,) = pages.sentences(found, title)
    assert line.startswith("The printed program was not measured here.")
    assert "700" not in line


def test_the_card_of_a_question_leads_to_the_figures_of_the_article_that_the_study_repeats() -> None:
    analysis = analyze(RECORDING, None, published())
    article = ArticleThen(analysis.experiments[0].then[0].source, (), (), ())
    words = "The article's figures are next to these"
    assert words in pages.markdown(dataclasses.replace(analysis, article=article), RECORDING)
    others = dataclasses.replace(article, source="Another magazine, 2006")
    assert words not in pages.markdown(dataclasses.replace(analysis, article=others), RECORDING)
    assert words not in pages.markdown(analysis, RECORDING), "it repeats no article"
