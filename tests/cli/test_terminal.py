"""The width of a terminal, and what its progress shows."""

import io
import os
import pty
from collections.abc import Iterator
from fcntl import ioctl
from struct import pack
from termios import TIOCSWINSZ
from typing import TextIO

import pytest
from rich.console import Console
from rich.progress import Progress

from headtohead.cli.progress import columns_of
from headtohead.cli.terminal import look, wrapped

LONG = "waiting for quiet: 1.5 CPU by some-program (pid 12345), which goes on and on and on without an end"


@pytest.fixture
def terminal() -> Iterator[TextIO]:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        yield stream
    os.close(ours)


def resize(stream: TextIO, columns: int) -> None:
    ioctl(stream.fileno(), TIOCSWINSZ, pack("HHHH", 40, columns, 0, 0))


@pytest.mark.parametrize(("columns", "width"), [(20, 60), (60, 60), (133, 133), (500, 200), (0, None)])
def test_text_is_as_wide_as_the_terminal_from_60_to_200(terminal: TextIO, columns: int, width: int | None) -> None:
    resize(terminal, columns)
    assert look(terminal) == {"width": width, "color": True}


def test_a_pipe_has_the_usual_width_and_lines_as_they_are() -> None:
    assert look(io.StringIO()) == {"width": None, "color": False}
    assert wrapped(LONG, io.StringIO()) == LONG


def test_progress_lines_break_between_words(terminal: TextIO) -> None:
    resize(terminal, 60)
    lines = wrapped(f"  {LONG}\n\nnext", terminal).splitlines()
    assert max(map(len, lines)) <= 60
    assert " ".join(" ".join(lines).split()) == f"{LONG} next"
    assert lines[-2:] == ["", "next"]


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_the_progress_line_fits_with_whole_words_and_a_bar_where_there_is_room(width: int) -> None:
    page = io.StringIO()
    console = Console(file=page, width=width, force_terminal=True, color_system=None, _environ={})
    bar = Progress(*columns_of(width), console=console)
    task = bar.add_task(f"page, block 3 of 6, run 1: apache-httpd, {LONG}", total=10, left="about 45 s left")
    bar.update(task, advance=3)
    console.print(bar.get_renderable())

    lines = page.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert set(LONG.split()) <= set(page.getvalue().split())
    assert ("\u2501" in page.getvalue()) == (width >= 100)
