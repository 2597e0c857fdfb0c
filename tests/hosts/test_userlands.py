"""Userlands: which are there, why one cannot be used, and the command that makes one. Nothing is fetched here."""

import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.kernel_files import Tree
from headtohead.hosts.machine.resources import read_machine
from headtohead.hosts.software.make_userland import APART, finish, make, make_argv, source
from headtohead.hosts.software.userlands import (
    PINNED,
    Userland,
    place_of,
    read,
    userlands_lacking,
    wanted_packages,
    why_no_architecture,
)
from headtohead.model.errors import HostError
from headtohead.model.study.subject import Install, Stop, Subject, SubjectFactor

PACKAGES = {"libc6:amd64": "2.36-9", "nginx:amd64": "1.22.1-9"}
SITES = "http://mirror.example/debian\nhttp://b.example\n"
ASKED = {("userland", "debian-12"), ("userland", "host"), ("gzip", "on")}


def dpkg(packages: dict[str, str], *, sites: str = SITES, native: str = "amd64") -> Callable[[tuple[str, ...]], str]:
    def say(argv: tuple[str, ...]) -> str:
        if argv[0] == "dpkg-query":
            names = (each.split(":") for each in packages)
            return "".join(f"installed\t{name}\t{packages[f'{name}:{kind}']}\t{kind}\n" for name, kind in names)
        if argv[0] == "dpkg":
            return f"{native}\n"
        return sites if argv[0] == "apt-get" else ""

    return say


def nginx(*more: str) -> Subject:
    brotli = SubjectFactor("gzip", ("off", "on"), "off", packages={"on": ("zlib-more",)})
    return Subject("nginx", "nginx", (), "", Install(("nginx", *more)), {"gzip": brotli}, None, Stop(), None)


def made(cache: Path, packages: dict[str, str] = PACKAGES, *, level: str = "debian-12") -> Userland:
    place = place_of(cache, level, "nginx")
    (place / "root").mkdir(parents=True)
    userland = Userland(level, "nginx", place / "root", packages, "2026-11-25T12:00:00Z")
    (place / PINNED).write_text(userland.text())
    return userland


def test_a_userland_is_what_was_pinned_when_it_was_made(tmp_path: Path) -> None:
    userland = made(tmp_path)
    assert read(tmp_path, "debian-12", "nginx", host=FakeHost(say=dpkg(PACKAGES))) == userland


def test_its_facts_are_the_c_library_and_a_checksum_of_all_versions(tmp_path: Path) -> None:
    one, other = made(tmp_path), Userland("debian-12", "nginx", tmp_path, {**PACKAGES, "nginx:amd64": "1.22.1-10"})
    assert one.facts.startswith("debian-12: libc6 amd64 2.36-9, 2 packages ")
    assert one.facts != other.facts


@pytest.mark.parametrize("changed", [{}, {**PACKAGES, "nginx:amd64": "1.24"}, {**PACKAGES, "gcc:amd64": "12"}])
def test_a_userland_whose_packages_changed_is_refused(tmp_path: Path, changed: dict[str, str]) -> None:
    made(tmp_path)
    with pytest.raises(HostError, match="cannot be used") as refused:
        read(tmp_path, "debian-12", "nginx", host=FakeHost(say=dpkg(changed)))
    assert "It was changed since it was made" in refused.value.why


def test_what_is_not_made_or_lacks_a_level_s_package_is_lacking_for_that_subject(tmp_path: Path) -> None:
    host, tree = FakeHost(say=dpkg(PACKAGES)), Tree(root_user=True)
    assert (
        "holds none"
        in userlands_lacking([nginx()], ASKED, cache=tmp_path, host=host, tree=tree)["userland=debian-12 with nginx"]
    )
    made(tmp_path)
    assert wanted_packages(nginx(), ASKED) == ("nginx", "zlib-more")
    assert userlands_lacking([nginx()], ASKED, cache=tmp_path, host=host, tree=tree) == {
        "userland=debian-12 with nginx": "it lacks zlib-more; `headtohead setup` makes it again"
    }
    without = {each for each in ASKED if each[0] == "userland"}
    assert userlands_lacking([nginx()], without, cache=tmp_path, host=host, tree=tree) == {}


def test_without_root_there_is_none(tmp_path: Path) -> None:
    lacking = userlands_lacking([nginx()], ASKED, cache=tmp_path, host=FakeHost(), tree=Tree(root_user=False))
    assert lacking == {"userland=debian-12": "only root may give programs another root of the file system"}


def test_thirty_two_bits_need_a_machine_and_a_kernel_that_run_them(tmp_path: Path) -> None:
    levels = {("userland", "debian-12-i386")}
    host = FakeHost(say=dpkg({}, native="arm64"))
    lacks = read_machine((), host=host, tree=Tree(tmp_path, root_user=True), allowed={0}, levels=levels).lacks
    assert lacks["userland=debian-12-i386"] == "debian-12-i386 has programs for i386, and this machine is arm64"
    assert why_no_architecture("debian-12-i386", "amd64") is None
    assert why_no_architecture("debian-13", "arm64") is None


def test_a_server_of_a_bench_has_none(tmp_path: Path) -> None:
    tree = Tree(tmp_path, root_user=True)
    lacks = read_machine((), host=FakeHost(), tree=tree, allowed={0}, levels=ASKED, name="far").lacks
    assert lacks["userland=debian-12"] == "a userland is made on this machine only"


def test_it_is_made_from_the_mirror_of_this_machine() -> None:
    host = FakeHost(say=dpkg({}))
    line = source("trixie", host=host)
    assert line == "deb http://mirror.example/debian trixie main"
    argv = make_argv("debian-12-i386", ["nginx", "make"], Path("/c/root"), native="amd64", line=line)
    assert argv[: len(APART) + 1] == [*APART, "mmdebstrap"]
    assert {"--architectures=i386", "--include=nginx,make"} <= set(argv)
    assert argv[-3:] == ["bookworm", "/c/root", line]


def test_without_a_mirror_of_debian_none_is_made() -> None:
    with pytest.raises(HostError, match="No userland can be made") as refused:
        source("trixie", host=FakeHost(say=dpkg({}, sites="")))
    assert "name no mirror of Debian" in refused.value.why


def test_a_name_that_is_no_package_is_refused() -> None:
    with pytest.raises(HostError, match="is no package name"):
        make_argv("debian-12", ["nginx,--hook"], Path("/c"), native="amd64", line="")


def test_what_could_not_be_made_leaves_nothing(tmp_path: Path) -> None:
    def say(argv: tuple[str, ...]) -> str:
        if "mmdebstrap" in argv:
            raise HostError("mmdebstrap failed", why="The mirror is out of reach.", remedy="Wait.")
        return dpkg({})(argv)

    with pytest.raises(HostError, match="mmdebstrap failed"):
        make("debian-12", "nginx", ["nginx"], cache=tmp_path, user="root", host=FakeHost(say=say), show=lambda _: None)
    assert [each.name for each in (tmp_path / "userlands").iterdir()] == [".locks"]
    assert (tmp_path / "userlands").stat().st_mode & 0o777 == 0o700


ENDS_WITHIN_S = 60.0
STAND_INS = {
    "apt-get": "echo http://mirror.example/debian",
    "dpkg": "echo amd64",
    "mmdebstrap": 'sleep 600 &\ntouch "${0%/*}/began"\nsleep 600',
}
"""Programs of setup by name; that of mmdebstrap starts another one, as mmdebstrap starts apt and dpkg."""
MAKING = """
import sys
from pathlib import Path
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software.make_userland import make
make("debian-12", "nginx", ["nginx"], cache=Path(sys.argv[1]), user="root", host=LocalHost(), show=print)
"""


def started_with(folder: Path) -> list[int]:
    """Return the processes that have a folder in their environment."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            found += [int(each.name)] if str(folder).encode() in (each / "environ").read_bytes() else []
        except OSError:
            continue
    return found


def await_that(holds: Callable[[], bool]) -> bool:
    """Return whether something comes true in time."""
    until_s = time.monotonic() + ENDS_WITHIN_S
    while not holds() and time.monotonic() < until_s:
        time.sleep(0.05)
    return holds()


@pytest.mark.real
@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes userlands")
def test_what_makes_a_userland_ends_with_a_headtohead_that_is_killed(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in STAND_INS.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    with subprocess.Popen([sys.executable, "-c", MAKING, tmp_path], env={**os.environ, "PATH": path}) as headtohead:
        assert await_that((programs / "began").exists)
        headtohead.kill()
    try:
        assert await_that(lambda: not started_with(programs))
    finally:
        for pid in started_with(programs):
            os.kill(pid, signal.SIGKILL)


def test_a_root_gets_our_user_and_loses_its_setuid_programs(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    (tmp_path / "su").write_text("")
    (tmp_path / "su").chmod(0o4755)
    (tmp_path / "link").symlink_to("/etc/passwd")
    me = pwd.getpwuid(os.geteuid())

    finish(tmp_path, user=me.pw_name)

    assert (tmp_path / "su").stat().st_mode & 0o7777 == 0o755
    lines = (tmp_path / "etc/passwd").read_text().splitlines()
    assert lines == [
        "root:x:0:0::/root:/bin/sh",
        f"{me.pw_name}:x:{me.pw_uid}:{me.pw_gid}::/nonexistent:/usr/sbin/nologin",
    ]
    assert "localhost" in (tmp_path / "etc/hosts").read_text()
