"""Results whose numbers were spoiled and whose sums fit: each folder has its report, or is refused in words."""

from pathlib import Path

import pytest

from benches.make_runs import Asked, make
from headtohead.cli.commands.results.report import render
from headtohead.model.errors import HeadToHeadError
from tests.sealing import seal_again
from tests.spoiling import numbers_spoiled, spoilings

TIMES = 3
RUN = "runs/0003"


@pytest.mark.parametrize("name", [f"{RUN}/run.json", f"{RUN}/records.jsonl", f"{RUN}/readings.csv", "hosts.json"])
def test_a_folder_with_spoiled_numbers_has_its_report_or_is_refused_in_words(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "results"
    make(folder, Asked(28, 2))
    held: list[bool] = []
    for text in spoilings(f"Report, {name}", (folder / name).read_text(), times=TIMES, spoil=numbers_spoiled):
        (folder / name).write_text(text)
        seal_again(folder)
        try:
            render(folder)
        except HeadToHeadError as error:
            held.append(all((error.what, error.why, error.remedy)))
        else:
            held.append((folder / "report.html").stat().st_size > 0)
    assert held
    assert all(held)
