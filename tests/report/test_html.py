"""The HTML report: whole, valid, closed to the network, and deaf to what names want it to do."""

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.model.finding import Finding, Severity
from tests.report import pages
from tests.report.sample import ANALYSIS, RECORDING

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
HOSTILE = '<script>alert("1")</script>'


class Reader(HTMLParser):
    """Walks a page: are its elements balanced, what do they hold?"""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.inside: list[tuple[str, set[str]]] = []
        self.children: list[tuple[str, set[str]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids.extend(value for name, value in found.items() if name == "id" and value)
        self.links.extend(value or "" for name, value in found.items() if name in ("href", "src", "action"))
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        for _, seen in self.inside:
            seen.add(tag)
        if tag in VOID:
            return
        self.open.append(tag)
        self.inside.append((tag, set()))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag
        self.children.append(self.inside.pop())

    def handle_data(self, data: str) -> None:
        if not {"style", "script", "svg"} & set(self.open):
            self.text.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


@pytest.fixture(scope="module")
def page() -> str:
    return pages.html(ANALYSIS, RECORDING)


@pytest.fixture(scope="module")
def found(page: str) -> Reader:
    return read(page)


def test_every_element_is_closed_in_order(found: Reader) -> None:
    assert found.open == []


def test_nothing_is_fetched_from_anywhere(page: str, found: Reader) -> None:
    assert all(link.startswith("#") for link in found.links)
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) <= {"http://www.w3.org/2000/svg"}


def test_every_id_is_there_once_and_every_link_leads_to_one(page: str, found: Reader) -> None:
    assert [name for name, times in Counter(found.ids).items() if times > 1] == []
    assert {link[1:] for link in found.links} <= set(found.ids)
    named = re.findall(r'aria-labelledby="([^"]+)"', page)
    assert {name for names in named for name in names.split()} <= set(found.ids)


def test_every_table_has_a_caption_and_heads_with_a_scope(page: str, found: Reader) -> None:
    tables = [seen for tag, seen in found.children if tag == "table"]
    assert tables
    assert all({"caption", "thead", "th"} <= seen for seen in tables)
    assert not re.search(r"<th(?![^>]*scope=)[ >]", page)


def test_every_picture_has_a_title_and_a_description(page: str, found: Reader) -> None:
    pictures = [seen for tag, seen in found.children if tag == "svg"]
    assert pictures
    assert all({"title", "desc"} <= seen for seen in pictures)
    assert page.count('role="img"') == len(pictures)


def test_pictures_take_their_colors_and_letters_from_the_page(page: str) -> None:
    pictures = " ".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert not re.search(r"(fill|stroke): ?#", pictures)
    assert "font-family" not in pictures
    assert "var(--series-1)" in pictures


def test_headings_never_skip_a_level(found: Reader) -> None:
    assert found.headings[0] == 1
    assert found.headings.count(1) == 1
    pairs = zip(found.headings, found.headings[1:], strict=False)
    assert all(after <= before + 1 for before, after in pairs)


def test_the_answers_are_the_first_thing_said(found: Reader) -> None:
    text = " ".join("".join(found.text).split())
    assert text.index("nginx is 2.74x as fast as") < text.index("Contents") < text.index("The numbers")


def test_a_hostile_name_stays_text() -> None:
    first = ANALYSIS.experiments[0]
    treatment = replace(first.treatments[0], label=HOSTILE, title=HOSTILE)
    experiment = replace(first, question=HOSTILE, treatments=(treatment, *first.treatments[1:]), notes=(HOSTILE,))
    spoiled = pages.html(replace(ANALYSIS, title=HOSTILE, experiments=(experiment,)), RECORDING)
    assert "<script" not in spoiled
    assert read(spoiled).open == []


def test_what_is_to_be_typed_is_set_apart_and_what_stands_beside_it_is_escaped() -> None:
    finding = Finding("odd", Severity.DOUBT, "See `headtohead run noise` <b>", "Not `<i>` nor `a|b`.", {})
    page = pages.html(replace(ANALYSIS, findings=(finding,)), RECORDING)
    assert "See <code>headtohead run noise</code> &lt;b&gt;" in page
    assert "Not `&lt;i&gt;` nor `a|b`." in page


def test_a_formula_in_a_name_is_drawn_as_it_stands() -> None:
    first = ANALYSIS.experiments[0]
    treatment = replace(first.treatments[0], label="$x^2$ \\frac")
    experiment = replace(first, treatments=(treatment, *first.treatments[1:]))
    page = pages.html(replace(ANALYSIS, experiments=(experiment,)), RECORDING)
    assert "$x^2$ \\frac</text>" in page


def test_the_same_files_give_the_same_bytes() -> None:
    one = replace(ANALYSIS, experiments=ANALYSIS.experiments[:1])
    assert pages.html(one, RECORDING) == pages.html(one, RECORDING)


def test_an_unfinished_study_says_so_before_its_answers() -> None:
    text = pages.html(replace(ANALYSIS, complete=False, experiments=()), RECORDING)
    assert text.index("Answers may still change") < text.index("The answers")
    one = (replace(ANALYSIS.experiments[0], finished=False), *ANALYSIS.experiments[1:])
    text = pages.html(replace(ANALYSIS, complete=False, experiments=one), RECORDING)
    assert "Answers to question 1 may still change." in text, "the others are final"


def test_a_study_in_which_nothing_was_measured_still_has_a_report() -> None:
    empty = replace(ANALYSIS, experiments=(), began=None, complete=False)
    text = "".join(read(pages.html(empty, replace(RECORDING, hosts=()))).text)
    assert "63\u00a0runs were made" in text
    assert "machine: not visible" in text


SECTIONS = (
    "answers",
    "conclusion",
    "untested",
    *(f"experiment-{number}" for number in range(1, 5)),
    "method",
    "machine",
    "runs",
    "left-out",
    "reading",
    "again",
)


def parts_of(page: str) -> dict[str, str]:
    """Return the page's sections by their ids, as they are written."""
    return {
        each.partition('"')[0].removesuffix("-title"): each for each in page.split('<section aria-labelledby="')[1:]
    }


def test_the_sections_stand_in_the_order_of_a_review(page: str) -> None:
    assert tuple(parts_of(page)) == SECTIONS


@pytest.mark.parametrize("name", SECTIONS)
def test_the_text_of_each_section_is_as_reviewed(page: str, name: str, snapshot: SnapshotAssertion) -> None:
    inside = f'<section aria-labelledby="{parts_of(page)[name].partition("</section>")[0]}</section>'
    lines = [" ".join(line.split()) for line in "".join(read(inside).text).splitlines()]
    assert "\n".join(line for line in lines if line) == snapshot
