"""Many texts that strangers may put into a results folder: each is shown as a text by every output, and soon."""

import csv
import io
import itertools
import json
import re
import shutil
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

from headtohead.analyze.samples.values_from_records import measurements
from headtohead.analyze.study import analyze
from headtohead.cli.folders.facts_and_prices import recording_of
from headtohead.model.record import Recording
from headtohead.report.formats import html, markdown
from headtohead.report.study.study_page import study_page
from headtohead.report.terminal import summary
from headtohead.store.convert import to_json
from headtohead.store.measurements import to_csv
from tests import hostile
from tests.hostile import UNSHOWN
from tests.sealing import seal_again

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of numpy, about numbers that no machine has
    pytest.mark.usefixtures("charts_drawn_once"),
]

CONTROLS = [f"a{chr(code)}b" for code in (*range(9), *range(11, 32), *range(0x7F, 0xA0))]
TURNS = [f"a{turn}b" for turn in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]
TERMINAL = [
    *("\x1b[2J", "\x1b[31mred", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\\\link\x1b]8;;\x1b\\\\", "\x1bc", "\x1b[6n"),
    *("\x1bP+q544e\x1b\\\\", "\x9b2J", "\x9d0;x\x9c", "\x1b[?1049h", "\x0e", "\x08\x08\x08", "\r\x1b[K"),
]
MARKUP = [
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "</title><script>"),
    *("</style><b>", "<!--", "-->", "]]>", "<![CDATA[", "&lt;script&gt;", "&#60;b&#62;", '" onmouseover="x', "' x='"),
    *(
        "<a href=javascript:alert(1)>",
        "<iframe srcdoc=x>",
        "<base href=//x>",
        "<meta http-equiv=refresh>",
        "<?php",
        "{{7*7}}",
    ),
    *("${x}", "{% x %}", "<\x00script>", "\ufe64script\ufe65", "<style>*{display:none}</style>", "<math><b>"),
]
MARKDOWN = [
    *("`code`", "```\nfence", "~~~\nfence", "# heading", "\n# heading\n", "[x](javascript:alert(1))", "![x](http://x)"),
    *("| a | b |", "\n---\n", "* item", "<http://x>", "[x]: http://x", "\\\\", "***", "$x$"),
]
FORMULAS = [f"\n{sign}cmd|' /C calc'!A0" for sign in "=+-@"] + ["=1+1", "\t=1", '"=1"', "=HYPERLINK(1)", ",=1", ";=1"]
NUMBERS = [
    "1e-320",
    "NaN",
    "Infinity",
    "-inf",
    "1e999",
    "-0",
    "0x7f",
    "1_000",
    "9" * 60,
    "\u0661\u0662",
    "\u00bd",
    "1,5",
]
LONG = [letter * 300 for letter in ("u", "\u00e9", "\U0001f600", "a\u0301", "\u200b", "W", " ", "\u5b57")]
ODD = [
    "\ufeff",
    "\ufffe",
    "\u2028",
    "\u2029",
    "\u00ad",
    "\U000e0041",
    "\u0336a",
    "%s%n",
    "{0}",
    "../../etc/passwd",
    "nul",
]
TEXTS = [*CONTROLS, *TURNS, *TERMINAL, *MARKUP, *MARKDOWN, *FORMULAS, *NUMBERS, *LONG, *ODD]
AT_ONCE = 14
GROUPS = range(-(-len(TEXTS) // AT_ONCE))
MOST_CPU_S = 5.0
"""For all texts of a group together."""


class Kinds(HTMLParser):
    """The elements of a page with the names of their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[tuple[str, str]] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {(tag, "")} | {(tag, name) for name, _ in attrs}


@pytest.fixture(scope="module")
def usual(whole: Path) -> set[tuple[str, str]]:
    """Return the elements of its page."""
    return Kinds(outputs(recording_of(whole))["page"]).found


def outputs(recording: Recording) -> dict[str, str]:
    """Return all that a report makes of a recording, without charts, which draw texts as paths of letters."""
    analysis = analyze(recording)
    made = study_page(analysis, recording, pictures=False)
    return {
        "page": html.render(made),
        "markdown": markdown.render(made),
        "terminal": summary.render(analysis, recording, color=False),
        "analysis": to_json(analysis),
        "measurements": to_csv(measurements(recording.plan, recording.runs)),
    }


def spoil_units(root: Path, texts: list[str]) -> None:
    """Put a text behind the unit of each metric of the plan, and seal the folder again."""
    plan, chosen = json.loads((root / "plan.json").read_text()), itertools.cycle(texts)
    for metric in (each for one in plan["experiments"] for each in one["metrics"].values()):
        metric["unit"] += next(chosen)
    (root / "plan.json").write_text(json.dumps(plan))
    seal_again(root)


def test_there_are_more_than_150_texts_and_each_is_another() -> None:
    assert len(set(TEXTS)) == len(TEXTS) > 150


@pytest.mark.parametrize("group", GROUPS)
def test_hostile_texts_are_shown_as_texts_and_soon(
    whole: Path, usual: set[tuple[str, str]], tmp_path: Path, group: int
) -> None:
    texts = TEXTS[group * AT_ONCE :][:AT_ONCE]
    root = shutil.copytree(whole, tmp_path / "2026-11-20-spoiled")
    hostile.spoil(root, hostile.free_text, words=texts)
    spoil_units(root, texts)

    before_s = time.process_time()
    made = outputs(recording_of(root))
    took_s = time.process_time() - before_s

    for name, text in made.items():
        assert UNSHOWN.search(text) is None, name
    assert Kinds(made["page"]).found <= usual
    for raw in (r"(?<!\\)<", r"(?<!\\)\]\(", r"(?<!\\)~"):
        assert re.search(raw, made["markdown"]) is None, raw
    for row in csv.reader(io.StringIO(made["measurements"])):
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in row)
    assert took_s < MOST_CPU_S
