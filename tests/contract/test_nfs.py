"""NFS over a link, for real: a spoiled byte is refused, and a server that is killed in mid-run is named."""

import shutil
from pathlib import Path

import pytest

from headtohead.model.record import Recorded
from tests.contract.bench import need, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_with
from tests.contract.leftovers import left_by_us, nothing
from tests.contract.mishaps import killing

PAIR = {str(each): each for each in pairs(HOME)}["nfs-ganesha under nfs-stream"]
OWN = HOME.subjects / "nfs-ganesha"
LINKED = 'link = ["100mbit"]\n'

pytestmark = pytest.mark.real


def recorded_with(
    tmp_path: Path, *, load: str, link: str = "", client: tuple[str, str] = ("", ""), serve: tuple[str, str] = ("", "")
) -> Recorded:
    """Make a run of the subject with a text of its subject.toml, and one of serve.sh, replaced by others."""
    need(PAIR.subject)
    text = (OWN / "subject.toml").read_text().replace('"nfs-ganesha"\n', '"changed"\n', 1)
    home = home_with(tmp_path, "changed", text.replace(*client))
    shutil.copytree(OWN, home.subjects / "changed", dirs_exist_ok=True)
    (home.subjects / "changed" / "subject.toml").write_text(text.replace(*client))
    program = (OWN / "serve.sh").read_text()
    assert serve[0] in program
    (home.subjects / "changed" / "serve.sh").write_text(program.replace(*serve))
    asked = study_text(PAIR).replace('name = "nfs-ganesha"', 'name = "changed"').partition("[experiment.load]\n")[0]
    return one_run(question(f"{asked}{link}[experiment.load]\n{load}", tmp_path, home=home), tmp_path)


def test_a_byte_spoiled_behind_the_server_s_back_is_a_wrong_answer(tmp_path: Path) -> None:
    spoils = ('"--whole-every", "@whole_every@"', '"--whole-every", "1", "--spoil", "1000001"')
    load = 'operation = ["read"]\nprocesses = [1]\nsize_mib = 4\n'

    recorded = recorded_with(tmp_path, load=load, client=spoils)

    assert recorded.run.status == "invalid"
    assert any("holds other bytes from 999424 on" in each for each in recorded.run.reasons)
    assert left_by_us() == nothing()


def test_a_server_that_is_killed_in_mid_run_fails_the_run_which_says_so(tmp_path: Path) -> None:
    load = 'operation = ["read"]\nprocesses = [2]\nsize_mib = 64\n'  # about 11 s at this rate

    with killing("subject", once="walk-1") as killed:
        recorded = recorded_with(tmp_path, load=load, link=LINKED)

    assert killed
    assert recorded.run.status == "failed"
    assert "changed ended" in recorded.run.reasons[0]
    assert "KILL" in recorded.run.reasons[0]
    assert left_by_us() == nothing()
