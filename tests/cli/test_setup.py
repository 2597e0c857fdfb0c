"""Which levels a study asks for, and so what `setup` installs for them."""

from collections.abc import Collection
from pathlib import Path

import pytest

from headtohead.cli.commands.setup import _install
from headtohead.cli.wiring import read_question
from headtohead.hosts.software import packages
from headtohead.model.errors import HostError

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
