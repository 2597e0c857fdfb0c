"""`--reference DIR`, and the reference machine that comes with the package."""

import json
import re
import shutil
import tomllib
from dataclasses import asdict, replace
from pathlib import Path

import jsonschema
import pytest

from headtohead.cli.commands.results.report import render
from headtohead.cli.reference_machine import ask_comparable, reference_machine
from headtohead.cli.wiring import read_question
from headtohead.describe.home import Home, find_home
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import BatchRecord
from headtohead.store import write
from headtohead.store.layout import Layout
from tests.analyze.building import plan
from tests.analyze.suites import CPU, Rates, scaled, suiting, swept
from tests.analyze.test_suite_mean import FACTORS, RATES
from tests.honest import honest, in_order
from tests.sealing import seal_again
from tests.small import experiment

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

ROOT = Path(__file__).parents[2]
HERE = {"gcc": RATES, "clang": scaled(RATES, FACTORS)}
THERE = {"gcc": scaled(RATES, 0.5), "clang": RATES}


def folder(root: Path, rates: Rates = HERE, *, of: PlannedExperiment | None = None) -> Path:
    """Write a results folder of the experiment over kernels."""
    layout, chosen = Layout(root), of or suiting()
    study, made = honest(plan(chosen))
    write.begin(layout, study=study, plan=made, hosts=(CPU,))
    for each in in_order(made, swept(chosen, rates)):
        told = [
            {"format": 1, "record": "batch", **asdict(r), "case": dict(r.case)}
            for r in each.records
            if isinstance(r, BatchRecord)
        ]
        lines = "".join(f"{json.dumps(record)}\n" for record in told).encode()
        write.run(layout, each.run, files={"records.jsonl": lines}, partial=layout.runs / f".{each.run.run}")
    write.end(layout, {chosen.name: "decided"})
    return root


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a reference machine that holds three files, as the one that ships."""
    root = folder(tmp_path_factory.mktemp("recorded") / "2025-03-01-reference-machine", THERE)
    render(root)
    for path in root.iterdir():
        if path.name not in ("plan.json", "hosts.json", "measurements.csv"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return root


@pytest.fixture
def at_home(old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return that folder as the one that comes with the package."""
    (tmp_path / "home" / "reference" / "recorded").mkdir(parents=True)
    shipped = shutil.copytree(old, tmp_path / "home" / "reference" / "recorded" / old.name)
    monkeypatch.setattr("headtohead.cli.reference_machine.find_home", lambda: Home(tmp_path / "home"))
    return shipped


def test_a_named_folder_is_the_yardstick_and_stands_in_every_file(old: Path, tmp_path: Path) -> None:
    results = folder(tmp_path / "2026-11-20-kernels")
    analysis = render(results, old)[1]
    assert [each.reference for each in analysis.experiments[0].suites] == [False, True, True]
    document = json.loads((results / "analysis.json").read_text())
    jsonschema.validate(document, json.loads((ROOT / "schemas" / "analysis.json").read_text()))
    told = document["experiments"][0]["yardstick"]["reference"]
    assert told["name"] == "2025-03-01-reference-machine"
    assert len(told["measurements_sha256"]) == 64
    for name in ("report.html", "report.md"):
        text = (results / name).read_text()
        assert "2025-03-01-reference-machine" in text
        assert told["measurements_sha256"] in text


def test_the_same_files_and_the_same_reference_give_the_same_bytes(old: Path, tmp_path: Path) -> None:
    results = folder(tmp_path / "2026-11-20-kernels")
    render(results, old)
    before = {name: (results / name).read_bytes() for name in ("analysis.json", "measurements.csv", "report.html")}
    render(results, old)
    assert {name: (results / name).read_bytes() for name in before} == before


def test_the_one_that_comes_with_the_package_is_the_default(at_home: Path, tmp_path: Path) -> None:
    analysis = render(folder(tmp_path / "2026-11-20-kernels"))[1]
    yardstick = analysis.experiments[0].yardstick
    assert yardstick is not None
    assert yardstick.reference.name == at_home.name


def test_the_default_is_no_yardstick_for_itself(at_home: Path) -> None:
    assert reference_machine(None, results=at_home) is None
    assert reference_machine(None, results=at_home.parent) is not None


def test_where_none_comes_with_the_package_none_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headtohead.cli.reference_machine.find_home", lambda: Home(tmp_path))
    assert reference_machine(None) is None


def test_a_default_that_cannot_be_compared_is_a_note_and_a_named_one_an_error(at_home: Path, tmp_path: Path) -> None:
    results = folder(tmp_path / "2026-11-20-kernels", of=suiting(workload_version=2))
    (note,) = render(results)[1].experiments[0].notes
    assert "workload version: 1 there, 2 here" in note
    with pytest.raises(WordsError, match="--reference") as error:
        render(results, at_home)
    assert error.value.exit_code == 2
    assert error.value.why == ("For kernels, it measured kernel-sweep otherwise (workload version: 1 there, 2 here).")


def test_a_named_folder_is_refused_for_a_study_without_kernels(old: Path) -> None:
    with pytest.raises(WordsError, match="no geometric mean over eight or more"):
        ask_comparable(old, plan(experiment("a")))
    ask_comparable(None, plan(experiment("a")))


def test_a_machine_whose_noise_was_tolerated_is_no_reference(tmp_path: Path) -> None:
    of = replace(suiting(), tolerates_noise=True)
    there = folder(tmp_path / "there", of=of)
    render(there, None)
    with pytest.raises(RecordError, match="decides nothing"):
        reference_machine(there)


def test_a_named_folder_that_holds_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be a reference machine"):
        reference_machine(tmp_path)


def test_the_reference_machine_that_ships_is_in_the_package_and_can_be_read() -> None:
    ours = find_home().reference_machine
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    included = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    shipped = {each: to for each, to in included.items() if each.startswith("reference/recorded/")}
    path = str(ours.relative_to(ROOT)) if ours else ""
    assert shipped == ({path: f"headtohead/share/{path}"} if ours else {})
    if ours:
        assert reference_machine(None) is not None


def test_the_reference_machine_that_ships_measured_what_its_study_still_measures() -> None:
    """A comment changed in a workload or in the data set "corpus" is another hash, and no comparison is left."""
    ours = reference_machine(None)
    assert ours is not None
    question = read_question(Path("processor-and-memory"))
    now = {each.name: question.same_test_of(each) for each in question.study.experiments}

    assert {each.name: each.same_test for each in ours.plan.experiments} == now


def test_a_named_folder_whose_table_is_not_what_its_runs_give_is_refused(tmp_path: Path) -> None:
    named = folder(tmp_path / "2025-03-01-reference-machine", THERE)
    render(named)
    assert reference_machine(named) is not None
    table = named / "measurements.csv"
    table.write_text(re.sub(r",(\d)(\d*)\.(\d+)$", r",1\1\2.\3", table.read_text(), flags=re.MULTILINE))
    seal_again(named)
    with pytest.raises(RecordError) as refused:
        reference_machine(named)
    assert "not as it was recorded" in refused.value.what
    assert "measurements.csv is not what the runs give" in refused.value.why
