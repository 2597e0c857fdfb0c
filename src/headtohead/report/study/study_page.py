"""The page of a study: its sections in reading order.

To add a section write a module that yields it, and name it here. Formats need no change.
"""

from collections.abc import Callable, Iterator

from headtohead.model.analysis.results import Analysis
from headtohead.model.record import Recording
from headtohead.report.context import StudyContext
from headtohead.report.document import Document, Section, Span, Text
from headtohead.report.machine.bench_servers import servers_section
from headtohead.report.machine.machine_section import machine_section
from headtohead.report.study.also_published_by_article import also_published_section
from headtohead.report.study.every_run import every_run_section
from headtohead.report.study.explain_words_metrics_and_loops import reading_section
from headtohead.report.study.left_out import left_out_section
from headtohead.report.study.method import method_section
from headtohead.report.study.page_one.answer_cards_and_verdicts import answers_section
from headtohead.report.study.page_one.conclusion import conclusion_section
from headtohead.report.study.page_one.masthead import masthead
from headtohead.report.study.page_one.what_was_not_tested import untested_section
from headtohead.report.study.reproduce import reproduce_section
from headtohead.report.study.section_of_each_question import experiment_sections
from headtohead.report.text.wording import listed


def study_page(analysis: Analysis, recording: Recording, *, pictures: bool = True) -> Document:
    """Return the whole report, in reading order; without pictures for formats that show none."""
    study = StudyContext(analysis, recording, pictures)
    return Document(
        title=analysis.title,
        opening=answers_section(study),
        sections=tuple(section for sections in SECTIONS for section in sections(study)),
        head=masthead(analysis, recording),
        warning=None if analysis.complete else _not_finished(analysis),
        contents=True,
        generator=f"headtohead {analysis.version}",
        foot=f"Written by headtohead {analysis.version} from the files of this study alone.",
    )


def _not_finished(analysis: Analysis) -> Text:
    open_ones = [str(number) for number, each in enumerate(analysis.experiments, 1) if not each.finished]
    of = f" to question{'s' if len(open_ones) > 1 else ''} {listed(open_ones)}" if open_ones else ""
    text = f" Answers{of} may still change."
    return Text(text, "warning", (Span("Not finished.", strong=True),))


SECTIONS: tuple[Callable[[StudyContext], Iterator[Section]], ...] = (
    servers_section,
    conclusion_section,
    untested_section,
    experiment_sections,
    method_section,
    machine_section,
    every_run_section,
    also_published_section,
    left_out_section,
    reading_section,
    reproduce_section,
)
"""The sections of the report below the answers, in reading order."""
