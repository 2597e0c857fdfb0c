import os
from pathlib import Path

import pytest

from headtohead.hosts.facts.load_now import BusiestProcess


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """Give processes: 1, this one, a child of this one, and two others."""
    parents = {1: 0, os.getpid(): 1, 900_001: os.getpid(), 900_002: 1, 900_003: 1}
    for pid, parent in parents.items():
        (tmp_path / str(pid)).mkdir()
        used(tmp_path, pid, ticks=0, parent=parent)
    (tmp_path / "900003" / "comm").write_text("chr\x1b[2Jome\n")
    return tmp_path


def used(proc: Path, pid: int, *, ticks: int, parent: int = 1) -> None:
    (proc / str(pid) / "stat").write_text(f"{pid} (a b) S {parent} " + "0 " * 9 + f"{ticks} 0 " + "0 " * 8)


def test_the_busiest_process_is_none_of_ours_and_cannot_write_on_the_terminal_by_its_name(proc: Path) -> None:
    busiest = BusiestProcess(proc=proc)
    used(proc, 900_001, ticks=500, parent=os.getpid())
    used(proc, 900_002, ticks=10)
    used(proc, 900_003, ticks=200)

    assert busiest.look() == "chr?[2Jome (pid 900003)"
    assert busiest.look() is None
