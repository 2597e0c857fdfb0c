"""What an engine must get right: the count of legal moves before the measured time, every search after it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from positions import Position
from uci import Engine

RIGHT = "right"
PERFT = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594),
)
"""Positions, numbers of plies, and the number of ways to play them: well known to authors of chess programs. They
include castling, promotion, en passant captures, pins and double checks."""

PROOF_PLIES = 15
"""A mate in two or three is found at this depth with an empty hash."""
MATES_SHARE = 0.75
"""The share of mates that must be found during the measured time: old hash entries and pruning may hide one."""

MOVE = re.compile(rb"^([a-h][1-8][a-h][1-8][qrbn]?): \d+", re.MULTILINE)
COUNT = re.compile(rb"^Nodes searched: (\d+)", re.MULTILINE)
BEST = re.compile(rb"^bestmove (\S+)", re.MULTILINE)
INFO = re.compile(
    rb"^info depth (?P<depth>\d+) .*\bscore (?P<kind>cp|mate) (?P<score>-?\d+) (?!\S*bound)"
    rb"(?:.*\b)?nodes (?P<nodes>\d+)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Search:
    """The last result of an engine for one position; ``mate_in`` is below 0 if it would be mated."""

    best: str
    depth: int
    nodes: int
    mate_in: int | None


def perft(engine: Engine, fen: str, *, plies: int) -> tuple[int, frozenset[str]]:
    """Return the number of ways to play that many plies, and the legal moves of the first ply."""
    said = engine.ask(f"position fen {fen}", f"go perft {plies}", until="Nodes searched")
    counted = COUNT.search(said)
    return int(counted[1]) if counted else 0, frozenset(each.decode() for each in MOVE.findall(said))


def moves_complaint(engine: Engine) -> str | None:
    """Return what is wrong with the engine's counts of legal moves, or None if all are right."""
    for fen, plies, right in PERFT:
        counted, _ = perft(engine, fen, plies=plies)
        if counted != right:
            return f"{counted} ways to play {plies} plies from {fen}, where {right} is right"
    return None


def read_search(said: bytes) -> Search | None:
    """Return the result of the last whole iteration of a search, or None if there was none."""
    best, told = BEST.search(said), list(INFO.finditer(said))
    if best is None or not told:
        return None
    last = told[-1]
    mate = int(last["score"]) if last["kind"] == b"mate" else None
    return Search(best[1].decode(), int(last["depth"]), int(last["nodes"]), mate)


def mates_complaint(engine: Engine, positions: Sequence[Position]) -> str | None:
    """Return the first forced mate that the engine does not find with an empty hash, or None if it finds all."""
    for number, position in enumerate(positions, start=1):
        if position.mate_in is None:
            continue
        engine.fresh()
        search = read_search(engine.ask(f"position fen {position.fen}", f"go depth {PROOF_PLIES}", until="bestmove"))
        if search is None or not _mates(search, position, depth=PROOF_PLIES):
            return f"position {number}: no mate was found where there is one in {position.mate_in}"
    return None


def _mates(search: Search, position: Position, *, depth: int) -> bool:
    """Whether a forced mate was found, and not a shorter one than exists."""
    return search.mate_in is not None and (position.mate_in or 0) <= search.mate_in <= depth


def _complaint(search: Search | None, *, legal: frozenset[str], depth: int) -> str | None:
    if search is None:
        return "no search"
    if search.best not in legal:
        return f"{search.best} is no legal move"
    return None if search.depth == depth else f"searched to depth {search.depth} of {depth}"


def answer(
    searches: Sequence[Search | None], positions: Sequence[Position], *, legal: Sequence[frozenset[str]], depth: int
) -> str:
    """Return "right", or what is wrong with the first wrong position, or with the mates as a whole."""
    for number, search in enumerate(searches):
        complaint = _complaint(search, legal=legal[number], depth=depth)
        if complaint is not None:
            return f"position {number + 1}: {complaint}"
    there = [each for each in zip(searches, positions, strict=True) if each[1].mate_in and 2 * each[1].mate_in <= depth]
    found = sum(search is not None and _mates(search, position, depth=depth) for search, position in there)
    return RIGHT if found >= MATES_SHARE * len(there) else f"{found} of {len(there)} forced mates were found"
