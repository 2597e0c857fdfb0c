"""Which levels a study asks for, and so what `setup` installs for them."""

import io
import os
import shlex
from collections.abc import Collection
from pathlib import Path

import pytest

from headtohead.cli.commands import setup
from headtohead.cli.commands.setup import _install
from headtohead.cli.setup import sources, userlands
from headtohead.cli.wiring import read_question
from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.software import packages
from headtohead.hosts.software.debian_sources import Source
from headtohead.hosts.software.debian_sources import place_of as place_of_source
from headtohead.hosts.software.userlands import Userland, place_of
from headtohead.model.errors import HostError
from tests.conftest import Command

USERLANDS = """format = 1
title = "Userlands"
seed = 1

[[experiment]]
name = "static-page"
question = "Which release?"
workload = "static-page"
compare = "userland"

[experiment.factors]
subject = ["nginx", "apache-httpd"]
userland = ["host", "debian-12"]
"""

STUDY = """format = 1
title = "Compilers"
seed = 1

[[experiment]]
name = "compilers"
question = "Which compiler?"
workload = "kernel-sweep-8"
compare = "subject"

[experiment.factors]
subject = ["c-kernels", { name = "c-kernels", compiler = "clang" }]
copies = [1, 2]

[[experiment]]
name = "bits"
question = "What do 64 bits bring?"
workload = "kernel-sweep-8"

[experiment.factors]
subject = ["c-kernels"]
bits = [32, 64]
"""


def test_the_levels_asked_for_are_those_that_a_study_sets_or_varies(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY)
    question = read_question(study)
    (subject,) = question.subjects.values()

    levels = question.levels(subject)

    assert levels == {("compiler", "clang"), ("copies", "1"), ("copies", "2"), ("bits", "32"), ("bits", "64")}
    assert sorted(subject.packages_of(levels)) == ["clang", "gcc-multilib"]
    assert subject.packages_of({("compiler", "gcc"), ("bits", "64")}) == ()


class Apt:
    """Installs what is not ``broken``, all or nothing, as apt does."""

    def __init__(self, *broken: str) -> None:
        self.broken = set(broken)
        self.asked: list[list[str]] = []

    def install(self, names: Collection[str], **_: object) -> None:
        self.asked.append(list(names))
        if self.broken & set(names):
            raise HostError("apt failed", why="A package is broken.", remedy="Mend it.")


WANTED = {"nginx": ("nginx",), "forum": ("php", "apache2-bin"), "apache": ("apache2-bin",)}


@pytest.mark.parametrize(
    ("broken", "asked", "refused"),
    [
        ((), [["apache2-bin", "nginx", "php"]], []),
        (("php",), [["apache2-bin", "nginx", "php"], ["nginx"], ["php", "apache2-bin"], ["apache2-bin"]], ["forum"]),
    ],
)
def test_packages_are_installed_at_once_and_separately_only_after_a_failure(
    broken: tuple[str, ...], asked: list[list[str]], refused: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    apt = Apt(*broken)
    monkeypatch.setattr(packages, "install", apt.install)
    monkeypatch.setattr(packages, "privilege", lambda **_: ())

    found = _install(WANTED, yes=True)

    assert apt.asked == asked
    assert list(found) == refused


def test_each_userland_of_a_study_is_made_for_each_of_its_subjects_until_it_can_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(userlands, "cache_dir", lambda: tmp_path)
    study = tmp_path / "study.toml"
    study.write_text(USERLANDS)
    question, held = read_question(study), {f"{name}:amd64": "1" for name in ("libc6", "make", "nginx", "openssl")}

    def dpkg(argv: tuple[str, ...]) -> str:
        names = (each.partition(":")[0] for each in held)
        return "".join(f"installed\t{each}\t1\tamd64\n" for each in names) if argv[0] == "dpkg-query" else ""

    host = FakeHost(say=dpkg)
    wanted = userlands.wanted_userlands([question], host)

    assert [(each.level, each.subject) for each in wanted] == [("debian-12", "nginx"), ("debian-12", "apache-httpd")]
    assert wanted[0].packages == ("nginx", "openssl", "make")

    place = place_of(tmp_path, "debian-12", "nginx")
    (place / "root").mkdir(parents=True)
    (place / "pinned.json").write_text(Userland("debian-12", "nginx", place / "root", held).text())
    assert [each.subject for each in userlands.wanted_userlands([question], host)] == ["apache-httpd"]


def test_only_root_makes_userlands(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [userlands.WantedUserland("debian-12", "nginx", ("nginx",))]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(HostError, match="No userland can be made"):
        userlands.makers_lacking(wanted, FakeHost())
    assert userlands.makers_lacking([], FakeHost()) == {}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert userlands.makers_lacking(wanted, FakeHost()) == {"userland": ("mmdebstrap",)}


COMPILED = """format = 1
title = "Compiled"
seed = 1

[[experiment]]
name = "static-page"
question = "What does it gain?"
workload = "static-page"
compare = "subject"

[experiment.factors]
subject = ["apache-httpd", { name = "nginx", build = "LEVEL" }]
"""


@pytest.mark.parametrize(("level", "wanted"), [("native", ("nginx",)), ("gcc-O2", ("nginx",)), ("distribution", ())])
def test_the_source_of_what_a_study_compiles_is_wanted_until_it_is_here(
    level: str, wanted: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "cache_dir", lambda: tmp_path)
    study = tmp_path / "study.toml"
    study.write_text(COMPILED.replace("LEVEL", level))
    question, host = read_question(study), FakeHost(say=lambda _: "installed\tnginx\t1.22.1-9\n")
    assert sources.wanted_sources([question], host) == wanted
    assert (("build", level) in question.host_levels) == (
        ("build", level) in question.levels(question.subjects["nginx"])
    )

    place = place_of_source(tmp_path, "nginx", "1.22.1-9")
    place.mkdir(parents=True)
    (place / "fetched.json").write_text(Source("nginx", "1.22.1-9", "1.22.1-9", place, {}, "").text())
    assert sources.wanted_sources([question], host) == ()


def test_setup_as_an_ordinary_user_prints_the_line_with_all_packages_for_root_and_installs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    apt, bare = Apt(), FakeHost(say=lambda _: "")
    monkeypatch.setattr(setup, "LocalHost", lambda: bare)
    monkeypatch.setattr(packages, "install", apt.install)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # no terminal at which sudo could ask
    study = tmp_path / "study.toml"
    study.write_text(COMPILED.replace("LEVEL", "distribution"))
    lacking = {name for each in read_question(study).subjects.values() for name in each.install.debian}
    assert lacking > {"nginx", "apache2-bin"}

    status, _, said = command("setup", study)

    assert (status, apt.asked) == (1, [])
    assert f"give root this line: {shlex.join(packages.install_argv(lacking))}." in " ".join(said.split())
