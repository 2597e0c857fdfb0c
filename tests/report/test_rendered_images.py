"""Images of runs stand in the page itself, once for all treatments whose are the same."""

import re
from dataclasses import replace

import pytest

from headtohead.model.record import Image, Recording
from headtohead.report.experiment.runs.rendered_images import MOST_ROWS, draw_frames
from headtohead.store.untrusted.png import image
from tests.images import png
from tests.report import pages
from tests.report.sample import ANALYSIS, RECORDING
from tests.report.test_html import read

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

EXPERIMENT = "rsa"
HOSTILE = '"><script>alert(1)</script>.png'


def drew(*grays: int, name: str = "frame-20.png") -> Recording:
    """Return the recording with an image in the first run of each treatment of an experiment, of one gray each."""
    labels: list[str] = []
    runs = []
    for each in RECORDING.runs:
        new = each.run.experiment == EXPERIMENT and each.run.status == "valid" and each.run.label not in labels
        if new and len(labels) < len(grays):
            labels.append(each.run.label)
            drawn = image("a.png", png(gray=grays[len(labels) - 1]))
            runs.append(replace(each, images=(replace(drawn, name=name),)))
        else:
            runs.append(each)
    assert len(labels) == len(grays)
    return replace(RECORDING, runs=tuple(runs))


def test_the_page_shows_the_images_and_fetches_nothing() -> None:
    page = pages.html(ANALYSIS, drew(1))

    found = read(page)
    sources = [link for link in found.links if not link.startswith("#")]
    assert len(sources) == 1
    assert re.fullmatch(r"data:image/png;base64,[A-Za-z0-9+/=]+", sources[0])
    assert 'width="4" height="3" alt="what ' in page
    assert "The rendered frames" in "".join(found.text)
    assert found.open == []


def test_images_that_are_the_same_are_shown_once_with_a_line_that_says_so() -> None:
    same, different = pages.html(ANALYSIS, drew(1, 1)), pages.html(ANALYSIS, drew(1, 2))

    assert (same.count("<img"), different.count("<img")) == (1, 2)
    assert "is the same, pixel for pixel" in same
    assert "the same, pixel for pixel" not in different


def test_a_study_without_images_has_no_such_heading() -> None:
    assert "The rendered frames" not in pages.html(ANALYSIS, RECORDING)


def test_markdown_names_the_files() -> None:
    text = pages.markdown(ANALYSIS, drew(1))

    assert "### The rendered frames" in text
    assert re.search(r"- runs/\d{4}/images/frame-20\.png: what ", text)
    assert "base64" not in text


def test_a_hostile_name_of_an_image_stays_text() -> None:
    page = pages.html(ANALYSIS, drew(1, name=HOSTILE))

    assert page.count("<script") == pages.html(ANALYSIS, RECORDING).count("<script")


def test_so_many_different_rows_are_shown_and_the_others_are_named() -> None:
    (first,) = [each for each in drew(1).runs if each.images]
    runs = [
        replace(first, run=replace(first.run, label=f"t{gray}"), images=(image_of(gray),))
        for gray in range(MOST_ROWS + 2)
    ]

    *shown, rest = draw_frames(runs, pictures=True)

    assert len(shown) == MOST_ROWS
    assert rest.pictures == ()
    assert "t4, t5" in rest.caption


def image_of(gray: int) -> Image:
    return image("frame-1.png", png(gray=gray))
