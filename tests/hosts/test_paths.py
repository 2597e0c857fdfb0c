import os
import subprocess
from pathlib import Path

import pytest

from headtohead.hosts import paths
from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.paths import Owner
from headtohead.hosts.software import subjects_user
from headtohead.model.errors import HostError


def test_this_process_is_a_living_owner_under_its_own_id() -> None:
    owner = paths.this_owner()
    assert owner.pid == os.getpid()
    assert paths.owner_of(owner.run_id(3)) == owner
    assert paths.is_alive(owner)


def test_a_later_process_of_the_same_id_is_another_owner() -> None:
    owner = paths.this_owner()
    assert not paths.is_alive(Owner(owner.pid, owner.start_ticks + 1))


def test_a_zombie_is_dead() -> None:
    with subprocess.Popen(["true"]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        ticks = paths.start_ticks(child.pid)
        assert ticks is not None
        assert not paths.is_alive(Owner(child.pid, ticks))


def test_a_name_with_spaces_and_parentheses_does_not_shift_the_fields(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    rest = " ".join(str(number) for number in range(4, 53))
    (tmp_path / "7" / "stat").write_text(f"7 (a) b (c) S {rest}\n")
    assert paths.start_ticks(7, proc=tmp_path) == 22


@pytest.mark.parametrize("text", ["", "12-34", "0-1-2", "12-34-5-subject", "a-b-c", "-1-2-3"])
def test_what_is_no_runs_id_has_no_owner(text: str) -> None:
    assert paths.owner_of(text) is None


def test_caches_of_root_and_of_users_lie_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/someone"))
    assert paths.cache_dir(environ={}, root=True) == Path("/var/cache/headtohead")
    assert paths.cache_dir(environ={}, root=False) == Path("/home/someone/.cache/headtohead")
    assert paths.cache_dir(environ={"XDG_CACHE_HOME": "/big"}, root=False) == Path("/big/headtohead")
    assert paths.cache_dir(environ={"XDG_CACHE_HOME": "not/absolute"}, root=False).is_relative_to("/home/someone")


@pytest.mark.parametrize(
    ("data_home", "found"),
    [
        (None, "/home/someone/.local/share/headtohead"),
        ("", "/home/someone/.local/share/headtohead"),
        ("/big", "/big/headtohead"),
        ("not/absolute", "/home/someone/.local/share/headtohead"),
    ],
)
def test_content_of_the_user_s_own_is_with_the_user_s_data(
    data_home: str | None, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/someone"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if data_home is not None:
        monkeypatch.setenv("XDG_DATA_HOME", data_home)

    assert paths.user_content() == Path(found)


def test_an_ordinary_user_needs_no_account() -> None:
    host = FakeHost()
    assert subjects_user.ensure_user(host, show=print, root=False) is None
    assert host.ran == []


def test_the_account_is_shown_before_it_is_created() -> None:
    def say(argv: tuple[str, ...]) -> str:
        if argv[0] in {"id", "getent"}:
            raise HostError("no such user", why="None has that name.", remedy="Create it.")
        return ""

    host, shown = FakeHost(say=say), list[str]()
    assert subjects_user.ensure_user(host, show=shown.append, root=True) == "headtohead"
    assert shown == [" ".join(host.ran[-1])]
    assert host.ran[-1][:2] == ("useradd", "--system")
    assert "/usr/sbin/nologin" in host.ran[-1]


def test_an_account_that_is_there_is_used_and_root_never_is() -> None:
    assert subjects_user.ensure_user(FakeHost(say=lambda _: "999\n"), show=print, root=True) == "headtohead"
    with pytest.raises(HostError, match="The user headtohead is root"):
        subjects_user.ensure_user(FakeHost(say=lambda _: "0\n"), show=print, root=True)
