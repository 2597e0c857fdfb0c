import os
import signal
from pathlib import Path

import pytest

from headtohead.hosts.host import Host
from headtohead.hosts.local import LocalHost
from headtohead.model.errors import HostError

WITHIN_S = 60
"""On a machine that is busy with other work, too."""


@pytest.fixture
def host() -> Host:
    return LocalHost()


def test_a_program_gives_its_output_and_data_is_never_a_shells_words(host: Host) -> None:
    assert host.run(("printf", "%s", "$HOME; rm -rf *"), within_s=WITHIN_S) == "$HOME; rm -rf *"


def test_a_failed_program_is_told_with_its_last_words(host: Host) -> None:
    with pytest.raises(HostError) as caught:
        host.run(("ls", "/nonexistent-folder"), within_s=WITHIN_S)
    assert caught.value.what == "ls failed with status 2"
    assert "No such file or directory" in caught.value.why


def test_a_missing_program_is_told(host: Host) -> None:
    with pytest.raises(HostError, match="could not be started"):
        host.run(("no-such-program",), within_s=WITHIN_S)


def test_a_program_that_takes_too_long_is_ended(host: Host) -> None:
    with pytest.raises(HostError, match="took too long"):
        host.run(("sleep", "10"), within_s=0.05)


def test_lines_go_in_and_come_out(host: Host, tmp_path: Path) -> None:
    process = host.start(("cat",), log=tmp_path / "log")
    process.write_line("one")
    process.write_line("two")
    assert [process.read_line(within_s=WITHIN_S), process.read_line(within_s=WITHIN_S)] == ["one", "two"]
    process.close_input()
    assert process.read_line(within_s=WITHIN_S) is None
    assert process.wait(within_s=WITHIN_S) == 0
    process.close_input()


def test_a_line_that_does_not_come_in_time_is_an_error_and_can_still_be_read_later(host: Host, tmp_path: Path) -> None:
    process = host.start(("cat",), log=tmp_path / "log")
    with pytest.raises(HostError, match="did not answer"):
        process.read_line(within_s=0.02)
    process.write_line("late")
    assert process.read_line(within_s=WITHIN_S) == "late"
    process.close_input()
    process.wait(within_s=WITHIN_S)


def test_a_last_line_without_a_newline_is_read(host: Host, tmp_path: Path) -> None:
    process = host.start(("printf", "one\ntwo"), log=tmp_path / "log")
    assert [process.read_line(within_s=WITHIN_S) for _ in range(3)] == ["one", "two", None]
    process.wait(within_s=WITHIN_S)


def test_a_process_that_has_ended_takes_no_more_lines(host: Host, tmp_path: Path) -> None:
    process = host.start(("true",), log=tmp_path / "log")
    assert process.wait(within_s=WITHIN_S) == 0
    with pytest.raises(HostError, match="no longer listens"):
        process.write_line("anyone?")


def test_a_process_can_be_ended_at_once(host: Host, tmp_path: Path) -> None:
    process = host.start(("sleep", "60"), log=tmp_path / "log")
    with pytest.raises(HostError, match="did not end"):
        process.wait(within_s=0.02)
    process.kill()
    assert process.wait(within_s=WITHIN_S) == -signal.SIGKILL


def test_a_started_program_is_in_a_session_of_its_own(host: Host, tmp_path: Path) -> None:
    process = host.start(("sleep", "60"), log=tmp_path / "log")
    assert os.getsid(process.pid) == process.pid
    process.kill()
    process.wait(within_s=WITHIN_S)


def test_standard_error_goes_to_the_log(host: Host, tmp_path: Path) -> None:
    host.start(("ls", "/nonexistent-folder"), log=tmp_path / "log").wait(within_s=WITHIN_S)
    assert "No such file" in (tmp_path / "log").read_text()


def test_files_are_copied_with_their_mode(host: Host, tmp_path: Path) -> None:
    source = tmp_path / "program"
    source.write_text("#!/bin/sh\n")
    source.chmod(0o755)
    host.put(source, tmp_path / "put")
    host.fetch(tmp_path / "put", tmp_path / "fetched")
    assert (tmp_path / "fetched").stat().st_mode & 0o777 == 0o755
    with pytest.raises(HostError, match="could not be copied"):
        host.fetch(tmp_path / "absent", tmp_path / "fetched")
