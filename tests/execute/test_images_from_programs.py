"""What a batch program draws is kept of one valid run of a treatment, if it is what it should be."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headtohead.execute.run.images_from_programs import read_images
from headtohead.hosts.fake.script import Launch, Outcome
from headtohead.model.errors import SubjectError
from headtohead.store.run.images import MOST_A_RUN
from headtohead.store.untrusted.png import MOST_BYTES
from tests.execute.laboratory import Laboratory, fake_affinity, one_experiment, tiny_home, tiny_page
from tests.images import SIGNATURE, png

KEEPS = ("frame-*.png",)


@pytest.fixture
def artist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Laboratory]:
    fake_affinity(monkeypatch)
    text = one_experiment("drawing", "artist")
    place = Laboratory(text, tmp_path, home=tiny_home(tmp_path), pages=tiny_page)
    place.script.program = drawing(png())
    with place.study_context:
        yield place.prepared()


def drawing(content: bytes, *, answer: str = "drawn") -> Callable[[Launch], Outcome]:
    """Return a program that draws the frame that it is asked for, and a sketch that nobody keeps."""

    def draw(launch: Launch) -> Outcome:
        if launch.argv[0] != "artist":
            return Outcome(takes_s=0.1)
        frame, run = int(launch.option("--frame") or 0), launch.cwd
        (run / f"frame-{frame}.png").write_bytes(content)
        (run / "sketch.txt").write_text("not kept")
        said = {"format": 1, "record": "batch", "case": {"frame": frame}, "work": 1, "work_in": "iterations"}
        told = {**said, "elapsed_ns": 500_000_000, "answer": answer, "metrics": {}}
        return Outcome(takes_s=0.5, stdout=json.dumps(told) + "\n")

    return draw


def kept(place: Laboratory, number: int) -> list[str]:
    return sorted(path.name for path in (place.layout.run(number) / "images").glob("*"))


def test_a_run_keeps_the_images_of_all_its_starts_and_nothing_else(artist: Laboratory) -> None:
    found = artist.run()

    assert found.run.status == "valid", found.run.reasons
    assert kept(artist, 1) == ["frame-1.png", "frame-2.png"]
    assert (artist.layout.run(1) / "images" / "frame-1.png").read_bytes() == png()


def test_a_later_valid_run_of_the_treatment_keeps_none_and_one_that_does_not_count_keeps_its_own(
    artist: Laboratory,
) -> None:
    first = artist.run(1)
    artist.run(2, earlier=(first,))
    artist.script.program = drawing(png(gray=7), answer="a blot")
    wrong = artist.run(3, earlier=(first,))

    assert kept(artist, 2) == []
    assert wrong.run.status == "invalid"
    assert kept(artist, 3) == ["frame-1.png", "frame-2.png"]


def test_a_program_that_draws_no_image_fails_its_run_and_not_the_study(artist: Laboratory) -> None:
    artist.script.program = drawing(b"<html>")

    found = artist.run()

    assert found.run.status == "failed"
    assert "The image frame-1.png cannot be kept" in found.run.reasons[0]
    assert "it is not a PNG" in found.run.reasons[0]
    assert kept(artist, 1) == []


def test_what_is_no_plain_small_image_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    spoiled = [tmp_path / what / "frame-1.png" for what in ("link", "folder", "large", "empty")]
    for each in spoiled:
        each.parent.mkdir()
    link, folder, large, empty = spoiled
    link.symlink_to(tmp_path / "secret.png")
    folder.mkdir()
    large.write_bytes(SIGNATURE + b"x" * MOST_BYTES)
    empty.write_bytes(b"")

    for each in spoiled:
        with pytest.raises(SubjectError, match=r"The image frame-1\.png cannot be kept"):
            read_images(each.parent, KEEPS)


def test_more_images_than_a_run_may_have_fail_it(tmp_path: Path) -> None:
    for number in range(MOST_A_RUN + 1):
        (tmp_path / f"frame-{number}.png").write_bytes(png())

    with pytest.raises(SubjectError, match="more than 8"):
        read_images(tmp_path, KEEPS)


def test_a_subject_that_keeps_nothing_is_not_looked_through(tmp_path: Path) -> None:
    assert read_images(tmp_path / "not-there", ()) == {}
