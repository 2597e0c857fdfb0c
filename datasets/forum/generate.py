"""Write the data set "forum": the tables of a message board, the pages made from them, and the right answers.

The bytes depend on the scale and the seed only: integers and ``random.random()`` are the same everywhere. No real text
is used: words are built from syllables and drawn by their rank (Zipf's law in integers), and so are authors.
docs/reference/interfaces/sql-forum-v1.md describes the files, http-forum-v1.md the pages.

    generate.py --scale 1 --seed 1 --out DIR
"""

import csv
import hashlib
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent))  # headtohead runs this file by its path

import command_line
from draws import draw
from messageboard.answers import Answers, made_posts
from messageboard.pages import article_page, board_page
from messageboard.tables import Table
from messageboard.text import Text, article_body
from messageboard.writing import BOARDS, MAIN_BOARD, Crowd, Forum, Thread

INDEX_MESSAGES = 985
"""The messages in the index of the main board, at every scale."""
MESSAGES, AUTHORS, ARTICLES = 700_000, 20_000, 200
FEWEST_AUTHORS, FEWEST_ARTICLES = 300, 20
LARGEST_SCALE = 100
BYTES_AT_SCALE_1 = 866_000_000
"""The size of the files: headtohead checks for that much disk space, times the scale."""

END = 1_070_236_800
"""The end of time in the tables: 2003-12-01 00:00 UTC."""
STEP_S = 80
"""Mean time between two messages."""
OTHERS = 2
"""Messages of other boards for each message of the index, so that the ids in the index have gaps."""
WHOLE_ARTICLES = (1, 2, 3)
"""Articles whose pages are written as files."""


class DataSet:
    """The files of one data set as they are written, and their right answers."""

    def __init__(self, out: Path, *, scale: float, seed: int) -> None:
        self._out, self._rng = out, Random(seed)
        self._others = round(MESSAGES * scale)
        self._articles = max(FEWEST_ARTICLES, round(ARTICLES * scale))
        self._begin = END - STEP_S * (self._others + INDEX_MESSAGES)
        self._text = Text(self._rng)
        before = min(self._begin, END - 3 * 86400 * self._articles)
        count = max(FEWEST_AUTHORS, round(AUTHORS * scale))
        self._crowd = Crowd(self._rng, self._text, count=count, before=before)
        self._tables = {name: Table(out, name) for name in ("article", "author", "board", "message", "thread")}
        self._answers: list[tuple[str, str, int, str]] = []
        self._right = Answers(self._crowd.all, messages=self._others + INDEX_MESSAGES)

    def write(self) -> None:
        """Write everything."""
        for author in self._crowd.all:
            self._tables["author"].add((author.id, author.joined), (author.name, author.signature))
        self._write_boards(self._write_messages())
        self._write_articles()
        self._write_answers()
        # Last, because it draws: so it does not change what is written before.
        posts = made_posts(self._rng, self._text, after=END)
        self._right.write(self._out, posts, begin=self._begin, end=END)

    def _write_messages(self) -> Forum:
        rng, forum = self._rng, Forum(self._rng, self._text, self._crowd)
        left = {True: INDEX_MESSAGES, False: self._others}
        recent_others, posted = min(self._others, OTHERS * INDEX_MESSAGES), self._begin
        for number in range(1, self._others + INDEX_MESSAGES + 1):
            recent = left[False] <= recent_others
            index = recent and draw(rng, left[True] + left[False]) < left[True]
            left[index] -= 1
            posted += 1 + draw(rng, 2 * STEP_S - 2)
            thread, message, body = forum.write(number, posted, index=index, recent=recent)
            numbers = (number, thread.id, message.parent, message.author.id, posted)
            self._tables["message"].add(numbers, (message.subject, body))
            self._right.message(thread.id, message, body)
            if not recent:
                for ended in forum.ended():
                    self._write_thread(ended)
        for thread in sorted((*forum.others, *forum.index), key=lambda each: each.id):
            self._write_thread(thread)
        return forum

    def _write_thread(self, thread: Thread) -> None:
        self._tables["thread"].add(*thread.row())
        self._right.thread(thread)

    def _write_boards(self, forum: Forum) -> None:
        for board in range(1, BOARDS + 1):
            title, about = self._text.heading(), self._text.line()
            newest = forum.newest[board]
            index_from = forum.index[0].id if board == MAIN_BOARD else newest[0] if newest else 1
            self._tables["board"].add((board, index_from), (title, about))
            if board == MAIN_BOARD:
                page = board_page(title, about, forum.index)
                (self._out / "board.html").write_bytes(page)
                self._page_list("board.csv", {"/board": page})

    def _write_articles(self) -> None:
        pages: dict[str, bytes] = {}
        for number in range(1, self._articles + 1):
            author = self._crowd.all[draw(self._rng, BOARDS)]
            posted = END - 3 * 86400 * (self._articles - number) - draw(self._rng, 86400)
            title, body = self._text.heading(), article_body(self._rng, self._text)
            self._tables["article"].add((number, author.id, posted), (title, body))
            self._right.article(number, (title, posted, body, author.name))
            page = article_page(title, body, name=author.name, posted=posted)
            pages[f"/article?id={number}"] = page
            if number in WHOLE_ARTICLES:
                (self._out / f"article-{number}.html").write_bytes(page)
        self._page_list("articles.csv", dict(reversed(pages.items())))

    def _page_list(self, name: str, pages: Mapping[str, bytes]) -> None:
        """Write a list of pages, and keep their answers."""
        rows = [(path, len(page), hashlib.sha256(page).hexdigest()) for path, page in pages.items()]
        self._write_csv(name, ("path", "length_bytes", "sha256"), rows)
        self._answers += [(path, "", length, told) for path, length, told in rows]

    def _write_answers(self) -> None:
        """Close the tables; write the right answers for them and for the pages."""
        sums = {name: table.close() for name, table in self._tables.items()}
        told = [(name, table.rows, table.length_bytes, sums[name]) for name, table in self._tables.items()]
        (self._out / "counts.tsv").write_text("".join(table.counts() for table in self._tables.values()))
        self._write_csv("answers.csv", ("key", "rows", "length_bytes", "sha256"), [*told, *self._answers])

    def _write_csv(self, name: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows((head, *rows))
        (self._out / name).write_bytes(text.getvalue().encode("ascii"))


def write(out: Path, *, scale: float, seed: int) -> None:
    """Write everything."""
    DataSet(out, scale=scale, seed=seed).write()


def main(arguments: Sequence[str]) -> int:
    """Read the arguments, write the data set; exit with 2 if the arguments are wrong."""
    return command_line.run(
        arguments,
        data_set="forum",
        scale_1="700,000 messages, 1 GB in a database",
        largest_scale=LARGEST_SCALE,
        write=write,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
