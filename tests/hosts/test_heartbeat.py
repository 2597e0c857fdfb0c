import threading
import time

import pytest

from headtohead.hosts.supervise import heartbeat
from headtohead.hosts.supervise.heartbeat import Heartbeat
from headtohead.model.errors import HostError


def test_empty_lines_are_written_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    third = threading.Event()

    def write_line(text: str) -> None:
        lines.append(text)
        if len(lines) == 3:
            third.set()

    monkeypatch.setattr(heartbeat, "ENDED_WITHIN_S", 60)
    beat = Heartbeat(write_line, every_s=0.01)
    beat.start()
    assert third.wait(60)
    beat.stop()
    so_far = len(lines)
    time.sleep(0.05)
    assert len(lines) == so_far
    assert set(lines) == {""}


def test_it_ends_quietly_when_the_other_end_has_gone() -> None:
    ended = threading.Event()

    def write_line(_: str) -> None:
        ended.set()
        raise HostError("gone", why="Its input is closed.", remedy="None.")

    beat = Heartbeat(write_line, every_s=0.01)
    beat.start()
    assert ended.wait(60)
    beat.stop()
