"""Every kind of block is shown by every format; what cannot be folded or drawn is shown in words."""

from typing import get_args

import pytest

from headtohead.report.document import (
    Block,
    Card,
    Document,
    Entry,
    Figure,
    Findings,
    FindingText,
    Fold,
    Frames,
    Heading,
    Items,
    Picture,
    Row,
    RowGroup,
    Section,
    Span,
    Table,
    Terms,
    Text,
    Verdict,
)
from headtohead.report.drawing.chart import Boxes
from headtohead.report.formats import html, markdown
from tests.report.test_html import read

WORD = "<b>word</b>"
TABLE = Table(WORD, "head", ("column",), (RowGroup("", (Row("row", (Entry("cell"),)),)),))
EVERY: tuple[Block, ...] = (
    Text(WORD, spans=(Span("link", target="here"), Span("strong", strong=True))),
    Verdict(WORD, "better"),
    Heading(WORD, anchor="here"),
    Items((WORD,)),
    Terms((("term", WORD),), "facts"),
    TABLE,
    Figure(Boxes("<svg></svg>", "<svg></svg>"), WORD, words=(WORD,)),
    Frames((Picture("one.png", 1, 1, "what it shows", "data:image/png;base64,"),), WORD, "runs/0001/images"),
    Findings((FindingText("doubt", WORD, "advice", "evidence"),)),
    Fold("fold", (Text(WORD),), "1 fact"),
    Card("card", "here", "clear", "clear", (Text(WORD),)),
)


def page(*blocks: Block) -> Document:
    return Document("A page", Section("The first", blocks, anchor="first"), (Section("The second", (), "second"),))


def test_every_kind_of_block_is_among_these() -> None:
    assert {type(each) for each in EVERY} == set(get_args(Block))


@pytest.mark.parametrize("block", EVERY, ids=lambda each: type(each).__name__)
def test_a_block_is_shown_by_every_format_and_its_words_are_escaped(block: Block) -> None:
    shown = html.render(page(block))
    assert "&lt;b&gt;word&lt;/b&gt;" in shown
    assert WORD not in shown
    assert read(shown).open == []
    assert "\\<b\\>word\\</b\\>" in markdown.render(page(block))


def test_what_is_folded_has_a_short_form_where_nothing_folds() -> None:
    fold = Fold("All of it", (Text("long"),), unfolded=(Heading("Some of it"), Text("short")))
    assert "### Some of it\n\nshort" in markdown.render(page(fold))
    assert "short" not in html.render(page(fold))
    assert "long" not in markdown.render(page(fold))


def test_tables_of_a_section_have_ids_of_their_own_wherever_they_are() -> None:
    found = read(html.render(page(TABLE, Fold("fold", (TABLE,)), TABLE)))
    assert [each for each in found.ids if "table" in each] == ["first-table-1", "first-table-2", "first-table-3"]


def test_a_caption_that_the_heading_says_already_is_left_out_of_texts() -> None:
    headed = Table("caption", "head", ("column",), TABLE.groups, headed=True)
    assert "caption." not in markdown.render(page(headed))
    assert ">caption<" in html.render(page(headed))


def test_a_page_has_no_script_so_what_is_folded_is_printed_folded() -> None:
    shown = html.render(page(Fold("fold", (TABLE,))))
    assert "<details>" in shown
    assert "<script" not in shown
    assert "counter(page)" in shown


def test_contents_name_the_sections_below_the_opening() -> None:
    one, two = Section("The question", (), "one", kicker="name"), Section("Other", (), "two")
    shown = html.render(Document("A page", Section("The first", (), "first"), (one, two), contents=True))
    assert (
        shown.index("The first")
        < shown.index('<a href="#one">The question</a>')
        < shown.index('<a href="#two">Other</a>')
    )
    assert "Skip to the first" in shown
    assert "Contents" not in html.render(page())
