"""The smoke study from the command line: every room is used once, for real."""

import json
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

from headtohead.hosts.machine_lock import measuring_alone
from headtohead.hosts.paths import cache_dir
from headtohead.model.case import Case
from headtohead.store.run.response_times import case_times
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.command import cold

SCHEMAS = Path(__file__).parents[2] / "schemas"

EITHER = (0, 1)
"""1 where the machine was so restless that an arm has no valid run, which is no fault of the command."""

pytestmark = [pytest.mark.real, pytest.mark.alone]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("place")
    with measuring_alone(waiting=print):  # `--wait` would also wait for quiet
        pass
    done = cold("run", "smoke", cwd=place)
    assert done.returncode in EITHER, done.stderr
    assert "No verdict on B against A" in done.stdout
    assert "No verdict on B against A" in done.stderr, "the verdict is printed when its experiment ends"
    (found,) = (place / "results").iterdir()
    assert f"Report: results/{found.name}/report.html" in done.stdout
    return found


def test_the_folder_is_complete_and_honors_its_schemas(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    files = {"study.toml", "plan.json", "hosts.json", "end.json", "measurements.csv", "analysis.json", "seal.json"}
    if (cache_dir() / "noise.json").is_file():
        files.add("noise.json")
    assert names == files | {"runs", "report.html", "report.md"}

    for name in ("plan", "hosts", "analysis"):
        schema = json.loads((SCHEMAS / f"{name}.json").read_text())
        jsonschema.validate(json.loads((folder / f"{name}.json").read_text()), schema)
    for run in (folder / "runs").iterdir():
        schema = json.loads((SCHEMAS / "run.json").read_text())
        jsonschema.validate(json.loads((run / "run.json").read_text()), schema)
        record = json.loads((SCHEMAS / "record.json").read_text())
        for line in (run / "records.jsonl").read_text().splitlines():
            jsonschema.validate(json.loads(line), record)
        assert {"times.hlog", "readings.csv", "logs"} <= {path.name for path in run.iterdir()}


def test_the_log_of_each_run_has_the_quantiles_that_its_records_have(folder: Path) -> None:
    seen = 0
    for run in (folder / "runs").iterdir():
        found = {each.case.text: each for each in case_times((run / "times.hlog").read_text())}
        for line in (run / "records.jsonl").read_text().splitlines():
            record = json.loads(line)
            times = found[Case(record["case"]).text]
            assert times.responses == record["sent"]
            assert dict(times.beyond)[0.5] == record["response_time_p50_ns"]
            seen += 1
    assert seen > 0


def test_two_blocks_are_too_few_for_a_verdict_and_it_says_so(folder: Path) -> None:
    analysis = json.loads((folder / "analysis.json").read_text())
    (comparison,) = analysis["experiments"][0]["comparisons"]

    assert comparison["verdict"] == "inconclusive"
    assert analysis["complete"] is True


class Links(HTMLParser):
    """Collects what a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") and not (value or "").startswith("#"):
                self.loads.append(f"{tag} {value}")


def test_the_report_loads_nothing_from_anywhere(folder: Path) -> None:
    page = Links()
    page.feed((folder / "report.html").read_text())

    assert page.loads == []


def test_nothing_is_left_behind(folder: Path) -> None:
    assert folder.is_dir()
    assert left_behind() == nothing()
