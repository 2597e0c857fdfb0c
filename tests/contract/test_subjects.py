"""Every subject under every workload that it honors, found by itself, for real; and wrong ones, refused."""

import csv
import shutil
import socket
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from headtohead.cli.run import ground_here
from headtohead.describe.home import Home, find_home
from headtohead.execute.pages import get, wrong_pages
from headtohead.execute.prepare import data_set
from headtohead.execute.server import Server
from headtohead.hosts import packages
from headtohead.hosts.answers import Limits
from headtohead.hosts.local import LocalHost
from headtohead.model.subject import Subject
from headtohead.model.workload import DataSet, Expect, Request, Workload
from tests.contract.bench import left_behind, nothing, one_run, own_faults, pairs, question, study_text

HOME = find_home()
PAIRS = list(pairs(HOME))
NAMES = [f"{subject.name} under {workload.name}" for subject, workload in PAIRS]
ASKED = 20
PORT = 18_080

pytestmark = pytest.mark.real


def need(subject: Subject) -> None:
    missing = packages.missing(subject, host=LocalHost())
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


def test_every_folder_is_found_with_a_partner() -> None:
    folders = {path.parent.name for path in HOME.subjects.glob("*/subject.toml")}
    works = {path.parent.name for path in HOME.workloads.glob("*/workload.toml")}

    assert {subject.name for subject, _ in PAIRS} == folders
    assert {workload.name for _, workload in PAIRS} == works


@pytest.mark.parametrize("folder", sorted([*HOME.subjects.iterdir(), *HOME.workloads.iterdir()]), ids=lambda p: p.name)
def test_its_readme_says_what_it_stresses_what_it_does_not_and_what_could_fool(folder: Path) -> None:
    text = (folder / "README.md").read_text()

    for heading in ("What it stresses", "What it does not", "What could fool you"):
        assert f"## {heading}" in text


@pytest.mark.parametrize(("subject", "workload"), PAIRS, ids=NAMES)
def test_it_starts_answers_rightly_stops_in_time_and_leaves_nothing(
    subject: Subject, workload: Workload, tmp_path: Path
) -> None:
    need(subject)

    recorded = one_run(question(study_text(subject, workload), tmp_path), tmp_path)

    assert own_faults(recorded) == []
    assert recorded.run.status in ("valid", "invalid")
    assert len(recorded.records) == len({str(each.case) for each in recorded.records}) > 0
    assert recorded.run.usage.get("stopped_in_time", 1.0) == 1.0
    assert recorded.run.read_back["cpus"] == (0,)
    assert left_behind() == nothing()


@pytest.mark.parametrize(
    ("subject", "workload"),
    [pair for pair in PAIRS if pair[1].asks == "http/static-v1"],
    ids=lambda each: each.name,
)
def test_it_gives_twenty_right_answers_and_a_spoiled_one_is_refused(
    subject: Subject, workload: Workload, tmp_path: Path
) -> None:
    need(subject)
    ground = ground_here()
    pages = data_set(ground, HOME.datasets, DataSet("pages", 1, 1, "kept"))
    spoiled = shutil.copytree(pages, tmp_path / "spoiled")
    twenty = replace(workload, requests=asked_of(pages))
    last = twenty.requests[-1].expect.body or ""
    (spoiled / last).write_bytes(b"#" + (pages / last).read_bytes()[1:])
    assert len(twenty.requests) == ASKED
    assert subject.start is not None

    with ground.stand() as stand:
        for group in ("subject", "driver"):
            stand.supervisor.group(group, Limits())
        settings = {name: factor.default for name, factor in subject.factors.items()}
        words = {**settings, "run": str(stand.run_dir), "data": str(pages), "port": PORT, "cpus": 1}
        server = Server(subject, subject.start, stand, words)
        server.start()
        right = wrong_pages(get, server.url(), twenty, data=pages)
        refused = wrong_pages(get, server.url(), twenty, data=spoiled)
        stopped = server.stop()

    assert right == []
    assert refused == [f"/{last} gave another body than {last}"]
    assert stopped
    assert not listens(server.url())


def asked_of(pages: Path) -> tuple[Request, ...]:
    """Return requests for the first pages of a data set, with the answers that it states itself."""
    answers = list(csv.DictReader((pages / "answers.csv").read_text().splitlines()))[:ASKED]
    return tuple(
        Request(each["key"], 1, f"/{each['key']}", Expect(200, int(each["length_bytes"]), each["key"], 1.0))
        for each in answers
    )


def listens(url: str) -> bool:
    with socket.socket() as asker:
        return asker.connect_ex(("127.0.0.1", urlsplit(url).port or 0)) == 0


def home_with(tmp_path: Path, name: str, subject_toml: str) -> Home:
    """Return the content with one subject more."""
    root = tmp_path / "home"
    root.mkdir()
    for folder in ("workloads", "datasets", "studies", "schemas"):
        (root / folder).symlink_to(HOME.root / folder)
    shutil.copytree(HOME.subjects, root / "subjects")
    (root / "subjects" / name).mkdir()
    (root / "subjects" / name / "subject.toml").write_text(subject_toml)
    return Home(root)


WRONG_PAGE = """format = 1
name = "wrong-page"
title = "A server whose page is another"
serves = ["http/static-v1"]

[start]
files = { "page.in" = "article.html" }
argv = ["h2h-load", "respond", "--port", "@port@", "--directory", "@run@"]
ready = { http = "http://127.0.0.1:@port@/article.html" }
within_s = 10

[reach]
url = "http://127.0.0.1:@port@"
"""

WRONG_ANSWER = """format = 1
name = "wrong-answer"
title = "A program that answers wrongly"
serves = ["batch/witness-v1"]

[batch]
argv = ["cat", "@build@/said"]

[build]
argv = ["cp", "@source@/said", "@build@/said"]
"""

NEVER_READY = WRONG_PAGE.replace("wrong-page", "never-ready").replace(
    '--directory", "@run@"', '--directory", "/nowhere"'
)


def test_a_server_with_a_wrong_page_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, "wrong-page", WRONG_PAGE)
    (home.subjects / "wrong-page" / "page.in").write_text("x" * 19_251)
    text = next(study_text(s, w) for s, w in PAIRS if s.name == "noop").replace('"noop"', '"wrong-page"')

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "failed"
    assert "another body than article.html" in recorded.run.reasons[0]
    assert left_behind() == nothing()


def test_a_server_that_never_becomes_ready_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, "never-ready", NEVER_READY)
    (home.subjects / "never-ready" / "page.in").write_text("x")
    text = next(study_text(s, w) for s, w in PAIRS if s.name == "noop").replace('"noop"', '"never-ready"')

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "failed"
    assert "did not become ready" in recorded.run.reasons[0]
    assert left_behind() == nothing()


def test_a_batch_program_with_a_wrong_answer_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, "wrong-answer", WRONG_ANSWER)
    said = '{"format": 1, "record": "batch", "case": {}, "work": 1, "work_in": "cpu-seconds", "elapsed_ns": 1000000, '
    (home.subjects / "wrong-answer" / "said").write_text(said + '"answer": "drifting", "metrics": {}}\n')
    text = next(study_text(s, w) for s, w in PAIRS if s.name == "witness").replace('["witness"]', '["wrong-answer"]')

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "invalid"
    assert any("drifting" in each for each in recorded.run.reasons)
