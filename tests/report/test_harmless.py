"""What a report shows of others' texts, in each of its forms, and what its page lets a browser do."""

import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.errors import RecordError
from headtohead.report.formats import markdown
from headtohead.report.terminal.lists_and_errors import render_error
from headtohead.report.terminal.screen import columns, heading, rendered
from headtohead.report.text.names import CODE_WORDS
from tests.report import pages
from tests.report.sample import ANALYSIS, RECORDING

STEERING = "\x1b[31mred\x1b]0;x\x07\x9b2J\r\u202e"
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def found(pattern: str, text: str) -> str:
    """Return the first group of the one place where a pattern stands in a text."""
    (only,) = re.findall(pattern, text, re.DOTALL)
    return str(only)


def test_the_page_lets_no_script_run_and_loads_nothing() -> None:
    page = pages.html(replace(ANALYSIS, experiments=()), RECORDING)

    told = unescape(found(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page))

    rules = dict(each.strip().split(" ", 1) for each in told.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'none'"
    assert rules["img-src"] == "data:"
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert page.index("Content-Security-Policy") < page.index("<style")


@pytest.mark.parametrize("color", [True, False])
def test_a_terminal_is_steered_by_our_colors_alone(color: bool) -> None:
    table = columns("name")
    table.add_row(STEERING)

    text = rendered([heading(STEERING), table], color=color)

    assert "\x1b[31m" not in text
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", COLORS.sub("", text)) is None
    assert bool(COLORS.search(text)) is color
    assert "[31mred" in text


def test_an_error_that_names_a_strangers_file_does_not_steer_the_terminal() -> None:
    text = render_error(RecordError(STEERING, why=STEERING, remedy=STEERING))

    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text) is None


@given(st.text(st.sampled_from("%<>&~`*[]()|#\\!\n ")))
def test_markdown_shows_a_text_as_it_stands_but_for_words_to_be_typed(text: str) -> None:
    escaped = markdown.escaped(text)

    assert re.search(r"[`*_\[\]<>|#~&]", CODE_WORDS.sub("", re.sub(r"\\.", "", escaped))) is None
    assert re.sub(r"\\(.)", r"\1", escaped) == " ".join(text.split())
