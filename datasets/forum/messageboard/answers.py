"""The right results of the queries of a forum, computed here while the tables are written."""

import csv
import hashlib
import io
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from draws import draw

from messageboard.text import Text
from messageboard.writing import BOARDS, Author, Message, Thread

THREADS, MESSAGES, AUTHORS, ARTICLES = 100_000, 5_000, 5_000, 20_000
"""The most of each that queries request: the newest threads and articles, evenly spread messages and authors."""
PAGE_THREADS, PAGES = 30, 5
"""Threads on a page of a board's index, and pages of each board that queries request."""
FOUND = 25
"""The most messages in the result of a search."""
NO_THREAD_YET = 2_000_000_000
"""Above the ids of all threads: the first page of an index has the threads below it."""
SEARCHES = 8
"""A search covers all the time of the tables, half of it, a quarter and so on, to one part in 2 ** 7."""
HOUR_S = 3600
POSTS = 1_000
"""The messages for a load that writes."""

Row = tuple[int | str, ...]


def told(row: Iterable[int | str]) -> bytes:
    r"""Return a row of a result as checksums see it: fields between tabs, a newline at the end, no escapes.

    >>> told((1, "Re: hello"))
    b'1\tRe: hello\n'
    """
    return ("\t".join(map(str, row)) + "\n").encode()


def checksum(rows: Iterable[Iterable[int | str]]) -> str:
    """Return the SHA-256 of a result, in hexadecimal."""
    return hashlib.sha256(b"".join(told(row) for row in rows)).hexdigest()


class Answers:
    """The answer tables: values of queries, and right results. ``messages`` is the number that will be written."""

    def __init__(self, people: Sequence[Author], *, messages: int) -> None:
        self._each = -(-messages // MESSAGES)
        self._messages: list[Row] = []
        self._written = [0] * (len(people) + 1)
        asked = people[:: -(-len(people) // AUTHORS)]
        self._latest = {author.id: deque[Row](maxlen=FOUND) for author in asked}
        self._threads = deque[Row](maxlen=THREADS)
        self._boards = [0] * (BOARDS + 1)
        self._heads = {board: deque[Row](maxlen=PAGE_THREADS * PAGES) for board in range(1, BOARDS + 1)}
        self._articles = deque[Row](maxlen=ARTICLES)

    def message(self, thread: int, message: Message, body: str) -> None:
        """Record a message; they come in the order of their ids."""
        number, parent, author, posted, subject = message
        self._written[author.id] += 1
        if author.id in self._latest:
            self._latest[author.id].append((number, thread, posted, subject))
        if number % self._each == 0:
            self._messages.append((number, checksum([(thread, parent, posted, author.name, subject, body)])))

    def thread(self, thread: Thread) -> None:
        """Record a thread without further replies; they come in the order of their ids."""
        messages = [each for each, _ in thread.messages]
        head, latest = messages[0], messages[-1]
        rows = [(each.id, each.parent, each.author.id, each.posted, each.subject) for each in messages]
        self._threads.append((thread.id, len(rows), checksum(rows)))
        self._boards[thread.board] += 1
        row = (thread.id, head.subject, head.author.name, head.posted, len(rows), latest.id)
        self._heads[thread.board].append(row)

    def article(self, number: int, row: Row) -> None:
        """Record an article: title, posted, body, name of its author."""
        self._articles.append((number, checksum([row])))

    def write(self, out: Path, posts: Iterable[Row], *, begin: int, end: int) -> None:
        """Write the tables into ``out/answers``; the first rows are requested most."""
        boards = [(board, self._boards[board]) for board in range(1, BOARDS + 1)]
        written = [(number, self._written[number]) for number in self._latest]
        tables: dict[str, tuple[str, Iterable[Row]]] = {
            "board": ("id,threads,checksum", [(*each, checksum([each[1:]])) for each in boards]),
            "index": ("board,before,threads,checksum", self._pages()),
            "thread": ("id,messages,checksum", reversed(self._threads)),
            "message": ("id,checksum", reversed(self._messages)),
            "article": ("id,checksum", reversed(self._articles)),
            "author": ("id,messages,checksum", [(*each, checksum([each[1:]])) for each in written]),
            "search": ("author,since,messages,checksum", self._searches(begin, end)),
            "post": ("posted,subject,body", posts),
        }
        folder = out / "answers"
        folder.mkdir()
        for name, (head, rows) in tables.items():
            text = io.StringIO()
            csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONE).writerows([head.split(","), *rows])
            (folder / f"{name}.csv").write_bytes(text.getvalue().encode())

    def _pages(self) -> Iterator[Row]:
        """Yield the first page of every board's index, then every second one, and so on; a first page may be empty."""
        newest = {board: [*reversed(heads)] for board, heads in self._heads.items()}
        for first in range(0, PAGE_THREADS * PAGES, PAGE_THREADS):
            for board, heads in newest.items():
                page = heads[first : first + PAGE_THREADS]
                before = heads[first - 1][0] if 0 < first <= len(heads) else NO_THREAD_YET
                if page or first == 0:
                    yield board, before, len(page), checksum(page)

    def _searches(self, begin: int, end: int) -> Iterator[Row]:
        for place, (number, latest) in enumerate(self._latest.items()):
            since = end - ((end - begin) >> (place % SEARCHES))
            since -= since % HOUR_S
            found = [row for row in reversed(latest) if int(row[2]) >= since]
            yield number, since, len(found), checksum(found)


def made_posts(rng: Random, text: Text, *, after: int) -> Iterator[Row]:
    """Yield messages to be written, newer than all others: posted, subject, body; no commas or quotation marks."""
    for number in range(1, POSTS + 1):
        body = " ".join(text.lines(4 + draw(rng, 8)))
        yield after + number, _plain(text.heading()), _plain(body)


def _plain(words: str) -> str:
    return words.replace(",", "").replace('"', "")
