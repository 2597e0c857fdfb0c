"""Which levels a study asks for, and so what `setup` installs for them."""

from pathlib import Path

from headtohead.cli.wiring import read_question

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
