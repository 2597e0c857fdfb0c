"""Twenty answers of every http subject, of each of its interfaces; and one spoiled, which is refused."""

import csv
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.subject import subjects
from headtohead.describe.workload import workloads
from headtohead.execute.pages.read_url_set import HEADER
from headtohead.execute.response_checks.pages import wrong_pages
from headtohead.model.study.workload import DataSet, Expect, Load, Request, Workload
from tests.contract.alone import Alone, served
from tests.contract.bench import SMALL, choices, need, pairs, question, study_text
from tests.contract.homes import HOME
from tests.contract.leftovers import left_by_us, nothing
from tests.contract.own import write_own_interface
from tests.execute.laboratory import TWO_CPUS

ASKED = 20
SET = "asked.csv"


def servers(home: Home) -> list[Alone]:
    """Return every http subject of a home at each of its interfaces, over each of what it may need."""
    found: list[Alone] = []
    there, data = subjects.read_all(home), data_of(home)
    for subject in there.values():
        for asks in (each for each in subject.serves if each.startswith("http/") and each in data):
            for levels in choices(subject):
                needed = {factor: there[level] for factor, level in levels.items() if level in there}
                found.append(Alone(subject, asks, data[asks], needed, levels))
    return found


def data_of(home: Home) -> dict[str, DataSet]:
    """Return the data of each interface, as its workloads have them: a new interface needs no line here."""
    asked = workloads.read_all(home, catalog.read_metrics(home)).values()
    return {each.asks: SMALL.get(each.data.set, each.data) for each in asked if each.data is not None}


def name_of(alone: Alone) -> str:
    over = "".join(f" over {level}" for level in alone.levels.values())
    return f"{alone.subject.name}{over} at {alone.asks}"


EVERY = servers(HOME)


@pytest.mark.parametrize("data", [True, False], ids=["with pages", "without"])
def test_an_interface_of_one_s_own_is_tested_like_ours_and_changes_no_other_test(tmp_path: Path, *, data: bool) -> None:
    interface = write_own_interface(tmp_path, "mine", data=data)
    home = HOME.with_own([tmp_path])
    ours = [str(each) for each in pairs(HOME)]

    found, paired = servers(home), pairs(home)

    (mine,) = [each for each in paired if str(each) not in ours]
    assert [str(each) for each in paired if each is not mine] == ours
    assert [each for each in found if each.asks != interface] == EVERY
    asked = [(each.subject.name, each.data) for each in found if each.asks == interface]
    assert asked == ([("mine", DataSet("pages", 1, 1, "kept"))] if data else [])
    planned = question(study_text(mine), tmp_path, home=home).plan(TWO_CPUS)
    assert [each.subject for each in planned.experiments[0].treatments] == ["mine"]


@pytest.mark.real
@pytest.mark.parametrize("alone", EVERY, ids=name_of)
def test_it_gives_twenty_right_answers_and_a_spoiled_one_is_refused(alone: Alone, tmp_path: Path) -> None:
    need(alone.subject, *alone.needed.values())

    with served(alone, datasets=HOME.known_datasets()) as found:
        site, twenty = found.site, asked_of(found.dataset, tmp_path)
        right = wrong_pages(site, workload(alone), data=tmp_path)
        compressed = wrong_pages(site, workload(alone), data=tmp_path, gzip=True)
        refused = []
        for path in (twenty[0], twenty[-1]):
            spoil(tmp_path, path)
            refused += [path, *wrong_pages(site, workload(alone), data=tmp_path)]
            asked_of(found.dataset, tmp_path)

    assert len(set(twenty)) == ASKED
    assert right == compressed == []
    first, last = twenty[0], twenty[-1]
    told = "gave another body than asked.csv has the checksum of"
    assert refused == [first, f"{first} {told}", last, f"{last} {told}"]
    assert found.stopped
    assert all(found.stopped.values())
    assert not listens(site.url)
    assert left_by_us() == nothing()


def workload(alone: Alone) -> Workload:
    """Return a workload that asks for the pages of the set."""
    request = Request("page", 1, Expect(200, sample=1.0), urls=SET)
    return Workload("w", 1, "W", alone.asks, ".", alone.data, {}, Load("closed", {}, {}), (request,), None, ())


def asked_of(dataset: Path, folder: Path) -> list[str]:
    """Write a URL set of 20 pages of a data set, with the answers that it states itself; return their paths."""
    answers = list(csv.DictReader((dataset / "answers.csv").read_text().splitlines()))
    pages = [each for each in answers if each["key"].startswith("/") or (dataset / each["key"]).suffix == ".html"]
    listed = [(f"/{each['key'].lstrip('/')}", each["length_bytes"], each["sha256"]) for each in pages[:ASKED]]
    write(folder / SET, listed)
    return [path for path, _, _ in listed]


def spoil(folder: Path, path: str) -> None:
    """Let the set say another checksum of one page."""
    _, *lines = csv.reader((folder / SET).read_text().splitlines())
    write(folder / SET, [(each, length, "0" * 64 if each == path else told) for each, length, told in lines])


def write(file: Path, lines: list[tuple[str, str, str]]) -> None:
    with file.open("w", newline="") as text:
        csv.writer(text, lineterminator="\n").writerows([HEADER, *lines])


def listens(url: str) -> bool:
    with socket.socket() as asker:
        return asker.connect_ex(("127.0.0.1", urlsplit(url).port or 0)) == 0
