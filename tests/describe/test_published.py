import csv
import shutil
import tomllib
from pathlib import Path

import pytest

from headtohead.analyze.references.also_published_by_article import also_published_by_article
from headtohead.analyze.references.published_cards import CARD
from headtohead.analyze.references.published_changes import PERCENT, STATED
from headtohead.describe import catalog
from headtohead.describe.external.published import COMPUTED, FACTS, MEASUREMENTS, read_published
from headtohead.describe.home import Home, find_home
from headtohead.describe.workload import workloads
from headtohead.model.errors import WordsError
from headtohead.model.external.published import LEVEL
from headtohead.model.quantity import scalar_text
from headtohead.report.terminal.published_figures import names_of, render_published


def test_what_articles_printed_is_read_whole() -> None:
    home = find_home()
    printed = read_published(home)
    for file, rows in ((MEASUREMENTS, printed.figures), (COMPUTED, printed.computed), (FACTS, printed.facts)):
        with (home.published / file).open(encoding="utf-8", newline="") as lines:
            assert len(rows) == len(list(csv.DictReader(lines))) > 300


def test_every_printed_benchmark_resembles_a_workload_or_has_a_reason() -> None:
    printed = read_published(find_home())
    named = [name for each in printed.alike for name in each.benchmarks]
    named += [name for each in printed.unlike for name in each.benchmarks]
    assert sorted(named) == sorted({each.benchmark for each in printed.figures})
    assert len(named) == 21


def test_a_source_is_printed_whole_and_a_benchmark_with_what_the_authors_computed() -> None:
    printed = read_published(find_home())
    whole = render_published(printed, "anandtech-2005-06", width=200)
    assert "3.60 GHz w/ 2M cache 800 MHz FSB (90nm)" in whole
    assert len(whole.splitlines()) > sum(each.source == "anandtech-2005-06" for each in printed.facts)
    one = render_published(printed, "mysql-myisam-ht", width=200)
    assert "HT on vs HT off" in one
    assert "-13" in one
    assert "ask for them by factors" in one
    assert "Price" not in one
    computed_alone = render_published(printed, "oblcpu", width=200)
    assert "percent faster" in computed_alone
    assert {"oblcpu", "mysql-myisam-ht", "woodcrest-2006"} <= set(names_of(printed))


def test_what_is_alike_names_workloads_metrics_and_benchmarks_that_there_are() -> None:
    home = find_home()
    metrics = catalog.read_metrics(home)
    asked, printed = workloads.read_all(home, metrics), read_published(home)
    told = {(each.benchmark, each.metric) for each in printed.figures}
    for each in printed.alike:
        assert each.workload in asked
        assert each.of in metrics
        assert {(name, each.metric) for name in each.benchmarks} <= told
        fields = {*asked[each.workload].load.cases, *asked[each.workload].load.settings}
        assert {*each.where, *([each.level.partition("=")[0]] if each.level else [])} <= fields
        assert not each.level or LEVEL in each.level


def test_printed_gains_and_cards_name_lines_that_there_are_and_factors_of_workloads() -> None:
    home = find_home()
    asked, printed = workloads.read_all(home, catalog.read_metrics(home)), read_published(home)
    computed = {(each.benchmark, each.comparison) for each in printed.computed if each.metric == PERCENT}
    stated = {each.subject for each in printed.facts if each.kind == STATED}
    cards = {(each.source, each.subject) for each in printed.facts if each.kind == CARD}
    studies = [tomllib.loads(each.read_text(encoding="utf-8")) for each in home.studies.glob("*.toml")]
    varied = {
        (each["workload"], factor, scalar_text(level))
        for study in studies
        for each in study["experiment"]
        for factor, levels in each.get("factors", {}).items()
        if isinstance(levels, list) and len(levels) > 1
        for level in levels
        if not isinstance(level, dict)
    }
    for each in printed.gains:
        assert each.workload in asked
        assert (each.workload, each.factor) in {one[:2] for one in varied}, "else no report shows it"
        if each.factor in each.where:
            assert (each.workload, each.factor, each.where[each.factor]) in varied
        assert each.comparisons or each.stated
        assert {(each.benchmark, one) for one in each.comparisons} <= computed
        assert set(each.stated) <= stated
    for card in printed.cards:
        assert card.workload in asked
        assert (card.source, card.of) in cards


def test_every_article_has_a_study_of_one_server_and_one_of_several_which_it_names_by_their_titles() -> None:
    home = find_home()
    printed = read_published(home)
    titles = [tomllib.loads(each.read_text(encoding="utf-8"))["title"] for each in home.studies.glob("*.toml")]
    assert set(printed.articles) == set(printed.sources)
    assert [titles.count(each) for pair in printed.articles.values() for each in pair] == [1] * 10


def test_each_line_of_facts_and_percentages_is_in_the_report_of_the_articles_study() -> None:
    printed = read_published(find_home())
    for source, titles in printed.articles.items():
        article = also_published_by_article(titles[0], printed)
        assert article is not None
        own = [each for each in printed.facts if each.source == source]
        gains = {one for each in printed.gains for one in each.stated}
        elsewhere = [each for each in own if each.kind == CARD or each.subject in gains]
        assert len(article.facts) + len(elsewhere) == len(own)
        assert {each.source for each in article.facts} == {source}
        assert {each.source for each in article.computed} <= {source}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("anandtech-2005-06,db2,Xeon,connections,1,queries_per_second,many,higher,", "line 2 is not a figure"),
        ("anandtech-2005-06,db2,Xeon,connections,1,queries_per_second,243,better,", "line 2 is not a figure"),
        ("anandtech-2006-06,db2,Xeon,connections,1,queries_per_second,243,higher,", "anandtech-2006-06"),
    ],
)
def test_a_line_that_is_no_figure_is_refused(line: str, says: str, tmp_path: Path) -> None:
    ours = find_home()
    home = Home(tmp_path)
    shutil.copytree(ours.published, home.published)
    shutil.copytree(ours.schemas, home.schemas)
    head = (ours.published / MEASUREMENTS).read_text(encoding="utf-8").splitlines()[0]
    (home.published / MEASUREMENTS).write_text(f"{head}\n{line}\n", encoding="utf-8")
    with pytest.raises(WordsError) as refused:
        read_published(home)
    assert says in str(refused.value)


def test_printed_figures_ship_with_the_package() -> None:
    home = find_home()
    settings = tomllib.loads((home.root / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    path = home.published.relative_to(home.root)
    assert included[str(path)] == f"headtohead/share/{path}"
