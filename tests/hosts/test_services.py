"""What setup brings is disabled for the next boot, is recorded, and can be removed again."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import removal, services, setup_record
from headtohead.hosts.software.interrupts_noted import interrupts_noted
from headtohead.hosts.software.packages import finish_killed
from headtohead.hosts.software.setup_record import SetupRecord, recorded
from headtohead.model.errors import HostError

HAD = {"ssh": "systemd/system/multi-user.target.wants/ssh.service"}
"""The packages that were there before, and the link that enables each."""
BROUGHT = {
    "nginx": ("systemd/system/multi-user.target.wants/nginx.service", "rc2.d/S01nginx", "rc3.d/S01nginx"),
    "old-daemon": ("rc5.d/S20old-daemon",),
    "at-start": ("rcS.d/S01at-start",),
    "timed": ("systemd/system/timers.target.wants/timed.timer",),
}


HELPS = ("deb-systemd-helper", "disable")


class Debian:
    """A machine of Debian's as far as the record looks at it: packages, and links in ``etc``."""

    def __init__(self, folder: Path) -> None:
        self.etc = folder / "etc"
        self.record = folder / "var" / "setup.json"
        self.packages = set(HAD)
        self.shown: list[str] = []
        self.disables = True
        self.dead = False
        self.without_systemctl = False
        self.half: set[str] = set()
        self.simulated = ""
        self.host = FakeHost(say=self.say)
        self.link(*HAD.values())

    def link(self, *links: str) -> None:
        for each in links:
            path = self.etc / each
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to("/lib/systemd/system/" + path.name)

    def install(self, *names: str) -> None:
        for name in names:
            self.packages.add(name)
            self.link(*BROUGHT[name])

    def say(self, argv: tuple[str, ...]) -> str:
        if self.dead:
            raise HostError("headtohead is dead", why="It was killed.", remedy="Run setup again.")
        if argv[:2] == ("dpkg-query", "--show"):
            of_all = [name for name in self.packages if name.endswith("-data")]
            begun = "".join(f"half-configured\t{name}:amd64\nconfig-files\tgone:amd64\n" for name in self.half)
            return begun + "".join(
                f"installed\t{name}:{'all' if name in of_all else 'amd64'}\n" for name in sorted(self.packages)
            )
        if argv[:2] == ("dpkg-query", "--listfiles"):
            names = [name.partition(":")[0] for name in argv[2:]]
            return "".join(
                f"/etc/init.d/{n}\n/lib/systemd/system/{n}.service\n/lib/systemd/system/{n}.timer\n" for n in names
            )
        if argv[0] == "systemctl" and self.without_systemctl:
            raise HostError("systemctl could not be started", why="It is not there.", remedy="Install it.")
        if (argv[0] in {"systemctl", "update-rc.d"} or argv[2:4] == HELPS) and self.disables:
            name = argv[1] if argv[0] == "update-rc.d" else argv[-1]
            for link in (
                *self.etc.glob(f"systemd/system/*/{name}*"),
                *self.etc.glob(f"rc*.d/S??{name.partition('.')[0]}*"),
            ):
                link.unlink()
        if argv[0] == "dpkg":
            return "amd64\n"
        if "--simulate" in argv:
            return self.simulated
        if argv[0] in {"install", "rm"}:
            return LocalHost().run(argv, within_s=60)
        return ""

    def recorded(self, change: Callable[[], object]) -> None:
        with recorded(self.host, show=self.shown.append, record=self.record, etc=self.etc):
            change()


@pytest.fixture
def debian(tmp_path: Path) -> Debian:
    return Debian(tmp_path)


def test_units_timers_and_scripts_that_came_are_disabled_and_shown_and_nothing_else(debian: Debian) -> None:
    debian.recorded(lambda: debian.install(*BROUGHT))
    assert services.enabled(debian.etc) == {"ssh.service"}
    (line,) = debian.shown
    assert all(name in line for name in ("nginx.service", "old-daemon", "at-start", "timed.timer"))
    kept = setup_record.read(debian.record)
    assert kept.packages == {f"{name}:amd64" for name in BROUGHT}
    assert kept.services == {"nginx.service", "nginx", "old-daemon", "at-start", "timed.timer"}
    assert kept.before is None


def test_what_somebody_else_enables_meanwhile_stays(debian: Debian) -> None:
    debian.recorded(lambda: debian.link("systemd/system/multi-user.target.wants/theirs.service"))
    assert services.enabled(debian.etc) == {"ssh.service", "theirs.service"}
    assert debian.shown == []


def test_what_is_enabled_after_setup_stays_so_at_the_next_setup(debian: Debian) -> None:
    debian.recorded(lambda: debian.install("nginx"))
    debian.link("rc2.d/S01nginx")
    debian.recorded(lambda: debian.install("timed"))
    assert services.enabled(debian.etc) == {"ssh.service", "nginx"}
    assert setup_record.read(debian.record).packages == {"nginx:amd64", "timed:amd64"}


def test_a_failed_installation_leaves_nothing_enabled(debian: Debian) -> None:
    def fail() -> None:
        debian.install("nginx")
        raise HostError("apt failed", why="Disk full.", remedy="Free some.")

    with pytest.raises(HostError, match="apt failed"):
        debian.recorded(fail)
    assert services.enabled(debian.etc) == {"ssh.service"}
    assert setup_record.read(debian.record).packages == {"nginx:amd64"}


def test_what_a_killed_installation_brought_is_disabled_by_the_next(debian: Debian) -> None:
    def die() -> None:
        debian.install("nginx")
        debian.dead = True

    with pytest.raises(HostError, match="is dead"):
        debian.recorded(die)
    assert "nginx" in services.enabled(debian.etc)
    debian.dead = False
    debian.recorded(lambda: debian.install("timed"))
    assert services.enabled(debian.etc) == {"ssh.service"}
    assert setup_record.read(debian.record).packages == {"nginx:amd64", "timed:amd64"}


def test_what_a_killed_installation_brought_is_disabled_by_setup_also_if_nothing_is_missing(
    debian: Debian, tmp_path: Path
) -> None:
    def dies() -> None:
        debian.install("nginx")
        debian.dead = True
        raise HostError("headtohead is dead", why="It was killed.", remedy="Run setup again.")

    policy = tmp_path / "policy-rc.d"
    policy.write_text("#!/bin/sh\n# headtohead 4242-1-0\nexit 101\n")

    def finish() -> None:
        finish_killed(
            host=debian.host, show=debian.shown.append, prefix=(), policy=policy, record=debian.record, etc=debian.etc
        )

    finish()
    assert debian.shown == [], "none was killed"
    with pytest.raises(HostError, match="dead"):
        debian.recorded(dies)
    debian.dead = False
    assert "nginx.service" in services.enabled(debian.etc)
    finish()
    assert debian.shown[0].startswith("An earlier installation was killed")
    assert "nginx.service" not in services.enabled(debian.etc)
    assert setup_record.read(debian.record) == SetupRecord(
        frozenset({"nginx:amd64"}), frozenset({"nginx", "nginx.service"})
    )
    assert not policy.exists()


def test_without_systemctl_a_unit_is_disabled_by_what_enabled_it(debian: Debian) -> None:
    debian.without_systemctl = True
    debian.recorded(lambda: debian.install("nginx"))
    assert "nginx.service" not in services.enabled(debian.etc)


def test_a_package_that_somebody_had_begun_to_install_is_not_ours(debian: Debian) -> None:
    debian.half = {"nginx"}

    def configured() -> None:
        debian.half = set()
        debian.install("nginx", "timed")

    debian.recorded(configured)
    assert setup_record.read(debian.record).packages == {"timed:amd64"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
def test_a_signal_while_apt_works_counts_after_it(number: signal.Signals) -> None:
    did = []
    before = signal.getsignal(number)

    def work() -> None:
        with interrupts_noted() as noted:
            os.kill(os.getpid(), number)
            did.append(list(noted))

    with pytest.raises(KeyboardInterrupt):
        work()
    assert did == [[number]]
    assert signal.getsignal(number) is before


def test_a_service_that_stays_enabled_is_an_error_and_is_tried_again(debian: Debian) -> None:
    debian.disables = False
    with pytest.raises(HostError, match=r"nginx, nginx\.service will start at the next boot"):
        debian.recorded(lambda: debian.install("nginx"))
    debian.disables = True
    debian.recorded(lambda: None)
    assert services.enabled(debian.etc) == {"ssh.service"}


def test_only_what_setup_installed_is_removed(debian: Debian) -> None:
    assert removal.removable(debian.host, record=debian.record) == ()
    debian.recorded(lambda: debian.install("nginx"))
    debian.simulated = "Remv nginx [1.22]\n"
    names = removal.removable(debian.host, record=debian.record)
    assert names == ("nginx:amd64",)
    removal.remove(names, host=debian.host, show=debian.shown.append, record=debian.record, etc=debian.etc)
    (command,) = [argv for argv in debian.host.ran if "apt-get" in argv and "--simulate" not in argv]
    assert command[-1] == "nginx:amd64"
    assert debian.shown[-1] == " ".join(command)
    assert not debian.record.exists()


def test_that_setup_disabled_a_service_is_undone_when_its_package_is_removed(debian: Debian) -> None:
    debian.recorded(lambda: debian.install("nginx", "old-daemon"))
    debian.link("rc5.d/S20old-daemon")
    debian.simulated = "Remv nginx [1.22]\nRemv old-daemon [1]\n"
    names = removal.removable(debian.host, record=debian.record)
    removal.remove(names, host=debian.host, show=debian.shown.append, record=debian.record, etc=debian.etc)
    after = debian.host.ran[
        [("apt-get" in argv and "--simulate" not in argv) for argv in debian.host.ran].index(True) :
    ]
    helper = ("env", "DPKG_MAINTSCRIPT_PACKAGE=headtohead", "deb-systemd-helper", "purge", "nginx.service")
    assert helper in after
    assert ("update-rc.d", "-f", "nginx", "remove") in after
    assert not [argv for argv in after if "old-daemon" in argv], "somebody enabled it since"


def test_what_belongs_to_every_architecture_is_ours_too(debian: Debian) -> None:
    debian.recorded(lambda: debian.packages.add("blender-data"))
    debian.simulated = "Remv blender-data [3.4]\n"
    assert removal.removable(debian.host, record=debian.record) == ("blender-data:all",)


def test_nothing_is_removed_that_a_later_package_needs(debian: Debian) -> None:
    debian.recorded(lambda: debian.install("nginx"))
    debian.simulated = "Remv theirs [2]\nRemv nginx [1.22]\n"
    with pytest.raises(HostError, match="apt would remove theirs too"):
        removal.removable(debian.host, record=debian.record)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"packages": 3, "services": [], "before": null}'])
def test_a_record_that_is_none_is_refused(debian: Debian, text: str) -> None:
    debian.record.parent.mkdir(parents=True)
    debian.record.write_text(text)
    with pytest.raises(HostError, match="cannot be read"):
        setup_record.read(debian.record)
