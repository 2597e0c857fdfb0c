"""Terminals of 60 to 200 columns: no line is longer, no word is broken, and tables fold or become blocks."""

from collections.abc import Callable

import pytest
from rich.text import Text

from headtohead.report.terminal import summary
from headtohead.report.terminal.host import render_facts
from headtohead.report.terminal.lists_and_errors import Listed, render_list
from headtohead.report.terminal.plan import Forecast, render_plan
from headtohead.report.terminal.screen import columns, rendered
from tests.report.facts import FACTS
from tests.report.plans import PLAN
from tests.report.sample import ANALYSIS, RECORDING

WIDTHS = (60, 80, 120, 200)
UNLIMITED = 4000
INDENT = 4
"""Only a word, such as a path, that is longer than a line without its indent may be broken."""
FORECAST = Forecast(431.0, 702.0, {"static-page": 1.048}, missing={"nginx": ("nginx-light",)})
KINDS = {
    "Subjects": [
        Listed("apache-httpd", "Apache HTTP Server, event MPM", ("apache2-bin", "libapache2-mod-security2")),
        Listed("memory-bandwidth-by-stream-kernels", "Memory bandwidth of every core", ()),
    ]
}
TEXTS: dict[str, Callable[[int], str]] = {
    "study": lambda width: summary.render(ANALYSIS, RECORDING, width=width),
    "plan": lambda width: render_plan(PLAN, FORECAST, width=width),
    "host": lambda width: render_facts(FACTS, width=width),
    "list": lambda width: render_list(KINDS, width=width),
}


def words(text: str) -> set[str]:
    """Return the words; the head of a column may stand before its value, with a colon."""
    return {each.strip(":") for each in text.split()}


@pytest.mark.parametrize("name", list(TEXTS))
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_longer_and_no_word_is_broken(name: str, width: int) -> None:
    text, whole = TEXTS[name](width), words(TEXTS[name](UNLIMITED))

    assert max(map(len, text.splitlines())) <= width
    longer = [each for each in whole if len(each) > width - INDENT]
    assert [each for each in words(text) - whole if not any(each in one for one in longer)] == []


def table(*rows: tuple[str, ...]) -> str:
    made = columns("name", "title", "missing")
    for each in rows:
        made.add_row(*each)
    return rendered([Text("Subjects"), made], width=60)


def test_a_table_that_fits_is_as_wide_as_its_text_and_a_wide_one_wraps_between_words() -> None:
    assert table(("nginx", "a server", "nothing")).splitlines()[2] == "nginx  a server  nothing"

    wide = table(("nginx", "a server of pages " * 5, "nothing " * 5)).splitlines()
    assert wide[2].startswith("nginx  a server of pages")
    assert len(wide) > 4
    assert max(map(len, wide)) <= 60


def test_a_table_whose_words_do_not_fit_side_by_side_becomes_a_block_for_each_row() -> None:
    text = table(("n" * 25, "t" * 25, "m" * 25), ("nginx", "a server", ""))
    assert text.splitlines()[1:] == [
        "n" * 25,
        f"  title: {'t' * 25}",
        f"  missing: {'m' * 25}",
        "nginx",
        "  title: a server",
    ]
