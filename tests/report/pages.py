"""Whole pages from an analysis and its recording, and what sections hold: for tests."""

from dataclasses import replace

from headtohead.model.analysis.results import Analysis
from headtohead.model.record import Recording
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Blocks, Figure, Fold, Heading, Section, Table, Text, every_block
from headtohead.report.formats import html as html_format
from headtohead.report.formats import markdown as markdown_format
from headtohead.report.study.section_of_each_question import GROUPS
from headtohead.report.study.study_page import study_page


def html(analysis: Analysis, recording: Recording) -> str:
    return html_format.render(study_page(analysis, recording))


def markdown(analysis: Analysis, recording: Recording) -> str:
    return markdown_format.render(study_page(analysis, recording, pictures=False))


def experiment(analysis: Analysis, recording: Recording, name: str = "") -> ExperimentContext:
    """Return the experiment of this name, or the first."""
    every = StudyContext(analysis, recording, pictures=False).experiments
    return next(each for each in every if name in ("", each.result.name))


def section(analysis: Analysis, recording: Recording, name: str = "", *, pictures: bool = False) -> Section:
    """Return the section of the experiment of this name, or of the first, its groups of parts laid open."""
    page = study_page(analysis, recording, pictures=pictures)
    found = next(each for each in page.sections if each.kicker and name in ("", each.kicker))
    titles = {each.title for each in GROUPS}
    groups = ((each.blocks if isinstance(each, Fold) and each.title in titles else (each,)) for each in found.blocks)
    return replace(found, blocks=tuple(block for group in groups for block in group))


def parts(shown: ExperimentContext) -> Section:
    """Return an experiment's section."""
    return Section(
        shown.result.question, tuple(block for group in GROUPS for part in group.parts for block in part(shown))
    )


def titles(found: Section) -> list[str]:
    """Return the headings of a section, and the titles of what it folds."""
    return [title for each in found.blocks if (title := _title(each))]


def _title(block: object) -> str:
    return block.text if isinstance(block, Heading) else getattr(block, "title", "")


def below(found: Section, title: str) -> Blocks:
    """Yield the blocks under a heading, or in a fold of this title."""
    inside = False
    for each in found.blocks:
        if own := _title(each):
            inside = own == title
        if inside:
            yield from every_block([each])


def table(found: Section, title: str) -> Table:
    """Return the table under a heading, or in a fold of this title."""
    return next(each for each in below(found, title) if isinstance(each, Table))


def sentences(found: Section, title: str) -> list[str]:
    """Return the paragraphs under a heading."""
    return [each.text for each in below(found, title) if isinstance(each, Text)]


def figures(found: Section) -> list[Figure]:
    return [each for each in found.blocks if isinstance(each, Figure)]
