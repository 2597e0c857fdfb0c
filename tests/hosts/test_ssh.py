"""What of SSH needs no host: destinations, complaints, clocks, and what a hostile host may send."""

import os
import stat
from pathlib import Path

import pytest

from headtohead.hosts.local import LocalHost, LocalProcess
from headtohead.hosts.ssh.client_errors import explained
from headtohead.hosts.ssh.connection import Connection, checked, command_line
from headtohead.hosts.ssh.known_before_start import Place, ask_clock
from headtohead.hosts.ssh.probe_orders import Agent
from headtohead.hosts.ssh.recorded_kernel_files import _inside
from headtohead.model.errors import HostError, WordsError


@pytest.mark.parametrize("wrong", ["", "-oProxyCommand=reboot", "a b", "a\nb", "a\0b"])
def test_a_destination_that_ssh_would_read_as_something_else_is_refused(wrong: str) -> None:
    with pytest.raises(WordsError, match="is not an SSH destination"):
        checked(wrong)
    assert checked("lab@dual.example") == "lab@dual.example"


@pytest.mark.parametrize(
    ("printed", "cause"),
    [
        ("No ED25519 host key is known for a and you have requested strict checking.", "host key is not known"),
        ("@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.", "another machine"),
        ("ann@a: Permission denied (publickey).", "lets this user in by none of the keys"),
        ("ssh: Could not resolve hostname a: Name or service not known", "No address"),
        ("ssh: connect to host a port 22: Connection refused", "No SSH server listens"),
        ("ssh: connect to host a port 22: Connection timed out", "does not respond"),
        ("Timeout, server a not responding.", "does not respond"),
        ("cat: write error: No space left on device", "disk is full"),
        ("client_loop: send disconnect: Broken pipe", "connection to it was lost"),
        ("kex_exchange_identification: something new", "something new"),
        ("", "printed no reason"),
    ],
)
def test_each_complaint_has_a_cause_and_names_the_host(printed: str, cause: str) -> None:
    error = explained("dual", "ann@a", printed, doing="connecting")
    assert error.what == "The host dual (ann@a) failed while connecting"
    assert cause in error.why
    assert "{" not in error.remedy


def test_a_clock_that_is_far_off_is_refused_in_either_direction() -> None:
    def place(off_s: float) -> Place:
        return Place(0, Path("/var/cache/headtohead"), (0,), off_s)

    ask_clock("dual", place(9.0))
    with pytest.raises(HostError, match=r"3600 s ahead of ours"):
        ask_clock("dual", place(3600.0))
    with pytest.raises(HostError, match=r"60 s behind ours"):
        ask_clock("dual", place(-60.0))


@pytest.mark.parametrize("wrong", ["proc/stat", "/../etc/passwd", "/proc/../../etc", "/", "/a\0b"])
def test_no_path_of_a_host_leads_out_of_its_folder(wrong: str) -> None:
    with pytest.raises(HostError, match="not requested"):
        _inside("dual", wrong)
    assert _inside("dual", "/proc/stat") == "proc/stat"


def test_the_words_of_a_command_reach_its_script_as_they_are() -> None:
    words = ("$HOME", "a b", "'", "é")
    said = LocalHost().run(("sh", "-c", command_line('printf "%s," "$@"', *words)), within_s=60)
    assert said == "$HOME,a b,',é,"


class Elsewhere(Connection):
    """A host that prints a line in place of carrying out anything."""

    def __init__(self, line: str, log: Path) -> None:
        super().__init__("dual", "dual", folder=log)
        self._line = line

    def start(self, command: str, *, log: Path | None = None) -> LocalProcess:  # noqa: ARG002
        return LocalHost().start(("echo", self._line), log=log or Path("/dev/null"))


def test_a_host_of_another_architecture_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    probe = tmp_path / "h2h-probe"
    probe.write_bytes(b"probe")
    with pytest.raises(HostError, match=r"dual cannot run our programs: It is Linux sparc64; they were built for"):
        Agent(Elsewhere("h2h Linux sparc64 none", tmp_path), probe)


def test_the_folder_of_a_connection_is_ours_alone_and_gone_afterwards(tmp_path: Path) -> None:
    client = tmp_path / "ssh"
    client.write_text('#!/bin/sh\necho Welcome\nfor command; do :; done\nexec sh -c "$command"\n')
    client.chmod(0o755)
    folder = tmp_path / "socket"
    with Connection("dual", "dual", folder=folder, ssh=(str(client),)):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.stat().st_uid == os.geteuid()
    assert not folder.exists()


def test_a_client_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "socket"
    with (
        pytest.raises(HostError, match="printed no reason"),
        Connection("dual", "dual", folder=folder, ssh=("false",)),
    ):
        pass
    assert not folder.exists()
