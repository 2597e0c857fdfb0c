"""The rules of chess once more, slow and plain, to hold positions against that a chess program drew."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

Square = tuple[int, int]
"""File and rank, from 0."""

KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STRAIGHT = ((1, 0), (0, 1), (-1, 0), (0, -1))
SLANTED = ((1, 1), (1, -1), (-1, -1), (-1, 1))
STEPS = {"N": KNIGHT, "B": SLANTED, "R": STRAIGHT, "Q": STRAIGHT + SLANTED, "K": STRAIGHT + SLANTED}
TAKES = (("N", KNIGHT, False), ("K", STEPS["K"], False), ("BQ", SLANTED, True), ("RQ", STRAIGHT, True))
"""Who takes along which steps, and whether any number of them."""
ROOKS: dict[Square, str] = {(7, 0): "K", (0, 0): "Q", (7, 7): "k", (0, 7): "q"}
PROMOTED = "QRBN"


@dataclass(frozen=True)
class Move:
    """A move of a piece, which may become ``into``; castling is a move of the king by two files."""

    origin: Square
    target: Square
    into: str = ""


@dataclass(frozen=True)
class State:
    """Pieces by square, upper case white; who moves; rooks that may castle; the square behind a double step."""

    pieces: dict[Square, str]
    white: bool
    castling: str
    passing: Square | None

    def own(self, piece: str) -> bool:
        """Return whether a piece is of the side to move."""
        return piece.isupper() == self.white


def read(fields: str) -> State:
    """Return the position of the first four fields of a FEN."""
    board, side, castling, passing = fields.split()[:4]
    pieces: dict[Square, str] = {}
    for rank, row in zip(range(7, -1, -1), board.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces[file, rank] = letter
                file += 1
        assert file == 8, fields
    behind = None if passing == "-" else ("abcdefgh".index(passing[0]), int(passing[1]) - 1)
    return State(pieces, side == "w", castling.replace("-", ""), behind)


def attacked(state: State, square: Square, *, by_white: bool) -> bool:
    """Return whether a piece of one side could take on a square."""
    file, rank = square
    pawn = -1 if by_white else 1
    if any(state.pieces.get((file + side, rank + pawn)) == _of("P", white=by_white) for side in (-1, 1)):
        return True
    for kinds, steps, far in TAKES:
        wanted = {_of(kind, white=by_white) for kind in kinds}
        seen = (each for step in steps for each in _ray(state, square, step, far=far))
        if any(state.pieces.get(each) in wanted for each in seen):
            return True
    return False


def in_check(state: State, *, white: bool) -> bool:
    """Return whether a side's king is attacked."""
    king = next(square for square, piece in state.pieces.items() if piece == _of("K", white=white))
    return attacked(state, king, by_white=not white)


def legal(state: State) -> Iterator[tuple[Move, State]]:
    """Yield every legal move with what it leads to."""
    for move in [*_plain(state), *_castling(state)]:
        after = _made(state, move)
        if not in_check(after, white=state.white):
            yield move, after


def ways(state: State, plies: int) -> int:
    """Return in how many ways so many plies can be played."""
    return 1 if plies == 0 else sum(ways(after, plies - 1) for _, after in legal(state))


def mates_within(state: State, moves: int) -> bool:
    """Return whether the side to move can force mate in at most so many moves; checks are tried first."""
    after = [each for _, each in legal(state)]
    checks = [each for each in after if in_check(each, white=each.white)]
    if any(next(legal(each), None) is None for each in checks):
        return True
    if moves == 1:
        return False
    calm = [each for each in after if each not in checks]
    return any(_lost_within(each, moves - 1) for each in (*checks, *calm))


def _lost_within(state: State, moves: int) -> bool:
    replies = [each for _, each in legal(state)]
    return bool(replies) and all(mates_within(each, moves) for each in replies)


def _of(kind: str, *, white: bool) -> str:
    return kind if white else kind.lower()


def _ray(state: State, square: Square, step: Square, *, far: bool) -> Iterator[Square]:
    """Yield the squares in a direction, up to the edge or the first piece, that one among them."""
    file, rank = square[0] + step[0], square[1] + step[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        yield file, rank
        if not far or (file, rank) in state.pieces:
            return
        file, rank = file + step[0], rank + step[1]


def _plain(state: State) -> Iterator[Move]:
    for square, piece in state.pieces.items():
        if not state.own(piece):
            continue
        if piece in "Pp":
            yield from _pawn(state, square)
            continue
        for step in STEPS[piece.upper()]:
            for target in _ray(state, square, step, far=piece.upper() in "BRQ"):
                if target not in state.pieces or not state.own(state.pieces[target]):
                    yield Move(square, target)


def _pawn(state: State, square: Square) -> Iterator[Move]:
    file, rank = square
    ahead = 1 if state.white else -1
    targets = []
    if (file, rank + ahead) not in state.pieces:
        targets.append((file, rank + ahead))
        if rank == (1 if state.white else 6) and (file, rank + 2 * ahead) not in state.pieces:
            targets.append((file, rank + 2 * ahead))
    for target in ((file - 1, rank + ahead), (file + 1, rank + ahead)):
        taken = state.pieces.get(target)
        if (taken and not state.own(taken)) or target == state.passing:
            targets.append(target)
    for target in targets:
        for into in PROMOTED if target[1] in (0, 7) else ("",):
            yield Move(square, target, into)


def _castling(state: State) -> Iterator[Move]:
    rank = 0 if state.white else 7
    for right, between, passed in (("K", (5, 6), (4, 5, 6)), ("Q", (1, 2, 3), (4, 3, 2))):
        if _of(right, white=state.white) not in state.castling or any((file, rank) in state.pieces for file in between):
            continue
        if not any(attacked(state, (file, rank), by_white=not state.white) for file in passed):
            yield Move((4, rank), (passed[-1], rank))


def _made(state: State, move: Move) -> State:
    (file, rank), target = move.origin, move.target
    pieces = dict(state.pieces)
    piece = pieces.pop(move.origin)
    pieces.pop(target, None)
    pieces[target] = _of(move.into or piece.upper(), white=state.white)
    passing = None
    if piece in "Pp":
        if target == state.passing:
            del pieces[target[0], rank]
        if abs(target[1] - rank) == 2:
            passing = (file, (target[1] + rank) // 2)
    if piece in "Kk" and abs(target[0] - file) == 2:
        rook = (7, rank) if target[0] == 6 else (0, rank)
        pieces[(target[0] + file) // 2, rank] = pieces.pop(rook)
    lost = {ROOKS.get(move.origin), ROOKS.get(target), *({"K": "KQ", "k": "kq"}.get(piece, ""))}
    castling = "".join(each for each in state.castling if each not in lost)
    return replace(state, pieces=pieces, white=not state.white, castling=castling, passing=passing)
