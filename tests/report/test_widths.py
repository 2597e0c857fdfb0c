"""Terminals of 60 to 200 columns: no line is longer, no word is broken, and tables fold or become blocks."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from rich.text import Text

from headtohead.cli import terminal
from headtohead.cli.commands import clean, contract
from headtohead.cli.commands.results import history, report, verify
from headtohead.cli.terminal import Look
from headtohead.describe.external.published import read_published
from headtohead.describe.home import find_home
from headtohead.hosts.supervise.remove_leftovers import Swept
from headtohead.model.errors import HostError
from headtohead.model.external.published import Published
from headtohead.model.machine.noise import NoiseFloor
from headtohead.model.machine.sessions import RecordedSpread, SessionSpreads
from headtohead.model.proof import Flaw, Proof
from headtohead.report.terminal import summary
from headtohead.report.terminal.compared_systems import render_systems
from headtohead.report.terminal.host import render_facts
from headtohead.report.terminal.lists_and_errors import Listed, render_error, render_list
from headtohead.report.terminal.noise_floor import render_noise
from headtohead.report.terminal.plan import Forecast, render_plan
from headtohead.report.terminal.published_figures import render_published
from headtohead.report.terminal.screen import columns, rendered
from headtohead.report.terminal.session_spread import render_sessions
from tests.report.facts import FACTS
from tests.report.plans import PLAN
from tests.report.sample import ANALYSIS, RECORDING
from tests.report.test_compared import few
from tests.report.test_history import SERIES

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
ERROR = HostError(
    "apache-httpd and memory-bandwidth-by-stream-kernels cannot be measured here",
    why="apt has no package libapache2-mod-security2 here; apt knows no packages, as its lists are empty.",
    remedy="Run `headtohead setup` as root, which starts no service. What needs no packages runs without.",
)
FLOOR = NoiseFloor(
    folder="2026-11-20-noise",
    experiment="noise",
    subject="nginx",
    began="2026-11-20T10:00:00Z",
    runs=24,
    looks=(6, 10, 16),
    comparisons=200,
    false_winners=9,
    detectable=(1.052, 1.038, 1.03),
    spread=0.021,
    blocking_gain=1.4,
    facts=(),
    false_interval=(0.021, 0.084),
    most_by_chance=16,
)
SPREADS = SessionSpreads(
    ("2026-11-20-first", "2026-11-21-first", "2026-11-22-first"),
    (RecordedSpread("static-page", "apache-httpd cpus=1 workers=2", "5e41", 3, 6, 0.012),),
    (),
)
BENCHMARK, SOURCE = "mysql-myisam-ht", "anandtech-2005-06"


@cache
def published() -> Published:
    """Return what articles printed, with one in ten of the facts: each is a row of a table."""
    whole = read_published(find_home())
    return replace(whole, facts=whole.facts[::10])


TEXTS: dict[str, Callable[[int], str]] = {
    "study": lambda width: summary.render(ANALYSIS, RECORDING, width=width),
    "plan": lambda width: render_plan(PLAN, FORECAST, width=width),
    "host": lambda width: render_facts(FACTS, width=width),
    "list": lambda width: render_list(KINDS, width=width),
    "error": lambda width: render_error(ERROR, line=12, width=width),
    "noise": lambda width: render_noise(FLOOR, (FACTS,), width=width),
    "sessions": lambda width: render_sessions(SPREADS, width=width),
    "compare": lambda width: render_systems(few(), width=width),
    "published": lambda width: render_published(published(), width=width),
    "a benchmark": lambda width: render_published(published(), BENCHMARK, width=width),
    "a source": lambda width: render_published(published(), SOURCE, width=width),
}


def words(text: str) -> set[str]:
    """Return the words; the head of a column may stand before its value, with a colon."""
    return {each.strip(":") for each in text.split()}


@cache
def unlimited(name: str) -> str:
    return TEXTS[name](UNLIMITED)


def check_whole(text: str, unbroken: str, *, width: int) -> None:
    """Check that no line is longer than the width, and that each word is one of the text without a limit."""
    whole = words(unbroken)
    assert max(map(len, text.splitlines())) <= width
    longer = [each for each in whole if len(each) > width - INDENT]
    assert [each for each in words(text) - whole if not any(each in one for one in longer)] == []


@pytest.mark.parametrize("name", list(TEXTS))
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_longer_and_no_word_is_broken(name: str, width: int) -> None:
    check_whole(TEXTS[name](width), unlimited(name), width=width)


def verify_a_changed_folder(patch: pytest.MonkeyPatch) -> None:
    flaw = Flaw(
        "runs/0003/readings.csv", "is not what was recorded: its SHA-256 differs from the seal's", excluded=True
    )
    patch.setattr(verify, "recording_of", lambda _: replace(RECORDING, proof=Proof("5e41", (flaw,))))
    with pytest.raises(typer.Exit):
        verify.command(Path("results"))


def clean_what_cannot_be_removed(patch: pytest.MonkeyPatch) -> None:
    left = Swept("cgroup", "/headtohead/1-2-3", "1-2-3", "Device or resource busy")
    patch.setattr(clean, "clean", lambda **_: (left,))
    clean.command()


def content_that_fails(patch: pytest.MonkeyPatch) -> None:
    line = ("mine under static-page: starts, gives correct responses, stops, leaves nothing", "it did not stop in time")
    patch.setattr(contract, "_own_pairs", lambda _: [(None, SimpleNamespace(name="static-page"))])
    patch.setattr(contract, "trials_of", lambda *_, **__: [line])
    patch.setattr(contract, "measuring_here", lambda *_, **__: contextlib.nullcontext())
    with pytest.raises(SystemExit):
        contract.command()


def report_from_elsewhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(report, "look", terminal.look)
    patch.setattr(report, "render", lambda *_: (RECORDING, ANALYSIS))
    report.command(Path("/srv/measured/2026/november/2026-11-20-first"))


def history_with_a_change(patch: pytest.MonkeyPatch) -> None:
    change = replace(SERIES.changes[0], why_not="./server is not there any more")
    patch.setattr(history, "folders", lambda _: [])
    patch.setattr(history, "history", lambda _: [replace(SERIES, changes=(change,))])
    patch.setattr(history, "with_races", lambda each, *_, **__: each)
    history.command([Path("results")])


LINES = {
    "verify": verify_a_changed_folder,
    "clean": clean_what_cannot_be_removed,
    "test-content": content_that_fails,
    "report": report_from_elsewhere,
    "history": history_with_a_change,
}
"""Commands that print lines of any length: into a pipe as they are, on a terminal in lines of its width."""


@pytest.mark.parametrize("name", list(LINES))
@pytest.mark.parametrize("width", WIDTHS)
def test_lines_that_a_command_prints_break_between_words(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(columns: int) -> str:
        monkeypatch.setattr(terminal, "look", lambda _: Look(width=columns, color=False))
        LINES[name](monkeypatch)
        return capsys.readouterr().out

    text, unbroken = printed(width), printed(UNLIMITED)

    assert max(map(len, unbroken.splitlines())) > min(WIDTHS)
    check_whole(text, unbroken, width=width)


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
