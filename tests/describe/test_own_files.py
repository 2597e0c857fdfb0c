"""Files of one's own: what a study and a workload make of them, and which are refused."""

import hashlib
import os
from pathlib import Path

import pytest

from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.describe.workload import own_files
from headtohead.describe.workload.workloads import read_workload
from headtohead.model.errors import WordsError
from headtohead.model.study.workload import DataSet, Expect, OwnFile, Request, Workload

CONTENT = b'{"a": 1}\n'
OWN = OwnFile("my.json", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
STUDY = """format = 1
title = "Mine"
seed = 1

[[experiment]]
name = "mine"
question = "Which?"
file = "my.json"

[experiment.factors]
subject = ["apache-httpd", "nginx"]
"""
WORKLOAD = """format = 1
version = 1
name = "mine"
title = "Mine"
asks = "http/static-v1"

[load]
loop = "closed"
connections = [4]
warm_up_s = 0.5
measure_s = 3

[[request]]
name = "one"
weight = 1
file = "my.json"

[summary]
overall = { of = "goodput_per_s", by = "geometric-mean" }
"""


def of_study(home: Home, folder: Path, text: str = STUDY) -> Workload:
    (folder / "mine.toml").write_text(text)
    return read_study(folder / "mine.toml", home).experiments[0].workload


def of_workload(home: Home, text: str = WORKLOAD) -> Workload:
    folder = home.workloads / "mine"
    folder.mkdir(exist_ok=True)
    (folder / "workload.toml").write_text(text)
    return read_workload(folder, catalog.read_metrics(home), home=home)


def test_a_study_s_file_replaces_the_page_of_the_workload(home: Home, tmp_path: Path) -> None:
    (tmp_path / "my.json").write_bytes(CONTENT)

    workload = of_study(home, tmp_path)

    assert (workload.name, workload.asks) == ("static-page", "http/static-v1")
    assert workload.data == DataSet("my.json", 1, 0, "kept", (OWN,))
    assert workload.files_from == str(tmp_path)
    assert workload.requests == (Request("file", 1, Expect(200, len(CONTENT), "my.json", sample=1.0), "/my.json"),)


def test_of_a_long_file_a_sample_is_compared(home: Home, tmp_path: Path) -> None:
    (tmp_path / "my.json").write_bytes(b"x" * (own_files.COMPARED_WHOLE_BYTES + 1))

    assert of_study(home, tmp_path).requests[0].expect.sample == own_files.SAMPLE


def test_a_workload_names_several_files_of_its_folder(home: Home) -> None:
    (home.workloads / "mine" / "deep").mkdir(parents=True)
    (home.workloads / "mine" / "my.json").write_bytes(CONTENT)
    (home.workloads / "mine" / "deep" / "b.css").write_bytes(b"b")
    two = '[[request]]\nname = "two"\nweight = 2\nfile = "deep/b.css"\nheaders = { X-Two = "2" }\n\n[summary]'

    workload = of_workload(home, WORKLOAD.replace("[summary]", two))

    assert workload.data is not None
    assert [each.name for each in workload.data.files] == ["my.json", "deep/b.css"]
    assert [(each.path, each.weight, each.headers) for each in workload.requests] == [
        ("/my.json", 1, {}),
        ("/deep/b.css", 2, {"X-Two": "2"}),
    ]
    assert workload.files_from == str(home.workloads / "mine")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none.json", 'no file "none.json"'),
        ("folder", 'no file "folder"'),
        ("pipe", 'no file "pipe"'),
        ("../my.json", "leaves its folder"),
        ("/etc/hostname", "leaves its folder"),
        ("outside.json", "link to a place outside"),
        ("empty.json", "has 0 bytes"),
        ("large.json", "at most 64 MiB"),
        ("a b.json", "not a name for a URL"),
        (".hidden", "not a name for a URL"),
    ],
)
def test_what_cannot_be_served_is_refused_with_the_reason(home: Home, tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "outside.json").symlink_to("/etc/hostname")
    (tmp_path / "empty.json").touch()
    for each in ("a b.json", ".hidden"):
        (tmp_path / each).write_bytes(CONTENT)
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(own_files.MOST_BYTES + 1)

    with pytest.raises(WordsError) as caught:
        of_study(home, tmp_path, STUDY.replace("my.json", name))

    assert says in str(caught.value)
    assert "mine.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('file = "my.json"\n', "", "neither workload nor file"),
        ('file = "my.json"\n', 'file = "my.json"\nworkload = "rsa"\n', "no page to replace"),
    ],
)
def test_a_study_says_what_is_requested(home: Home, tmp_path: Path, before: str, after: str, says: str) -> None:
    (tmp_path / "my.json").write_bytes(CONTENT)

    with pytest.raises(WordsError, match=says):
        of_study(home, tmp_path, STUDY.replace(before, after))


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('file = "my.json"', 'file = "my.json"\npath = "/a"', "path does not go with file"),
        ('file = "my.json"', 'file = "my.json"\nexpect = { status = 200 }', "expect does not go with file"),
        ('file = "my.json"', 'path = "/a"', "expect: missing"),
        ('"http/static-v1"', '"http/forum-v1"', "file does not go with this interface"),
        (
            "[load]",
            'data = { set = "pages", scale = 1, seed = 1, state = "kept" }\n\n[load]',
            "data does not go with file",
        ),
        (
            "[summary]",
            '[[request]]\nname = "b"\nweight = 1\npath = "/"\nexpect = { status = 200 }\n\n[summary]',
            "file in some requests only",
        ),
    ],
)
def test_a_request_with_a_file_says_nothing_else(home: Home, before: str, after: str, says: str) -> None:
    (home.workloads / "mine").mkdir()
    (home.workloads / "mine" / "my.json").write_bytes(CONTENT)

    with pytest.raises(WordsError, match=says):
        of_workload(home, WORKLOAD.replace(before, after))
