"""The authors, and the threads of their messages, in the order of time."""

from collections import deque
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from draws import draw, ranked, zipf_sums

from messageboard.text import WORDS, Text, late

BOARDS, MAIN_BOARD = 12, 1
NEW_THREAD = 11
"""Messages out of 100 that begin a thread."""
INDEX_WINDOW, WINDOW = 12, 240
"""The number of newest threads that still get replies: in the index, and in all others together."""
INDEX_CROWD = 250
"""The number of authors of the messages in the index."""


class Author(NamedTuple):
    """A row of the table."""

    id: int
    joined: int
    name: str
    signature: str


class Message(NamedTuple):
    """A message without its text, as the index shows it."""

    id: int
    parent: int
    author: Author
    posted: int
    subject: str


class Thread:
    """A thread while it grows, with what its replies may quote."""

    def __init__(self, number: int, board: int) -> None:
        self.id, self.board = number, board
        self.messages: list[tuple[Message, list[str]]] = []

    def row(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Return the numbers and the texts of the table's row."""
        head, latest = self.messages[0][0], self.messages[-1][0]
        return (self.id, self.board, head.author.id, head.posted, len(self.messages), latest.id), (head.subject,)


class Crowd:
    """All authors. Each board has a part of them, who write by Zipf's law."""

    def __init__(self, rng: Random, text: Text, *, count: int, before: int) -> None:
        self._rng, names = rng, dict[str, None]()
        while len(names) < count:
            word, other = (text.words[draw(rng, WORDS)].capitalize() for _ in range(2))
            names[(word, f"{word}{draw(rng, 100)}", f"{word} {other}")[draw(rng, 3)]] = None
        self.all = [
            Author(place + 1, before - draw(rng, 365 * 86400), name, text.line() if draw(rng, 5) < 2 else "")
            for place, name in enumerate(names)
        ]
        self._sums = zipf_sums(max(INDEX_CROWD, count // 4))
        self._index_sums = zipf_sums(INDEX_CROWD)

    def one_of(self, board: int, *, index: bool) -> Author:
        """Return an author on a board."""
        rank = ranked(self._rng, self._index_sums if index else self._sums)
        return self.all[(len(self.all) * (board - 1) // BOARDS + rank) % len(self.all)]


class Forum:
    """Messages in the order in which they were written, and their threads."""

    def __init__(self, rng: Random, text: Text, crowd: Crowd) -> None:
        self._rng, self._text, self._crowd = rng, text, crowd
        self._boards = zipf_sums(BOARDS)
        self._threads = 0
        self.newest = {board: deque[int](maxlen=100) for board in range(1, BOARDS + 1)}
        self.index: list[Thread] = []
        self.others: list[Thread] = []

    def _thread_for(self, *, index: bool, recent: bool) -> Thread:
        rng, group, window = self._rng, *((self.index, INDEX_WINDOW) if index else (self.others, WINDOW))
        if group and draw(rng, 100) >= NEW_THREAD:
            answered = min(window, len(group))
            return group[len(group) - answered + late(rng, answered)]
        board = MAIN_BOARD if index else 1 + ranked(rng, self._boards)
        if recent and not index and board == MAIN_BOARD:
            board = MAIN_BOARD + 1
        self._threads += 1
        group.append(Thread(self._threads, board))
        self.newest[board].append(self._threads)
        return group[-1]

    def write(self, number: int, posted: int, *, index: bool, recent: bool) -> tuple[Thread, Message, str]:
        """Write one message, in a new thread or as a reply; return it with its text."""
        rng, thread = self._rng, self._thread_for(index=index, recent=recent)
        written = thread.messages
        author = self._crowd.one_of(thread.board, index=index)
        if not written:
            parent, said, subject = 0, list[str](), self._text.heading()
        else:
            if draw(rng, 3) == 0:
                author = written[draw(rng, len(written))][0].author
            answered, said = written[late(rng, len(written))]
            parent, subject = answered.id, f"Re: {written[0][0].subject}"
            said = [f"{answered.author.name} wrote:", *(f"> {line}" for line in said)] if draw(rng, 5) < 3 else []
        message = Message(number, parent, author, posted, subject)
        parts = [self._text.lines(2 + draw(rng, 6)) for _ in range(1 + draw(rng, 4))]
        written.append((message, parts[0][:3]))
        body = "\n\n".join((*(("\n".join(said),) if said else ()), *(" ".join(part) for part in parts)))
        return thread, message, body + (f"\n\n-- \n{author.signature}" if author.signature else "")

    def ended(self) -> Iterator[Thread]:
        """Yield the threads without further replies, and drop them."""
        while len(self.others) > WINDOW:
            yield self.others.pop(0)
