"""Boards whose index is wrong, refused before the load, and found under it; a database that lost a row, refused."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.cli.this_machine import environment_here
from headtohead.describe.home import Home
from headtohead.describe.subject import subjects
from headtohead.execute.data.datasets import data_set
from headtohead.model.errors import SubjectError
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import DataSet
from tests.contract.alone import Alone, served
from tests.contract.bench import FORUM, need, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_with
from tests.contract.leftovers import left_by_us, nothing

ANOTHER = DataSet(FORUM.set, FORUM.scale, FORUM.seed + 1, FORUM.state)
DATABASES = [each for each in subjects.read_all(HOME).values() if "sql/forum-v1" in each.serves]
LIAR = """format = 1
name = "liar"
title = "A board that lies"
serves = ["http/forum-v1"]

[start]
files = {{ "liar.py" = "liar.py", "wrong.html" = "wrong.html" }}
argv = ["/usr/bin/python3", "@run@/liar.py", "@port@", "@dataset@/board.html", "@run@/wrong.html"{always}]
ready = {{ http = "http://127.0.0.1:@port@/health" }}
within_s = 20

[reach]
url = "http://127.0.0.1:@port@"
"""

pytestmark = pytest.mark.real


def without_one_message(page: str) -> str:
    """Return the index without its last reply."""
    lines = page.splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if line.startswith("<li>") and line.endswith("</li>\n"))
    return "".join(lines[:last] + lines[last + 1 :])


def of_another_state(_: str) -> str:
    """Return the index as it is with other messages."""
    return (data_set(environment_here(), HOME.known_datasets(), ANOTHER) / "board.html").read_text()


def of_an_error(_: str) -> str:
    """Return what a forum may say, with status 200, when its database is gone."""
    return "<!DOCTYPE html>\n<title>Error</title>\n<p>The database cannot be reached.</p>\n"


WRONG = (without_one_message, of_another_state, of_an_error)


def lying(folder: Path, page: str, *, always: bool) -> tuple[Home, str]:
    """Return a home with a board that gives this page, and a study of one run of it."""
    if not Path("/usr/bin/python3").exists():
        pytest.skip("not installed: python3")
    home = home_with(folder, "liar", LIAR.format(always=', "always"' if always else ""))
    shutil.copy(Path(__file__).parent / "liar.py", home.subjects / "liar" / "liar.py")
    (home.subjects / "liar" / "wrong.html").write_text(page)
    (pair,) = [each for each in pairs(home) if (each.subject.name, each.workload.name) == ("liar", "board-index")]
    return home, study_text(pair)


def right_index() -> str:
    return (data_set(environment_here(), HOME.known_datasets(), FORUM) / "board.html").read_text()


@pytest.mark.parametrize("wrong", WRONG, ids=lambda each: each.__name__)
def test_a_board_with_a_wrong_index_is_not_measured(wrong: Callable[[str], str], tmp_path: Path) -> None:
    home, text = lying(tmp_path, wrong(right_index()), always=True)

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "failed"
    assert re.search(r"/board gave another body than board\.html", recorded.run.reasons[0])
    assert recorded.records == ()
    assert left_by_us() == nothing()


@pytest.mark.parametrize("wrong", WRONG, ids=lambda each: each.__name__)
def test_a_wrong_index_under_load_makes_the_run_invalid(wrong: Callable[[str], str], tmp_path: Path) -> None:
    home, text = lying(tmp_path, wrong(right_index()), always=False)

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "invalid"
    assert any(each.startswith("wrong-answer") for each in recorded.run.reasons), recorded.run.reasons
    assert left_by_us() == nothing()


@pytest.mark.parametrize("database", DATABASES, ids=lambda each: each.name)
def test_a_database_is_prepared_serves_stops_in_time_and_leaves_nothing(database: Subject) -> None:
    need(database)

    with served(Alone(database, "sql/forum-v1", FORUM), datasets=HOME.known_datasets()) as found:
        reach = found.system.servers[-1].reach()

    assert "protocol" in reach
    assert found.stopped == {"subject": True}
    assert left_by_us() == nothing()


@pytest.mark.parametrize("database", DATABASES, ids=lambda each: each.name)
def test_a_database_that_lost_a_row_is_refused(database: Subject, tmp_path: Path) -> None:
    need(database)
    datasets = tmp_path / "datasets"
    shutil.copytree(HOME.datasets / FORUM.set, datasets / FORUM.set)
    generator = datasets / FORUM.set / "generate.py"
    whole = "    DataSet(out, scale=scale, seed=seed).write()\n"
    lossy = '    article = out / "article.tsv"\n    article.write_bytes(article.read_bytes().split(b"\\n", 1)[1])\n'
    text = generator.read_text()
    assert whole in text
    generator.write_text(text.replace(whole, whole + lossy))

    with (
        pytest.raises(SubjectError, match="does not hold the data set") as caught,
        served(Alone(database, "sql/forum-v1", FORUM), datasets={FORUM.set: datasets / FORUM.set}),
    ):
        pass

    assert "'article" in caught.value.why
    assert left_by_us() == nothing()
