"""What the page "How to compare my service" shows can be typed and read: its command lines, and its files."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.cli.wiring import read_question
from headtohead.describe import catalog
from headtohead.describe.home import find_home
from headtohead.describe.workload.workloads import read_workload
from headtohead.execute.subject.fill_templates import fill
from tests.docs.texts import commands

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "compare-my-service.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
INLINE = [
    " ".join(each.split()) for each in re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", TEXT, flags=re.M | re.S))
]
OF_GENERATORS = {"--scale", "--seed", "--out"}
"""The options of a data set's own program, which the page describes too."""
OF_WORKLOADS = """format = 1
version = 1
name = "{name}"
title = "As the page shows"
asks = "{asks}"
"""
SUMMARY = """
[summary]
overall = { of = "goodput_per_s", by = "geometric-mean" }
"""
HELLO = """
[load]
loop = "closed"
connections = [10]
warm_up_s = 1
measure_s = 3

[[request]]
name = "hello"
weight = 1
path = "/hello"
expect = { status = 200 }
"""
STUDY = """format = 1
title = "nginx with my configuration"
seed = 1

[[experiment]]
name = "hello"
question = "How fast is it?"
workload = "hello"

[experiment.factors]
subject = ["my-nginx"]
"""


def typed_lines() -> Iterator[str]:
    """Yield each command line of headtohead in a block: typed, or in the file of a CI system."""
    for _, block in BLOCKS:
        for line in block.splitlines():
            found = re.fullmatch(r"(?:\$| *- run:| *-) (headtohead .+)", line)
            yield from found[1].split(" && ") if found else ()


def named_lines() -> Iterator[str]:
    """Yield each command line in a sentence."""
    yield from (each for each in INLINE if re.match(r"headtohead [a-z-]+ ", each))


def options(name: str) -> set[str]:
    """Return the options of a command."""
    return {option for each in commands()[name].params for option in each.opts if option.startswith("--")}


@pytest.mark.parametrize("line", list(dict.fromkeys((*typed_lines(), *named_lines()))))
def test_every_command_line_is_one_that_headtohead_reads(line: str) -> None:
    _, name, *words = shlex.split(line)

    commands()[name].make_context(name, words)


def test_every_command_that_the_page_names_is_one_and_no_line_in_a_block_is_left_out() -> None:
    assert set(re.findall(r"`headtohead ([a-z-]+)", TEXT)) <= commands().keys()
    assert sum(len(re.findall(r"\bheadtohead [a-z]", block)) for _, block in BLOCKS) == len(list(typed_lines()))


def test_every_option_that_a_sentence_or_a_table_names_is_one() -> None:
    named = {word for each in INLINE if each.startswith("--") for word in each.split() if word.startswith("--")}

    assert len(named) > 20
    assert named - options("race") - options("run") - OF_GENERATORS == set()


def blocks_with(text: str) -> list[str]:
    return [block for language, block in BLOCKS if language == "toml" and text in block]


def test_its_study_is_read_with_each_load_that_the_page_adds_to_it(tmp_path: Path) -> None:
    (study,), (load,) = blocks_with("[[experiment]]"), blocks_with("[experiment.load]")
    (tmp_path / "my.json").write_text("{}")
    for number, text in enumerate((study, study + load)):
        path = tmp_path / f"mine-{number}.toml"
        path.write_text(text)
        (experiment,) = read_question(path).study.experiments
        assert [each.name for each in experiment.factors] == ["subject", "workers", "cpus"]
        assert list(experiment.load.cases["connections"]) == ([50] if number else [10, 100])


def test_nginx_with_ones_own_configuration_is_read_and_each_word_of_its_file_has_a_value(tmp_path: Path) -> None:
    (subject,) = blocks_with("serves = ")
    (configuration,) = (block for language, block in BLOCKS if language == "nginx")
    mine, hello = tmp_path / "subjects" / "my-nginx", tmp_path / "workloads" / "hello"
    mine.mkdir(parents=True)
    hello.mkdir(parents=True)
    (mine / "subject.toml").write_text(subject)
    (mine / "nginx.conf.in").write_text(configuration)
    (asks,) = re.findall(r'`asks = "(http/hello-v\d+)"`', TEXT)
    (hello / "workload.toml").write_text(OF_WORKLOADS.format(name="hello", asks=asks) + HELLO + SUMMARY)
    (tmp_path / "study.toml").write_text(STUDY)

    question = read_question(tmp_path / "study.toml")

    assert question.subjects["my-nginx"].serves == (asks,)
    assert "listen 127.0.0.1:80;" in fill(configuration, {"run": "/run", "port": 80}, where="nginx.conf.in")
    assert "location = /hello " in configuration


def test_its_steps_are_read_as_a_session_of_an_interface_of_ones_own(tmp_path: Path) -> None:
    (steps,) = blocks_with("[[step]]")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "workload.toml").write_text(steps)

    home = find_home()
    workload = read_workload(folder, catalog.read_metrics(home), home=home)

    assert workload.asks == "http/notes-v1"
    assert workload.session is not None
    assert [each.name for each in workload.session.steps] == ["log-in", "post", "read-back"]
    assert set(workload.session.values) == {"user", "note"}


def test_no_file_in_toml_is_left_unread() -> None:
    kinds = ("[[experiment]]", "[experiment.load]", "serves = ", "[[step]]")
    assert sum(language == "toml" for language, _ in BLOCKS) == len(kinds)
    assert [len(blocks_with(each)) for each in kinds] == [1, 1, 1, 1]
