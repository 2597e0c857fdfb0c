import os
import re
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from headtohead.hosts import machine_lock
from headtohead.hosts.machine_lock import measuring_alone
from headtohead.model.errors import BusyError
from tests.hosts.nobody import USER

Start = Callable[..., subprocess.Popen[bytes]]
HOLD = (
    "import sys\n"
    "from headtohead.hosts.machine_lock import measuring_alone\n"
    "with measuring_alone(name=sys.argv[1]):\n"
    "    print('held', flush=True)\n"
    "    sys.stdin.read()\n"
)
BY_HAND = (
    "import socket, sys\n"
    "held = socket.socket(socket.AF_UNIX)\n"
    "held.bind('\\0' + sys.argv[1] + '-' + 16 * '0')\n"
    "held.listen()\n"
    "print('held', flush=True)\n"
    "sys.stdin.read()\n"
)

FULL = (
    "import socket, sys\n"
    "held, caller = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)\n"
    "held.bind('\\0' + sys.argv[1] + '-' + 16 * '0')\n"
    "held.listen(0)\n"
    "caller.connect(held.getsockname())\n"
    "print('held', flush=True)\n"
    "sys.stdin.read()\n"
)


@pytest.fixture
def name() -> str:
    """Give a name that nobody else on this machine uses."""
    return f"h2h-test-{secrets.token_hex(8)}"


@pytest.fixture
def holding(name: str) -> Start:
    """Return what starts a process that holds the lock, perhaps of another user."""

    def start(code: str, *, user: str | None = None) -> subprocess.Popen[bytes]:
        python = sys.executable if user is None else "/usr/bin/python3"
        pipe = subprocess.PIPE
        made = subprocess.Popen([python, "-c", code, name], stdin=pipe, stdout=pipe, user=user, cwd="/")
        assert made.stdout is not None
        assert made.stdout.readline() == b"held\n"
        return made

    return start


def test_whoever_has_another_cache_is_shown_who_measures(name: str, holding: Start) -> None:
    with holding(HOLD) as first:
        with pytest.raises(BusyError) as caught, measuring_alone(name=name):
            pass
        first.kill()
    assert re.search(rf"process {first.pid} \(python[^)]*\) of user \w+ measures on this machine", caught.value.why)
    with measuring_alone(name=name):
        pass


def test_the_lock_is_free_again_once_its_holder_is_killed_while_another_waits(
    name: str, holding: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_lock, "LOOK_EVERY_S", 0.01)
    shown = list[str]()
    with holding(HOLD) as first:

        def end(text: str) -> None:
            shown.append(text)
            first.kill()

        with measuring_alone(waiting=end, name=name):
            assert first.wait() < 0
    assert [f"process {first.pid} " in each for each in shown] == [True]


def test_who_waits_calls_the_holder_once_however_long_it_takes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_lock, "LOOK_EVERY_S", 0.001)
    shown = list[str]()
    with socket.socket(socket.AF_UNIX) as held:
        held.bind(f"\0{name}-{16 * '0'}")
        held.listen(1)  # room for two callers
        ending = threading.Timer(0.3, held.close)

        def show(text: str) -> None:
            shown.append(text)
            ending.start()

        with measuring_alone(waiting=show, name=name):
            ending.join()
    assert [f"process {os.getpid()} " in each for each in shown] == [True]


def test_one_process_measures_once_at_a_time(name: str) -> None:
    with measuring_alone(name=name), pytest.raises(BusyError), measuring_alone(name=name):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user too")
@pytest.mark.parametrize("squats", [BY_HAND, FULL])
def test_another_user_is_named_and_excludes_root_who_may_end_it(name: str, holding: Start, squats: str) -> None:
    with holding(squats, user=USER) as squatter:
        with pytest.raises(BusyError) as caught, measuring_alone(name=name):
            pass
        squatter.kill()
    assert f"process {squatter.pid} " in caught.value.why
    assert f"of user {USER}" in caught.value.why
    assert caught.value.remedy.endswith(f"(kill -INT {squatter.pid}).")


def test_a_name_taken_by_who_does_not_listen_or_of_another_form_holds_nothing(name: str) -> None:
    with socket.socket(socket.AF_UNIX) as bound, socket.socket(socket.AF_UNIX) as listening:
        bound.bind(f"\0{name}-{16 * '0'}")
        listening.bind(f"\0{name}-anything")
        listening.listen()
        with measuring_alone(name=name):
            pass


def test_who_takes_no_more_callers_and_cannot_be_seen_still_holds_the_lock(
    name: str, holding: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_lock, "processes_with", lambda *_inodes, **_proc: ())
    with holding(FULL) as full:
        with pytest.raises(BusyError, match="cannot be seen from here"), measuring_alone(name=name):
            pass
        full.kill()
