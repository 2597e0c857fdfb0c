"""What the article that a study repeats printed besides: prices, features, percentages, scores of other programs."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.printed import ArticleThen
from headtohead.model.external.published import Computed, Figure, PrintedFact
from headtohead.report.context import StudyContext
from headtohead.report.document import Blocks, Entry, Fold, Row, RowGroup, Section, Table, Text
from headtohead.report.text.numbers.values_with_units import as_printed
from headtohead.report.text.wording import capital

_ANCHOR = "article-then"


def also_published_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section with all that the article printed and no experiment shows; nothing if a study repeats none."""
    article = study.analysis.article
    if article is not None:
        title = f"What the article printed besides: {article.source}"
        yield Section(title, tuple(_blocks(article)), anchor=_ANCHOR, folded=True)


def _blocks(article: ArticleThen) -> Blocks:
    yield Text(
        "As given by the article, and not measured here: context for the sections above, in which its figures are next "
        "to ours. No answer rests on it. `headtohead published` prints all of it."
    )
    tables = [*_figures(article.figures), *_computed(article.computed), *_facts(article.facts)]
    for table in tables:
        yield Fold(table.caption, (table,), unfolded=(table,))


def _figures(figures: Sequence[Figure]) -> Iterator[Table]:
    """Yield a table for each benchmark that no program here can run, such as SPEC's."""
    for benchmark in dict.fromkeys(each.benchmark for each in figures):
        own = [each for each in figures if each.benchmark == benchmark]
        rows = tuple(
            Row(
                each.system,
                (Entry(_level(each)), Entry(as_printed(each.value), number=True), Entry(_words(each.metric))),
            )
            for each in own
        )
        yield Table(f"{benchmark}, as given", "System", ("Level", "Value", "Metric"), (RowGroup("", rows),))


def _computed(computed: Sequence[Computed]) -> Iterator[Table]:
    groups = []
    for benchmark in dict.fromkeys(each.benchmark for each in computed):
        own = [each for each in computed if each.benchmark == benchmark]
        rows = tuple(Row(each.comparison, (Entry(f"{each.value:+g} %", number=True), Entry(each.note))) for each in own)
        groups.append(RowGroup(benchmark, rows))
    if groups:
        yield Table("Comparisons of its machines", "Comparison", ("Faster by", "Note"), tuple(groups))


def _facts(facts: Sequence[PrintedFact]) -> Iterator[Table]:
    for kind in dict.fromkeys(each.kind for each in facts):
        own = [each for each in facts if each.kind == kind]
        rows = tuple(
            Row(each.subject, (Entry(_words(each.item)), Entry(f"{each.value} {each.unit}".strip()), Entry(each.note)))
            for each in own
        )
        caption = _TITLES.get(kind, capital(kind.replace("-", " ")))
        yield Table(caption, "Of", ("What", "Value", "Note"), (RowGroup("", rows),))


def _level(figure: Figure) -> str:
    return f"{figure.level} {figure.level_kind}".replace("_", " ").strip()


def _words(name: str) -> str:
    return name.replace("_", " ")


_TITLES = {"price": "Prices", "cpu-feature": "Features of its processors", "stated-percent": "Percentages in its text"}
