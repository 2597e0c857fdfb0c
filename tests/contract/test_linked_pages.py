"""Pages over a link between two networks, for real: what the link carries, and a wrong page that is refused there."""

from pathlib import Path

import pytest

from headtohead.describe.home import Home
from headtohead.model.machine.link import CEILING
from headtohead.model.record import LoadRecord, Recorded
from tests.contract.bench import need, need_link, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_with
from tests.contract.leftovers import left_by_us, nothing

PAIRS = {str(each): each for each in pairs(HOME)}
MBIT = 20
"""So slow that the busiest machine fills the link."""

pytestmark = pytest.mark.real


@pytest.fixture(autouse=True)
def linkable() -> None:
    need_link()


def over_a_link(folder: Path, of: str, *, home: Home | None = None, subject: str = "") -> Recorded:
    """Return one run of a pair over a shaped link, on one CPU that driver and server share."""
    pair = PAIRS[of]
    need(*pair.subjects)
    text = study_text(pair).replace("looks = [1]", "looks = [1]\nshare_driver = true")
    text = text.replace("cpus = [1]", f'cpus = [1]\nlink = ["{MBIT}mbit"]').replace("connections = [2]", "")
    text = text.replace(f'name = "{pair.subject.name}"', f'name = "{subject or pair.subject.name}"')
    text = text.replace("measure_s = 0.3", "measure_s = 1\nconnections = [4]")
    return one_run(question(text, folder, home=home), folder)


@pytest.mark.parametrize("of", ["apache-httpd under static-page-tls", "java-forum over mariadb under article"])
def test_pages_cross_the_link_and_nothing_else_does(of: str, tmp_path: Path) -> None:
    found = over_a_link(tmp_path, of)

    assert found.run.status == "valid", found.run.reasons
    told = {"network": "own", "driver_network": "own", "link_rate_mbit": MBIT}
    assert {name: found.run.read_back[name] for name in told} == told
    assert any(isinstance(each, LoadRecord) and each.right > 0 for each in found.records)
    assert found.readings is not None
    column = found.readings.columns.index("link_sent_bytes")
    carried = [row[column] or 0.0 for row in found.readings.rows]
    assert carried[-1] - carried[0] > 10_000
    assert left_by_us() == nothing()


@pytest.mark.alone  # beside other tests its one CPU may carry less than the link does
def test_the_link_is_filled_to_its_ceiling(tmp_path: Path) -> None:
    found = over_a_link(tmp_path, "noop under static-page")

    (record,) = found.records
    assert isinstance(record, LoadRecord)
    bits_per_s = 8 * (record.values["received_bytes_per_s"] or 0.0)
    assert 0.9 * CEILING < bits_per_s / (MBIT * 1e6) <= 1.02 * CEILING


def test_a_wrong_page_is_refused_over_the_link(tmp_path: Path) -> None:
    text = (HOME.subjects / "noop" / "subject.toml").read_text()
    lying = text.replace('"noop"', '"lying"').replace('"--directory", "@data@"', '"--body", "@data@/answers.csv"')
    home = home_with(tmp_path, "lying", lying)

    found = over_a_link(tmp_path, "noop under static-page", home=home, subject="lying")

    assert found.run.status == "failed"
    assert "answers wrongly" in found.run.reasons[0]
    assert "wrong-length" in found.run.reasons[0]
