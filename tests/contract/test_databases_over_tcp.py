"""Databases that are requested over TCP, for real: with their password, on the loopback and over a link."""

from pathlib import Path

import pytest

from headtohead.model.record import LoadRecord
from tests.contract.bench import need, need_link, one_run, pairs, question, study_text
from tests.contract.homes import HOME
from tests.contract.leftovers import left_by_us, nothing

PAIRS = {str(each): each for each in pairs(HOME)}

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    ("of", "factor", "network"),
    [
        ("mariadb under forum-read", 'link = ["100mbit"]', "own"),
        ("postgresql under forum-read", 'reach = ["tcp"]', None),
    ],
)
def test_a_database_lets_the_driver_in_by_its_password(
    of: str, factor: str, network: str | None, tmp_path: Path
) -> None:
    pair = PAIRS[of]
    need(*pair.subjects)
    if network:
        need_link()
    text = study_text(pair).replace("looks = [1]", "looks = [1]\nshare_driver = true")
    text = text.replace("cpus = [1]", f"cpus = [1]\n{factor}").replace("measure_s = 0.3", "measure_s = 1.5")

    found = one_run(question(text, tmp_path), tmp_path)

    assert found.run.status == "valid", found.run.reasons
    assert found.run.read_back.get("driver_network") == network
    assert all(isinstance(each, LoadRecord) and each.right > 0 for each in found.records)
    assert found.readings is not None
    column = found.readings.columns.index("link_sent_bytes" if network else "loopback_bytes")
    carried = [row[column] or 0.0 for row in found.readings.rows]
    assert carried[-1] - carried[0] > 10_000
    assert left_by_us() == nothing()
