"""`headtohead test-content`, for real: what `headtohead new` writes passes, and a workload that lies fails."""

from pathlib import Path

import pytest

from headtohead.cli.commands.contract import trials_of
from headtohead.describe import catalog
from headtohead.describe.home import Home
from headtohead.describe.race.content import write_files
from headtohead.describe.skeletons import skeleton
from headtohead.describe.subject.subjects import read_subject
from headtohead.describe.workload.workloads import read_workload
from tests.contract.homes import HOME

pytestmark = pytest.mark.real


SLOW = """
    def send_head(self):
        time.sleep(0.7)
        return super().send_head()
"""
"""What makes each response of the new server 0.7 s late: the short run ends before one has come."""


def lines(
    folder: Path, *, expect: str = "status = 200", wrong_server: bool = True, slow: bool = False
) -> list[tuple[str, str]]:
    """Return what the tests of a new subject under a new workload find."""
    write_files(skeleton("subject", "mine"), folder)
    write_files(skeleton("workload", "mine"), folder)
    server = folder / "subjects" / "mine" / "server.py"
    if slow:
        text = server.read_text().replace("import sys\n", "import sys\nimport time\n")
        server.write_text(text.replace("\n\n\nThreading", f"\n{SLOW}\n\nThreading"))
    workload = folder / "workloads" / "mine" / "workload.toml"
    workload.write_text(workload.read_text().replace("status = 200", expect))
    home: Home = HOME.with_own([folder])
    subject = read_subject(folder / "subjects" / "mine", home=home)
    asked = read_workload(workload.parent, catalog.read_metrics(home), home=home)
    return list(trials_of(subject, asked, home, wrong_server=wrong_server))


def test_what_new_writes_passes_and_what_is_wrong_is_refused(tmp_path: Path) -> None:
    assert lines(tmp_path) == [
        ("mine under mine: starts, gives correct responses, stops, leaves nothing", ""),
        ("mine under mine: wrong content is refused", ""),
        ("mine: a wrong server is refused", ""),
    ]


def test_a_workload_that_expects_another_length_fails(tmp_path: Path) -> None:
    ((name, wrong),) = lines(tmp_path, expect="status = 200, length_bytes = 1")

    assert "starts" in name
    assert "answers wrongly" in wrong


def test_a_service_that_takes_longer_than_a_short_run_is_measured_for_longer(tmp_path: Path) -> None:
    found = lines(tmp_path, slow=True, wrong_server=False)

    assert found[0] == ("mine under mine: starts, gives correct responses, stops, leaves nothing", "")
