"""Many charts are drawn by several processes, to the same bytes."""

import os

import pytest

from headtohead.report.document import Document, Figure, Section
from headtohead.report.drawing.axes import Axis
from headtohead.report.drawing.canvas import Canvas, Frame, Layout
from headtohead.report.drawing.chart import same_on_both
from headtohead.report.formats import html
from headtohead.report.formats.draw_in_parallel import MANY, drawn


class Written:
    """A drawing of one text, before which something may happen."""

    def __init__(self, text: str) -> None:
        self.text = text

    def lay_out(self, width: float) -> Layout:
        def paint(canvas: Canvas) -> None:
            canvas.write(10, 10, self.text)

        return Layout(Frame(width, 40, 5, 5, width - 5, 35), Axis(0, 1, False, ()), None, paint)


def page(charts: int = MANY) -> Document:
    every = (
        same_on_both(Written(f"number {number}"), name=f"c{number}", title=f"{number}", description="A text.")
        for number in range(charts)
    )
    return Document("Page", Section("Charts", tuple(Figure(each, each.title) for each in every)), ())


def test_several_processes_draw_the_same_bytes_as_one(forked: list[int]) -> None:
    alone, together = drawn(page(), cpus=1), drawn(page(), cpus=3)

    assert alone == {}
    assert len(together) == MANY
    assert len(forked) == 2
    for figure in page().opening.blocks:
        assert isinstance(figure, Figure)
        assert together[figure.drawing.name] == (figure.wide, figure.narrow)  # type: ignore[union-attr]


def test_the_page_is_the_same_whoever_draws_its_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    together = html.render(page())
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})

    assert html.render(page()) == together
    assert together.count("<svg") == 2 * MANY


def test_few_charts_need_no_other_process() -> None:
    assert drawn(page(MANY - 1), cpus=3) == {}
