"""Many charts are drawn by several processes, to the same bytes; what one of them fails to draw is drawn here."""

import os
import signal
from collections.abc import Callable

import pytest

from headtohead.report.document import Document, Figure, Section
from headtohead.report.drawing.axes import Axis
from headtohead.report.drawing.canvas import Canvas, Frame, Layout
from headtohead.report.drawing.chart import same_on_both
from headtohead.report.formats import html
from headtohead.report.formats.drawn import MANY, drawn

HERE = os.getpid()


class Written:
    """A drawing of one text, before which something may happen."""

    def __init__(self, text: str, before: Callable[[], None]) -> None:
        self.text = text
        self.before = before

    def lay_out(self, width: float) -> Layout:
        def paint(canvas: Canvas) -> None:
            self.before()
            canvas.write(10, 10, self.text)

        return Layout(Frame(width, 40, 5, 5, width - 5, 35), Axis(0, 1, False, ()), None, paint)


def page(charts: int = MANY, before: Callable[[], None] = lambda: None) -> Document:
    every = (
        same_on_both(Written(f"number {number}", before), name=f"c{number}", title=f"{number}", description="A text.")
        for number in range(charts)
    )
    return Document("Page", Section("Charts", tuple(Figure(each, each.title) for each in every)), ())


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the processes that are forked."""
    found: list[int] = []
    fork = os.fork

    def noted() -> int:
        found.append(fork())
        return found[-1]

    monkeypatch.setattr(os, "fork", noted)
    return found


def all_ended(processes: list[int]) -> bool:
    """Whether each was ended and waited for: it is no child of ours any more."""
    for process in processes:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)
    return True


def test_several_processes_draw_the_same_bytes_as_one(forked: list[int]) -> None:
    alone, together = drawn(page(), cpus=1), drawn(page(), cpus=3)

    assert alone == {}
    assert len(together) == MANY
    assert len(forked) == 2
    for figure in page().opening.blocks:
        assert isinstance(figure, Figure)
        assert together[figure.drawing.name] == (figure.wide, figure.narrow)  # type: ignore[union-attr]
    assert all_ended(forked)


def test_the_page_is_the_same_whoever_draws_its_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    together = html.render(page())
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})

    assert html.render(page()) == together
    assert together.count("<svg") == 2 * MANY


def test_few_charts_need_no_other_process() -> None:
    assert drawn(page(MANY - 1), cpus=3) == {}


def test_what_a_killed_process_has_not_drawn_is_drawn_here() -> None:
    def killed_elsewhere() -> None:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)

    assert drawn(page(before=killed_elsewhere), cpus=2) == drawn(page(), cpus=2)


def test_an_interrupted_drawing_leaves_no_process(forked: list[int]) -> None:
    def interrupted_here() -> None:
        if os.getpid() == HERE:
            raise KeyboardInterrupt
        signal.pause()

    with pytest.raises(KeyboardInterrupt):
        drawn(page(before=interrupted_here), cpus=3)
    assert len(forked) == 2
    assert all_ended(forked)
