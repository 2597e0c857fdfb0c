"""Subjects that are compiled: once for each combination of the factors that their build names."""

from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.execute.context.study_context import PartKey
from headtohead.execute.pages.request_page import Answer
from headtohead.execute.prepare import build
from headtohead.hosts.fake.script import Launch, Outcome
from tests.execute.laboratory import Laboratory, fake_affinity

TWO = """format = 1
title = "Two compilers, under treatments of the same names"
seed = 1
"""
ONE = """
[[experiment]]
name = "{0}"
question = "What does a second copy cost?"
workload = "kernel-sweep-8"
looks = [6]

[experiment.factors]
subject = ["c-kernels"]
compiler = ["{0}"]
copies = [1, 2]
"""


@pytest.fixture
def laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Laboratory:
    fake_affinity(monkeypatch)
    text = TWO + ONE.format("gcc") + ONE.format("clang")
    return Laboratory(text, tmp_path, home=find_home(), pages=lambda _: Answer(200, b""))


NATIVE = ONE.replace("copies = [1, 2]", 'optimize = ["-O3", "-O3 -march=native"]')


def test_a_build_for_this_very_cpu_is_not_used_on_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_affinity(monkeypatch)
    text = TWO + NATIVE.format("gcc")
    place = Laboratory(text, tmp_path, home=find_home(), pages=lambda _: Answer(200, b""))
    place.script.program = lambda launch: Outcome(takes_s=0.1, stdout=f"{launch.argv[0]} 1.0\n")
    made = []
    for cpu in ("one", "one", "another"):
        monkeypatch.setattr(build, "instructions_of", lambda _, cpu=cpu: cpu)
        made.append(dict(place.prepared().study_context.builds))
    plain, native = (PartKey("c-kernels", "gcc", f"c-kernels optimize=-O3{more}") for more in ("", " -march=native"))
    assert made[0][plain] == made[2][plain]
    assert made[0][native] == made[1][native] != made[2][native]


def test_treatments_of_one_name_in_two_experiments_have_builds_and_versions_of_their_own(
    laboratory: Laboratory,
) -> None:
    made: list[tuple[str, ...]] = []

    def compiles(launch: Launch) -> Outcome:
        if launch.argv[0] == "make":
            made.append(launch.argv)
            words = dict(word.split("=", 1) for word in launch.argv if "=" in word)
            Path(words["OUT"], "c-kernels").write_text(words["CC"])
            return Outcome(takes_s=0.1)
        return Outcome(takes_s=0.1, stdout=f"{launch.argv[0]} 1.0\nmore\n")

    laboratory.script.program = compiles
    study_context = laboratory.prepared().study_context

    assert [next(word for word in argv if word.startswith("CC=")) for argv in made] == ["CC=gcc", "CC=clang"]
    assert {"BITS=64", "OPTIMIZE=-O2"} <= set(made[0])
    for compiler in ("gcc", "clang"):
        for copies in (1, 2):
            key = PartKey("c-kernels", compiler, f"c-kernels copies={copies}")
            assert (study_context.builds[key] / "c-kernels").read_text() == compiler
            assert study_context.versions[key] == f"{compiler} 1.0"
