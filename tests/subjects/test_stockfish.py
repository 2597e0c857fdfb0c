"""Positions hold against rules of chess of our own, and what an engine says of them is not believed unseen."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from headtohead.describe.home import find_home
from headtohead.describe.subject.subjects import read_subject
from tests.contract.bench import need
from tests.subjects.rules_of_chess import in_check, legal, mates_within, read, ways

Done = subprocess.CompletedProcess[str]
HOME = find_home()
SUBJECT = HOME.subjects / "stockfish"
LYING = Path(__file__).with_name("lying_engine.py")
POSITIONS = [line for line in (SUBJECT / "positions.epd").read_text().splitlines() if not line.startswith("#")]
MATES = [line for line in POSITIONS if " dm " in line]
PROVED = [*(each for each in MATES if "dm 2;" in each), *[each for each in MATES if "dm 3;" in each][:3]]
"""All mates in two; a mate in three takes seconds to prove."""


@pytest.mark.parametrize(
    ("fields", "plies", "count"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 3, 8902),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 2, 2039),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 3, 2812),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 2, 264),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 2, 1486),
    ],
)
def test_our_rules_count_moves_as_everybody_does(fields: str, plies: int, count: int) -> None:
    assert ways(read(fields), plies) == count


def test_every_position_is_legal_and_unfinished_and_stands_there_once() -> None:
    assert len(set(POSITIONS)) == len(POSITIONS)
    for line in POSITIONS:
        position = read(line)
        assert sorted(each for each in position.pieces.values() if each in "Kk") == ["K", "k"], line
        assert not in_check(position, white=not position.white), line
        assert len(list(legal(position))) > 1, line


@pytest.mark.parametrize("line", PROVED)
def test_a_mate_is_one_and_there_is_no_shorter_one(line: str) -> None:
    moves = int(line.split(" dm ")[1].rstrip(";"))

    assert mates_within(read(line), moves)
    assert not mates_within(read(line), moves - 1)


def ask(folder: Path, *words: str, cases: str = "depth=7\n", engine: str = "/usr/games/stockfish") -> Done:
    """Search eight positions, a mate among them."""
    need(read_subject(SUBJECT, home=HOME))
    (folder / "cases").write_text(cases)
    asked = {"--engine": engine, "--positions": str(SUBJECT / "positions.epd"), "--cases": str(folder / "cases")}
    asked |= {"--count": "8", "--hash-mib": "16", "--threads": "1"} | dict(zip(words[::2], words[1::2], strict=True))
    argv = ["/usr/bin/python3", "-I", str(SUBJECT / "search"), *(word for pair in asked.items() for word in pair)]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)


def records(done: Done) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def lying(folder: Path, how: str) -> str:
    """Return an engine that lies in one way."""
    path = folder / "engine"
    path.write_text(LYING.read_text().replace('HOW = "honest"', f'HOW = "{how}"'))
    path.chmod(0o755)
    return str(path)


@pytest.mark.real
def test_the_nodes_of_one_thread_are_the_same_in_every_case_and_every_run(tmp_path: Path) -> None:
    twice = [*records(ask(tmp_path, cases="depth=7\ndepth=6,x=a\n")), *records(ask(tmp_path))]

    assert [each["case"] for each in twice] == [{"depth": 7}, {"depth": 6, "x": "a"}, {"depth": 7}]
    assert twice[0]["work"] == twice[2]["work"] == twice[0]["metrics"]["nodes_visited"] > twice[1]["work"] > 0
    for each in twice:
        assert (each["answer"], each["work_in"], each["metrics"]["threads"]) == ("right", "nodes", 1)
        assert each["to_ns"] - each["from_ns"] == each["elapsed_ns"]
        assert each["metrics"]["time_to_depth_s"] == each["elapsed_ns"] / 1e9


@pytest.mark.real
def test_two_threads_both_work(tmp_path: Path) -> None:
    (record,) = records(ask(tmp_path, "--threads", "2", cases="depth=10\n"))

    assert (record["answer"], record["metrics"]["threads"]) == ("right", 2)


@pytest.mark.real
@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("honest", "right"),
        ("illegal", "position 1: a1a1 is no legal move"),
        ("shallow", "position 1: searched to depth 2 of 7"),
        ("counts", "14865609 ways to play 5 plies from rnbqkbnr/"),
        ("blind", "position 2: no mate was found where there is one in 3"),
        ("tires", "0 of 1 forced mates were found"),
        ("boasts", "position 2: no mate was found where there is one in 3"),
    ],
)
def test_an_engine_that_lies_is_not_called_right(tmp_path: Path, how: str, says: str) -> None:
    (record,) = records(ask(tmp_path, engine=lying(tmp_path, how)))

    assert record["answer"].startswith(says)


@pytest.mark.real
def test_an_engine_that_dies_or_is_not_there_ends_the_program(tmp_path: Path) -> None:
    for engine in (lying(tmp_path, "dies"), "/nowhere"):
        done = ask(tmp_path, engine=engine)
        assert (done.returncode, done.stdout) == (1, "")
        assert "search: " in done.stderr


@pytest.mark.real
@pytest.mark.parametrize(
    ("words", "cases", "says"),
    [
        ((), "kernel=fft\n", "the case 'kernel=fft' names no depth"),
        ((), "depth=0\n", "the case 'depth=0' names no depth"),
        (("--count", "9999"), "depth=7\n", "9999 positions are asked for"),
        (("--threads", "x"), "depth=7\n", "invalid int value"),
    ],
)
def test_wrong_words_are_named_and_nothing_is_searched(
    tmp_path: Path, *, words: tuple[str, ...], cases: str, says: str
) -> None:
    done = ask(tmp_path, *words, cases=cases)

    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
