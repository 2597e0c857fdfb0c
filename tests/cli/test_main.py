"""What a person sees when a command fails, and how it exits."""

import contextlib
import errno
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

import pytest
from typer.main import get_command

from headtohead.cli import app
from headtohead.store.durable import naming, whole
from tests.conftest import Command


def exit_of(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> object:
    """Return the exit status of a command in which that happens."""

    def command() -> None:
        raise error

    return exit_by(command, monkeypatch)


def exit_by(command: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> object:
    """Return the exit status of a command that does this."""
    monkeypatch.setattr(app.app, "registered_commands", [])
    monkeypatch.setattr(app.app, "registered_callback", None)
    app.app.command("fail")(command)
    monkeypatch.setattr("sys.argv", ["headtohead"])
    with pytest.raises(SystemExit) as ended:
        app.run()
    return ended.value.code


def test_ctrl_c_outside_a_study_is_said_and_exits_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_of(KeyboardInterrupt(), monkeypatch) == 130
    assert "Interrupted" in capsys.readouterr().err


def test_ctrl_c_before_typer_catches_it_is_said_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.main.get_command", interrupted)
    with pytest.raises(SystemExit) as ended:
        app.run()
    assert ended.value.code == 130
    assert "Interrupted" in capsys.readouterr().err


def test_ctrl_c_that_a_library_turned_into_its_own_error_is_said_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = SystemError("<built-in method> returned a result with an exception set")
    error.__cause__ = KeyboardInterrupt()
    assert exit_of(error, monkeypatch) == 130
    assert "Interrupted" in capsys.readouterr().err


def test_ctrl_c_that_a_library_dropped_before_it_failed_is_said_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Dropping(Mapping[str, int]):
        """Interrupted as a library in C asks for its entries: rpds then takes it for a sequence of pairs."""

        def __getitem__(self, key: str) -> int:
            return len(key)

        def __iter__(self) -> Iterator[str]:
            with contextlib.suppress(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
            raise TypeError("'str' object is not an instance of 'tuple'")

        def __len__(self) -> int:
            return 1

    def command() -> None:
        dict(Dropping())

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    try:
        assert exit_by(command, monkeypatch) == 130
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert "Interrupted" in capsys.readouterr().err


INTERRUPTED_AS_PYTHON_ENDS = """
import os, signal, sys, threading, time
from headtohead.cli import app, main

def interrupt():
    until_s = time.monotonic() + 60
    while signal.getsignal(signal.SIGINT) is not signal.SIG_IGN and time.monotonic() < until_s:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)

def run():
    threading.Thread(target=interrupt).start()
    sys.exit(3)

app.run = run
signal.signal(signal.SIGINT, signal.default_int_handler)
main.main()
"""


def test_ctrl_c_after_a_command_leaves_its_exit_status_and_prints_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AS_PYTHON_ENDS], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (3, "")


def test_a_file_that_cannot_be_written_is_one_error_and_no_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_of(PermissionError(13, "Permission denied", "results/x"), monkeypatch) == 1
    said = capsys.readouterr().err
    assert "results/x" in said
    assert "permission denied" in said.lower()


def test_a_full_disk_is_named_with_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(OSError, match="No space") as full, naming(tmp_path / "not" / "there"):
        Path("/dev/full").write_text("x")

    assert full.value.filename == str(tmp_path / "not" / "there")
    assert exit_of(full.value, monkeypatch) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert re.search(r"The disk of /\S* is full", said)
    assert "not/there" in "".join(said.split())
    assert re.search(r"[\d,]+ of its [\d,]+ MB are free \(No space left on device\)", said)


def fill_the_disk_at(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk be full when a file is written, when its bytes are brought to the disk, or when its name is."""
    sync = os.fsync

    def written(opened: int, mode: str) -> IO[bytes]:
        os.close(opened)
        return Path("/dev/full").open(mode)

    def synced(opened: int) -> None:
        if stat.S_ISDIR(os.fstat(opened).st_mode) == (step == "its name is synced"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(opened)

    if step == "it is written":
        monkeypatch.setattr(os, "fdopen", written)
    else:
        monkeypatch.setattr(os, "fsync", synced)


@pytest.mark.parametrize("step", ["it is written", "its bytes are synced", "its name is synced"])
def test_whatever_part_of_a_file_a_full_disk_refuses_the_path_and_the_size_are_named(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write() -> None:
        whole(tmp_path / "plan.json", "{}")

    fill_the_disk_at(step, monkeypatch)

    assert exit_by(write, monkeypatch) == 1
    said = "".join(capsys.readouterr().err.split())  # a long path is broken over lines
    named = tmp_path if step == "its name is synced" else tmp_path / f".plan.json.{os.getpid()}"
    assert f"isfull:{named}cannotbewritten" in said
    assert re.search(r"[\d,]+ofits[\d,]+MBarefree\(Nospaceleftondevice\)", said)


def test_ctrl_c_while_the_commands_are_imported_leaves_no_trace_of_python() -> None:
    importing = """
import builtins, os, signal
from headtohead.cli import main
before = builtins.__import__
def interrupted(name, *rest, **more):
    if name == "typer":
        os.kill(os.getpid(), signal.SIGINT)
    return before(name, *rest, **more)
builtins.__import__ = interrupted
main.main()
"""
    ended = subprocess.run(
        ["env", "--default-signal=INT", sys.executable, "-c", importing], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "Interrupted; nothing was left behind.\n")


def test_the_list_of_commands_shows_each_first_sentence_whole_in_80_columns() -> None:
    group = get_command(app.app)

    shown = group.get_help(group.context_class(group, info_name="headtohead", terminal_width=80))

    rows = shown.partition("Commands:\n")[2].splitlines()
    assert [row.split()[0] for row in rows] == list(getattr(group, "commands", {}))
    assert all(row.endswith(".") and not row.endswith("...") for row in rows), shown


@pytest.mark.parametrize(("typed", "found"), [("headtohead his", "history"), ("headtohead check firs", "first")])
def test_tab_completes_commands_and_studies(
    typed: str, found: str, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.setenv("_HEADTOHEAD_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))

    assert command()[1].split() == [found]
