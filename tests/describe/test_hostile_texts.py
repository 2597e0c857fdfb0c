"""A text that was written to take a reader's time is answered soon, in words."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from headtohead.describe.external.reported import read_given
from headtohead.describe.home import find_home
from headtohead.describe.study.study import read_study
from headtohead.describe.toml.bounds import MOST_INTEGER, MOST_PARTS
from headtohead.describe.toml.document import content_of, toml_in
from headtohead.describe.toml.position import Place
from headtohead.model.errors import WordsError
from headtohead.store.untrusted.bounds import MOST_TOML_BYTES
from tests.describe import hostile_texts

MOST_CPU_S = 5.0
"""For any text; a reader without bounds takes minutes for the first ones."""
HERE = Place("a.toml")


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    """End a test that takes too much CPU."""

    def over(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise AssertionError(f"it took more than {MOST_CPU_S} s of CPU")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


def _read(kind: str, path: Path) -> str:
    """Return the error in words for a file, or nothing if there is none."""
    home = find_home()
    try:
        if kind == "study":
            read_study(path, home)
        else:
            read_given(path, home=home, known=False)
    except WordsError as error:
        return str(error)
    return ""


def _refused(text: str) -> str:
    with pytest.raises(WordsError) as refused:
        toml_in(text.encode(), "study", home=find_home(), place=HERE)
    return str(refused.value)


@pytest.mark.parametrize("kind", ["study", "given"])
@pytest.mark.parametrize("name", hostile_texts.ALL)
def test_a_hostile_text_is_answered_soon(tmp_path: Path, kind: str, name: str) -> None:
    path = tmp_path / f"{kind}.toml"
    path.write_text(hostile_texts.ALL[name], encoding="utf-8", newline="")
    assert 10_000 < path.stat().st_size <= MOST_TOML_BYTES

    told = _read(kind, path)

    assert told or (kind, name) == ("given", "200 results")
    assert len(told) < 1000


def test_a_key_may_have_as_many_parts_as_the_limit_and_no_more() -> None:
    most = ".".join("a" * MOST_PARTS)

    assert "unknown key" in _refused(f"{most} = 1\n")
    assert "line 2: a key is nested too deeply: It has 17 parts; the limit is 16." in _refused(f"\n{most}.a = 1\n")
    assert "unknown key" in _refused(f"\"{'.' * 50}\" = '{'a.' * 50}' # {'a.' * 50}\n")


def test_a_number_that_no_computer_counts_to_is_refused_in_words() -> None:
    assert "too large" not in _refused(f"format = {MOST_INTEGER}\n")
    assert "format: a number that is too large" in _refused(f"format = {MOST_INTEGER + 1}\n")
    assert "format: a number that is too large" in _refused(f"format = 0x{'f' * 5000}\n")


def test_a_file_that_is_no_plain_file_or_has_no_size_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nothing").touch()

    for path, told in (
        (tmp_path / "pipe", "not a file"),
        (tmp_path, "not a file"),
        (Path("/dev/zero"), "not a file"),
        (Path("/proc/kmsg"), "not a file on a disk"),
        (Path("/proc/self/maps"), "not a file on a disk"),
        (tmp_path / "nothing", "empty"),
    ):
        with pytest.raises(WordsError, match=told):
            content_of(path, HERE)
