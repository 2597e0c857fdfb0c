"""The images of a results folder: one run's of each treatment, looked at and never trusted."""

from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.model.errors import RecordError
from headtohead.model.record import Status
from headtohead.store import read, write
from headtohead.store.layout import Layout
from headtohead.store.run import images
from headtohead.store.untrusted import png
from tests.images import SIGNATURE, chunk
from tests.images import png as drawn
from tests.small import experiment, plan, recorded

HEAD = chunk(b"IHDR", bytes((0, 0, 0, 4, 0, 0, 0, 3, 8, 0, 0, 0, 0)))
END = chunk(b"IEND")


def folder(root: Path, *kept: dict[str, bytes], statuses: tuple[Status, ...] = ("valid",) * 4) -> Layout:
    """Return a results folder whose runs, two treatments in turn, hold images."""
    layout, asked = Layout(root / "results"), experiment("a")
    write.begin(layout, study=b"format = 1\n", plan=plan(asked), hosts=())
    for number, files in enumerate(kept, start=1):
        made = replace(recorded("a", asked.runs[number - 1], number=number).run, status=statuses[number - 1])
        named = {f"images/{name}": content for name, content in files.items()}
        write.run(layout, made, files={"records.jsonl": b"", **named}, partial=layout.runs / f".{number}")
    return layout


def names(layout: Layout) -> list[list[str]]:
    return [[each.name for each in run.images] for run in read.recording(layout.root).runs]


def test_the_first_valid_run_of_each_treatment_is_read_with_its_images(tmp_path: Path) -> None:
    layout = folder(tmp_path, {"b.png": drawn(), "a.png": drawn()}, {"c.png": drawn()}, {"d.png": drawn()}, {})
    labels = [each.run.label for each in read.recording(layout.root).runs]

    found = names(layout)

    firsts = [labels.index(label) for label in sorted(set(labels))]
    assert [each for number, each in enumerate(found) if number not in firsts] == [[], []]
    assert found[0] == ["a.png", "b.png"]


def test_the_images_of_a_run_that_does_not_count_are_not_shown(tmp_path: Path) -> None:
    layout = folder(tmp_path, {"a.png": drawn()}, statuses=("invalid",))

    assert names(layout) == [[]]


def test_two_images_that_differ_in_their_comments_alone_are_equal() -> None:
    first, second = (png.image("a.png", drawn(text=text)) for text in (b"made today", b"made tomorrow"))

    assert first == second
    assert b"made" not in first.png
    assert (first.width, first.height) == (4, 3)
    assert first != png.image("a.png", drawn(gray=129))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "its first bytes differ"),
        (b"<svg onload='alert(1)'/>", "its first bytes differ"),
        (SIGNATURE, "cut off"),
        (drawn()[:-5], "cut off"),
        (drawn() + b"<script>", "more bytes follow"),
        (drawn().replace(b"IDAT", b"IDAU"), "checksum"),
        (SIGNATURE + HEAD + END, "not a complete PNG"),
        (SIGNATURE + chunk(b"IDAT", b"x") + HEAD + END, "not a complete PNG"),
        (SIGNATURE + chunk(b"IHDR", b"short") + chunk(b"IDAT") + END, "not a complete PNG"),
        (SIGNATURE + b"\xff\xff\xff\xff" + b"IHDR", "cut off"),
        (drawn(width=100_000, rows=1), "100000 x 3 pixels"),
        (drawn(height=0, rows=1), "4 x 0 pixels"),
        (SIGNATURE + b"x" * png.MOST_BYTES, "larger than 4 MiB"),
    ],
)
def test_what_is_no_image_is_refused_with_the_reason(tmp_path: Path, content: bytes, says: str) -> None:
    layout = folder(tmp_path, {"a.png": content})

    with pytest.raises(RecordError) as raised:
        read.recording(layout.root)

    assert "images/a.png" in str(raised.value)
    assert says in str(raised.value)


def test_a_link_in_place_of_an_image_or_of_their_folder_is_refused(tmp_path: Path) -> None:
    layout = folder(tmp_path, {"a.png": drawn()})
    kept = layout.run(1) / images.FOLDER
    (tmp_path / "mine").mkdir()
    (kept / "a.png").rename(tmp_path / "mine" / "a.png")
    (kept / "a.png").symlink_to(tmp_path / "mine" / "a.png")

    with pytest.raises(RecordError):
        read.recording(layout.root)
    (kept / "a.png").unlink()
    kept.rmdir()
    kept.symlink_to(tmp_path / "mine")
    with pytest.raises(RecordError):
        read.recording(layout.root)


@pytest.mark.parametrize("name", ["a.svg", ".hidden.png", "a b.png", "x" * 70 + ".png", "a\n.png"])
def test_a_name_that_is_not_plain_is_refused(tmp_path: Path, name: str) -> None:
    layout = folder(tmp_path, {name: drawn()})

    with pytest.raises(RecordError, match="not a plain name"):
        read.recording(layout.root)


def test_more_images_than_a_run_may_have_are_refused(tmp_path: Path) -> None:
    layout = folder(tmp_path, {f"{number}.png": drawn() for number in range(images.MOST_A_RUN + 1)})

    with pytest.raises(RecordError, match="more than 8"):
        read.recording(layout.root)


def test_a_folder_full_of_images_is_read_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = folder(tmp_path, {"a.png": drawn()}, {"a.png": drawn()})
    labels = {each.run.label for each in read.recording(layout.root).runs}
    assert (len(labels), names(layout)) == (2, [["a.png"], ["a.png"]])

    monkeypatch.setattr(images, "MOST_READ_BYTES", 1)

    assert names(layout) == [["a.png"], []]
