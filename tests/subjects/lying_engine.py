#!/usr/bin/python3
"""Stockfish, but one of its answers is a lie: HOW is one of those below (``tires``: only at depth 7)."""

import re
import subprocess
import sys

HOW = "honest"
LIES = {
    "illegal": (r"^bestmove \S+", "bestmove a1a1"),
    "shallow": (r"^info depth \d+ ", "info depth 2 "),
    "counts": (r"^Nodes searched: (\d+)", r"Nodes searched: 1\1"),
    "blind": (r"score mate \d+", "score cp 31"),
    "boasts": (r"score mate \d+", "score mate 1"),
    "tires": (r"score mate \d+", "score cp 31"),
}
ENDS = {"uci": "uciok", "isready": "readyok", "go perft": "Nodes searched", "go depth": "bestmove"}

with subprocess.Popen(["/usr/games/stockfish"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
    assert engine.stdin is not None
    assert engine.stdout is not None
    for asked in sys.stdin:
        engine.stdin.write(asked)
        engine.stdin.flush()
        ends = next((end for begin, end in ENDS.items() if asked.startswith(begin) and asked != "ucinewgame\n"), None)
        if HOW == "dies" and asked.startswith("go depth"):
            sys.exit(3)
        for line in engine.stdout if ends else ():
            lies = HOW in LIES and (HOW != "tires" or asked == "go depth 7\n")
            sys.stdout.write(re.sub(*LIES[HOW], line) if lies else line)
            if line.startswith(ends or ""):
                break
        sys.stdout.flush()
