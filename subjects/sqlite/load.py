"""Make an SQLite database of a data set's files.

    load.py sql/forum-v1 delete|wal DATASET h2h.sqlite

What is fast in SQLite: one transaction, without a journal and without waiting for the disk (a failed load is discarded
as a whole); the rows in the order of their keys, one prepared statement per table; the other indexes after the rows,
each sorted in one pass; the planner's statistics last.
"""

import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

BUILD_CACHE_KIB = 512 * 1024
"""For pages, and for sorting an index: at scale 1 nothing is sorted on disk."""

FORUM = {
    "board": ("id INTEGER PRIMARY KEY", "index_from INTEGER", "title VARCHAR(120)", "about VARCHAR(400)"),
    "author": ("id INTEGER PRIMARY KEY", "joined INTEGER", "name VARCHAR(60)", "signature VARCHAR(400)"),
    "thread": (
        *("id INTEGER PRIMARY KEY", "board INTEGER", "author INTEGER", "posted INTEGER", "messages INTEGER"),
        *("latest INTEGER", "subject VARCHAR(120)"),
    ),
    "message": (
        *("id INTEGER PRIMARY KEY", "thread INTEGER", "parent INTEGER", "author INTEGER", "posted INTEGER"),
        *("subject VARCHAR(120)", "body TEXT"),
    ),
    "article": ("id INTEGER PRIMARY KEY", "author INTEGER", "posted INTEGER", "title VARCHAR(120)", "body TEXT"),
}
WEBLOG = {
    "files_map": ("id INTEGER PRIMARY KEY", "file VARCHAR(255)", "type VARCHAR(20)"),
    "log": (
        *("id INTEGER PRIMARY KEY", "at INTEGER", "client VARCHAR(15)", "file_id INTEGER", "status INTEGER"),
        *("data_size INTEGER", "referer VARCHAR(200)", "agent VARCHAR(120)"),
    ),
}
TABLES: Mapping[str, Mapping[str, Sequence[str]]] = {"sql/forum-v1": FORUM, "sql/weblog-v1": WEBLOG}
INDEXES: Mapping[str, Sequence[str]] = {
    "sql/forum-v1": (
        "thread_board ON thread (board, id)",
        "message_thread ON message (thread, id)",
        "message_author ON message (author, posted)",
    ),
    "sql/weblog-v1": ("log_file_id ON log (file_id)",),
}


def main() -> None:
    """Load the data set of the command line."""
    interface, journal, dataset, file = sys.argv[1:]
    with sqlite3.connect(file, isolation_level=None) as database:
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{BUILD_CACHE_KIB}"):
            database.execute(f"PRAGMA {pragma}")
        database.execute("BEGIN EXCLUSIVE")
        for table, columns in TABLES[interface].items():
            fill(database, table, columns, file=Path(dataset) / f"{table}.tsv")
        for index in INDEXES[interface]:
            database.execute(f"CREATE INDEX {index}")
        database.execute("ANALYZE")
        database.execute("COMMIT")
        database.execute(f"PRAGMA journal_mode = {journal}")
    database.close()


def fill(database: sqlite3.Connection, table: str, columns: Sequence[str], *, file: Path) -> None:
    """Make a table and insert the rows of a file; a number is written as text and becomes one by its column's type."""
    database.execute(f"CREATE TABLE {table} ({', '.join(f'{column} NOT NULL' for column in columns)})")
    places = ", ".join("?" for _ in columns)
    database.executemany(f"INSERT INTO {table} VALUES ({places})", rows(file))


def rows(file: Path) -> Iterator[Sequence[str]]:
    """Yield the fields of each line, with escapes decoded."""
    with file.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            fields = line[:-1].split("\t")
            yield [plain(field) for field in fields] if "\\" in line else fields


def plain(field: str) -> str:
    r"""Return a field with ``\\`` made a backslash and ``\n`` a newline, from left to right.

    >>> plain(r"a\nb"), plain(r"a\\nb")
    ('a\nb', 'a\\nb')
    """
    return "\\".join(part.replace("\\n", "\n") for part in field.split("\\\\")) if "\\" in field else field


if __name__ == "__main__":
    main()
