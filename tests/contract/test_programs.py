"""A chess program that lies and a data set with spoiled answers are refused by the harness itself."""

import shutil
from pathlib import Path

import pytest

from tests.contract.bench import need, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_changed, home_with
from tests.contract.leftovers import left_by_us, nothing

PAIRS = {str(each): each for each in pairs(HOME)}
LYING = HOME.root / "tests" / "subjects" / "lying_engine.py"
SPOIL = """path = out / "answers.csv"
lines = path.read_text().splitlines(keepends=True)
path.write_text("".join(line[:-2] + ("f" if line[-2] == "e" else "e") + line[-1] for line in lines[1:]))
path.write_text(lines[0] + path.read_text())"""

pytestmark = pytest.mark.real


def test_a_chess_program_that_lies_is_refused(tmp_path: Path) -> None:
    pair = PAIRS["stockfish under chess-search"]
    need(pair.subject)
    text = (HOME.subjects / "stockfish" / "subject.toml").read_text()
    lying = text.replace('"stockfish"\n', '"lying-engine"\n').replace(
        '["/usr/games/stockfish", "quit"]', '["echo", "1"]'
    )
    lying = lying.replace('"/usr/games/stockfish"', '"@source@/engine"')
    home = home_with(tmp_path, "lying-engine", lying)
    shutil.copytree(HOME.subjects / "stockfish", home.subjects / "lying-engine", dirs_exist_ok=True)
    (home.subjects / "lying-engine" / "subject.toml").write_text(lying)
    engine = home.subjects / "lying-engine" / "engine"
    engine.write_text(LYING.read_text().replace('HOW = "honest"', 'HOW = "illegal"'))
    engine.chmod(0o755)
    asked = study_text(pair).replace('name = "stockfish"', 'name = "lying-engine"')

    recorded = one_run(question(asked, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "invalid"
    assert any("a1a1 is no legal move" in each for each in recorded.run.reasons)
    assert left_by_us() == nothing()


def test_programs_whose_answers_are_spoiled_are_refused(tmp_path: Path) -> None:
    pair = PAIRS["programs under program-sweep"]
    need(pair.subject)
    home = home_changed(tmp_path, "corpus", SPOIL)
    asked = study_text(pair).replace("[experiment.load]\n", '[experiment.load]\nprogram = ["gawk", "xz"]\n')

    recorded = one_run(question(asked, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "invalid"
    for name in ("gawk", "xz"):
        assert any(name in each and "other bytes" in each for each in recorded.run.reasons)
    assert left_by_us() == nothing()
