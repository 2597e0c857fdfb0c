"""File servers whose answers are spoiled, or that are lost while they are asked, are refused by the harness itself."""

import shutil
from pathlib import Path

import pytest

from headtohead.describe.home import Home
from headtohead.model.record import Recorded
from tests.contract.bench import need, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_with
from tests.contract.leftovers import left_by_us, nothing
from tests.contract.mishaps import killing

PAIRS = {str(each): each for each in pairs(HOME)}
SOCKETS = PAIRS["tbench under socket-server"]
SMB = PAIRS["samba under smb-server"]
SERVER = HOME.root / "tests" / "subjects" / "tbench_server.py"
SPOILS = """#!/bin/bash
/usr/bin/smbclient "$@" || exit
for file in back-*; do [ ! -e "$file" ] || printf x | dd of="$file" conv=notrunc status=none; done
"""
STARTS = 'argv     = ["/usr/bin/tbench_srv"]'

pytestmark = pytest.mark.real


def changed(folder: Path, subject: str, old: str, new: str) -> Home:
    """Return a home with a copy of a subject, called ``wrong``, in which one text of its subject.toml is another."""
    text = (HOME.subjects / subject / "subject.toml").read_text()
    assert text.count(old) == 1
    wrong = text.replace(f'"{subject}"\n', '"wrong"\n').replace(old, new)
    home = home_with(folder, "wrong", wrong)
    shutil.copytree(HOME.subjects / subject, home.subjects / "wrong", dirs_exist_ok=True)
    (home.subjects / "wrong" / "subject.toml").write_text(wrong)
    return home


def run(folder: Path, home: Home, *, like: str) -> Recorded:
    """Return one run of the wrong subject in place of the right one."""
    pair = PAIRS[like]
    asked = study_text(pair).replace(f'name = "{pair.subject.name}"', 'name = "wrong"')
    return one_run(question(asked, folder, home=home), folder)


def test_a_server_that_sends_back_spoiled_bytes_is_refused(tmp_path: Path) -> None:
    need(SOCKETS.subject)
    tires = 'argv     = ["/usr/bin/python3", "-I", "@source@/server.py", "0.0.0.0", "7003", "tires"]'
    home = changed(tmp_path, "tbench", STARTS, tires)
    shutil.copy(SERVER, home.subjects / "wrong" / "server.py")

    recorded = run(tmp_path, home, like=str(SOCKETS))

    assert recorded.run.status == "invalid"
    assert any("the server sent back other bytes than the 1 that it got" in each for each in recorded.run.reasons)
    assert left_by_us() == nothing()


def test_a_share_whose_files_come_back_spoiled_is_refused(tmp_path: Path) -> None:
    need(SMB.subject)
    home = changed(tmp_path, "samba", '"--smbclient", "/usr/bin/smbclient"', '"--smbclient", "@source@/spoils"')
    (home.subjects / "wrong" / "spoils").write_text(SPOILS)
    (home.subjects / "wrong" / "spoils").chmod(0o755)

    recorded = run(tmp_path, home, like=str(SMB))

    assert recorded.run.status == "invalid"
    assert any("the server returned another file" in each for each in recorded.run.reasons)
    assert left_by_us() == nothing()


def test_a_server_that_is_killed_while_it_is_asked_is_named_and_nothing_of_it_left(tmp_path: Path) -> None:
    need(SOCKETS.subject)

    with killing("subject", once="walk-1") as killed:
        recorded = one_run(question(study_text(SOCKETS), tmp_path), tmp_path)

    assert killed
    assert recorded.run.status == "failed"
    assert "tbench ended in mid-run" in recorded.run.reasons[0]
    assert recorded.records == ()
    assert left_by_us() == nothing()
