"""Draw positions from games that an engine plays against itself, and print them as EPD.

    draw.py --engine /usr/games/stockfish --count 300 --seed 1 > positions.epd

A game begins with some moves drawn from all legal ones. Then the engine searches six plies ahead for both sides; three
moves in ten are drawn from its second to fourth choice. A position is taken at a ply drawn in advance, if neither side
is far ahead by then and there is a choice of moves. Every twentieth one is a mate in two or three, confirmed by a
deeper search, from a game that is played to its end. With one version of one engine and one thread, the same seed gives
the same positions.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from check import perft, read_search
from uci import Engine

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CHOICES = 4
PLIES_AHEAD = 6
PLIES_TO_PROVE = 15
EVEN_CENTIPAWNS = 300
LONGEST_PLIES = 240
MATE_EVERY = 20
CHOICE = re.compile(rb"^info depth (\d+) .*multipv (\d+) score (cp|mate) (-?\d+) (?!\S*bound).* pv (\S+)", re.MULTILINE)
FEN = re.compile(rb"^Fen: (.*?)\s*$", re.MULTILINE)


@dataclass
class Game:
    """A game in progress."""

    engine: Engine
    rng: Random
    moves: list[str] = field(default_factory=list)

    def draw(self, count: int) -> int:
        """Return a number from 0 to ``count`` - 1, each as likely; made from ``random()`` alone."""
        return int(self.rng.random() * count)

    def fen(self) -> str:
        """Return the position as the engine writes it."""
        moves = f" moves {' '.join(self.moves)}" if self.moves else ""
        said = self.engine.ask(f"position fen {START}{moves}", "d", until="Checkers")
        return FEN.search(said)[1].decode()

    def legal(self) -> list[str]:
        """Return the legal moves in alphabetical order."""
        return sorted(perft(self.engine, self.fen(), plies=1)[1])

    def choices(self) -> list[tuple[bytes, int, str]]:
        """Return the engine's best moves, each with the kind of its score and the score."""
        said = self.engine.ask(f"position fen {self.fen()}", f"go depth {PLIES_AHEAD}", until="bestmove")
        last = {int(number): (kind, int(score), move.decode()) for _, number, kind, score, move in CHOICE.findall(said)}
        return [last[number] for number in sorted(last)]

    def open(self) -> None:
        """Play four to nine moves drawn from all legal ones."""
        for _ in range(4 + self.draw(6)):
            legal = self.legal()
            if not legal:
                return
            self.moves.append(legal[self.draw(len(legal))])

    def play_on(self, choices: Sequence[tuple[bytes, int, str]]) -> None:
        """Play the best move, or three times in ten one of the next best."""
        best = self.draw(10) < 7 or len(choices) == 1
        self.moves.append(choices[0 if best else 1 + self.draw(len(choices) - 1)][2])


def key(fen: str) -> str:
    """Return the fields of a FEN that define the position."""
    return " ".join(fen.split()[:4])


def even(engine: Engine, rng: Random) -> str | None:
    """Return an even position of a new game, or None if the game reached none."""
    game = Game(engine, rng)
    wanted = 12 + game.draw(80)
    game.open()
    while choices := game.choices():
        kind, score, _ = choices[0]
        if kind != b"cp" or abs(score) > EVEN_CENTIPAWNS:
            return None
        if len(game.moves) >= wanted:
            return key(game.fen()) if len(game.legal()) > 1 else None
        game.play_on(choices)
    return None


def mated(engine: Engine, rng: Random) -> str | None:
    """Return a position with a mate in two or three of a new game, or None if the game reached none."""
    game = Game(engine, rng)
    game.open()
    while len(game.moves) < LONGEST_PLIES and (choices := game.choices()):
        kind, score, _ = choices[0]
        if kind == b"mate" and score in (2, 3):
            return _proved(engine, game.fen(), score)
        game.play_on(choices)
    return None


def _proved(engine: Engine, fen: str, moves: int) -> str | None:
    engine.set("MultiPV", 1)
    search = read_search(engine.ask(f"position fen {fen}", f"go depth {PLIES_TO_PROVE}", until="bestmove"))
    engine.set("MultiPV", CHOICES)
    return f"{key(fen)} dm {moves};" if search is not None and search.mate_in == moves else None


def positions(engine: Engine, *, count: int, seed: int) -> Iterator[str]:
    """Yield ``count`` different positions."""
    rng, seen = Random(seed), set()
    engine.set("Threads", 1)
    engine.set("Hash", 16)
    engine.set("MultiPV", CHOICES)
    while len(seen) < count:
        engine.fresh()
        found = mated(engine, rng) if len(seen) % MATE_EVERY == 1 else even(engine, rng)
        if found is not None and found not in seen:
            seen.add(found)
            yield found


def main(arguments: Sequence[str]) -> int:
    """Print the positions, with a line that says what they are."""
    parser = argparse.ArgumentParser(description="Draw chess positions from games of an engine against itself.")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args(arguments)
    with Engine([words.engine]) as engine:
        print(f"# {words.count} positions drawn with seed {words.seed} by search/draw.py: README.md says how.")
        for number, found in enumerate(positions(engine, count=words.count, seed=words.seed), start=1):
            print(found, flush=True)
            print(f"{number} of {words.count}", end="\r", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
