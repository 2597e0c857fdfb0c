from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.local import LocalHost
from headtohead.hosts.paths import Owner
from headtohead.hosts.software import keep_services_stopped, packages
from headtohead.model.errors import HostError
from headtohead.model.study.subject import Install, Ready, Start, Stop, Subject, SubjectFactor

INSTALLED = "installed\tnginx-light\tamd64\ninstalled\tlibc6\ti386\nconfig-files\tapache2-bin\tamd64\n"
LISTS = "Package files:\n 100 /var/lib/dpkg/status\n     release a=now\n 500 mirror bookworm/main amd64 Packages\n"
NO_LISTS = "Package files:\n 100 /var/lib/dpkg/status\n     release a=now\nPinned packages:\n"
POLICIES = {
    "apache2-bin": "apache2-bin:\n  Installed: (none)\n  Candidate: 2.4.62\n  Version table:\n",
    "gone": "gone:\n  Installed: (none)\n  Candidate: (none)\n",
}


def debian(lists: str = LISTS) -> Callable[[tuple[str, ...]], str]:
    def say(argv: tuple[str, ...]) -> str:
        if argv[0] == "dpkg-query":
            return INSTALLED
        if argv[:2] == ("apt-cache", "policy"):
            return "".join(POLICIES.get(name, "") for name in argv[2:]) if argv[2:] else lists
        return ""

    return say


def no_dpkg(argv: tuple[str, ...]) -> str:
    raise HostError(f"{argv[0]} could not be started", why="No such file or directory.", remedy="Install it.")


def subject(name: str, *debian_packages: str, program: str = "/nonexistent/program") -> Subject:
    return Subject(name, name, (), "", Install(debian_packages, (program,)), {}, None, Stop(), None)


def compiled(*debian_packages: str, version: str = "@compiler@") -> Subject:
    """Return a subject of which one level needs a package of its own."""
    compiler = SubjectFactor("compiler", ("sh", "clang"), "sh", packages={"clang": ("apache2-bin", "nginx-light")})
    return replace(subject("compiled", *debian_packages, program=version), factors={"compiler": compiler})


def test_only_packages_that_are_fully_installed_count() -> None:
    host = FakeHost(say=debian())
    assert packages.missing(subject("nginx", "nginx-light", "libc6:i386"), host=host) == ()
    assert packages.missing(subject("apache", "apache2-bin", "nginx-light"), host=host) == ("apache2-bin",)


def test_what_apt_can_install_is_missing_but_obtainable() -> None:
    stock = packages.take_stock(
        (subject("apache", "apache2-bin"), subject("nginx", "nginx-light")), host=FakeHost(say=debian())
    )
    assert stock.missing == {"apache": ("apache2-bin",)}
    assert stock.unobtainable == {}


def test_what_apt_does_not_know_is_unobtainable() -> None:
    stock = packages.take_stock((subject("old", "gone", "apache2-bin"),), host=FakeHost(say=debian()))
    assert stock.unobtainable == {"old": "apt has no package gone here"}


def test_with_empty_lists_the_reason_names_the_update() -> None:
    stock = packages.take_stock((subject("old", "never-heard-of"),), host=FakeHost(say=debian(NO_LISTS)))
    assert "apt-get update" in stock.unobtainable["old"]


def test_on_another_distribution_a_subject_whose_program_is_there_lacks_nothing() -> None:
    host = FakeHost(say=no_dpkg)
    stock = packages.take_stock((subject("a", "a-bin"), subject("b", "b-bin", program="/bin/sh")), host=host)
    assert stock.missing == {"a": ("a-bin",)}
    assert "no apt on this distribution" in stock.unobtainable["a"]


def test_what_only_a_level_needs_is_missing_where_that_level_is_asked_for() -> None:
    host = FakeHost(say=debian())
    assert packages.missing(compiled("nginx-light"), host=host) == ()
    assert packages.missing(compiled("nginx-light"), host=host, levels=[("compiler", "sh")]) == ()
    assert packages.missing(compiled("gone"), host=host, levels=[("compiler", "clang")]) == ("gone", "apache2-bin")


def test_a_level_without_its_packages_is_lacking_with_their_names() -> None:
    lacking = packages.levels_lacking((compiled(), subject("nginx")), host=FakeHost(say=debian()))
    assert lacking == {"compiler=clang with compiled": "missing: apache2-bin; `headtohead setup` installs it"}


def test_a_program_of_ones_own_that_is_not_there_is_lacking_by_name() -> None:
    def own(*argv: str) -> Subject:
        return replace(subject("mine"), start=Start(Ready(), 1.0, argv))

    there = [
        own("sh", "run"),
        own("@content@/server"),
        own("./server"),
    ]
    assert packages.programs_lacking(there) == {}
    assert packages.programs_lacking([own("no-such-program", "--port")]) == {"mine": ("no-such-program",)}


def test_our_own_programs_lack_only_where_they_were_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    noop = replace(subject("noop"), start=Start(Ready(), 1.0, ("h2h-load", "respond")))
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(packages, "find_program", lambda _: Path("/usr/bin/env"))
    assert packages.programs_lacking([noop]) == {}

    def unbuilt(name: str) -> Path:
        raise HostError(f"{name} is not there", why="It was not built.", remedy="Build it.")

    monkeypatch.setattr(packages, "find_program", unbuilt)
    assert packages.programs_lacking([noop]) == {"noop": ("h2h-load",)}


def test_on_another_distribution_no_level_is_held_to_be_lacking() -> None:
    host = FakeHost(say=no_dpkg)
    assert packages.levels_lacking((compiled(),), host=host) == {}
    assert packages.missing(compiled("gcc"), host=host, levels=[("compiler", "clang")]) == ()
    assert packages.missing(compiled("gcc", version="@nothing@"), host=host) == ("gcc",)


def test_installing_shows_the_command_and_removes_nothing(tmp_path: Path) -> None:
    shown: list[str] = []
    host = FakeHost(say=debian())
    packages.install(
        ["apache2-bin"],
        host=host,
        prefix=(),
        show=shown.append,
        policy=tmp_path / "policy-rc.d",
        record=tmp_path / "none" / "setup.json",
    )
    (command,) = [argv for argv in host.ran if "install" in argv and "apt-get" in argv]
    assert shown == [" ".join(command)]
    assert {"--no-remove", "--no-install-recommends", "--yes"} <= set(command)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_package_makes_apt_update_once_and_then_is_refused(tmp_path: Path) -> None:
    host = FakeHost(say=debian())
    with pytest.raises(HostError, match="gone cannot be installed"):
        packages.install(
            ["gone", "apache2-bin"],
            host=host,
            prefix=(),
            policy=tmp_path / "policy-rc.d",
            record=tmp_path / "none" / "setup.json",
        )
    assert [argv for argv in host.ran if "update" in argv] == [("apt-get", "update", "--quiet")]
    assert not any("install" in argv for argv in host.ran)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_package_name_never_reaches_apt() -> None:
    with pytest.raises(HostError, match="is no package name"):
        packages.install(["-oDPkg::Pre-Invoke::=touch /tmp/x"], host=FakeHost(say=debian()), prefix=())


def test_sudo_is_used_only_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/sudo")
    assert packages.privilege(root=True, terminal=False) == ()
    assert packages.privilege(root=False, terminal=True) == ("sudo",)
    with pytest.raises(HostError, match="no terminal") as refused:
        packages.privilege(root=False, terminal=False, names=("nginx",))
    assert "Or give root this line: env DEBIAN_FRONTEND=noninteractive apt-get install" in refused.value.remedy
    assert refused.value.remedy.split("What needs")[0].endswith(" nginx. ")


def test_services_are_forbidden_inside_and_nothing_is_left_after_a_failure(tmp_path: Path) -> None:
    there = tmp_path / "policy-rc.d"

    def install() -> None:
        with keep_services_stopped.services_kept_from_starting(LocalHost(), policy=there):
            assert "exit 101" in there.read_text()
            assert there.stat().st_mode & 0o111
            raise HostError("apt failed", why="Disk full.", remedy="Free some.")

    with pytest.raises(HostError, match="apt failed"):
        install()
    assert list(tmp_path.iterdir()) == []


def test_a_policy_that_was_there_is_put_back(tmp_path: Path) -> None:
    there = tmp_path / "policy-rc.d"
    there.write_text("#!/bin/sh\nexit 0\n")
    with keep_services_stopped.services_kept_from_starting(LocalHost(), policy=there):
        assert "exit 101" in there.read_text()
    assert there.read_text() == "#!/bin/sh\nexit 0\n"
    assert list(tmp_path.iterdir()) == [there]


def test_what_a_killed_installation_left_is_put_back(tmp_path: Path) -> None:
    there = tmp_path / "policy-rc.d"
    dead = Owner(4_000_000, 1).run_id(0)
    there.write_text(f"#!/bin/sh\n# headtohead {dead}\nexit 101\n")
    saved = tmp_path / f"policy-rc.d.headtohead-{dead}"
    saved.write_text("theirs")
    assert keep_services_stopped.put_back(policy=there) == f"{there} (put back)"
    assert there.read_text() == "theirs"
    there.write_text(f"#!/bin/sh\n# headtohead {dead}\nexit 101\n")
    assert keep_services_stopped.put_back(policy=there) == str(there)
    assert keep_services_stopped.put_back(policy=there) is None
