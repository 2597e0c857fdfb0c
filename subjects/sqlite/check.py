"""Print what an SQLite database holds, in the form of a data set's counts.tsv: table, rows, ids, numbers, bytes, sums.

    check.py h2h.sqlite

SQLite has no MD5: this program adds one.
"""

import hashlib
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path


def main() -> None:
    """Print a line for each table."""
    with sqlite3.connect(f"{Path(sys.argv[1]).as_uri()}?mode=ro", uri=True) as database:
        database.create_function("digits", 1, digits, deterministic=True)
        named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        for (table,) in database.execute(named).fetchall():
            counted = database.execute(question(table, columns(database, table))).fetchone()
            print(table, *counted, sep="\t")
    database.close()


def columns(database: sqlite3.Connection, table: str) -> list[tuple[str, bool]]:
    """Return the columns of a table in their order, and which of them are numbers."""
    return [(row[1], row[2] == "INTEGER") for row in database.execute(f"PRAGMA table_info({table})")]


def question(table: str, its: Sequence[tuple[str, bool]]) -> str:
    """Return the query for one table's line."""
    numbers = [name for name, is_number in its if is_number and name != "id"]
    texts = [name for name, is_number in its if not is_number]
    lengths = " + ".join(f"LENGTH(CAST({name} AS BLOB))" for name in texts)
    sums = f"SUM({lengths}), SUM(digits({' || '.join(texts)}))"
    return f"SELECT COUNT(*), SUM(id), SUM({' + '.join(numbers) or '0'}), {sums} FROM {table}"


def digits(text: str) -> int:
    """Return the first 8 hexadecimal digits of a text's MD5, as a number."""
    return int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[:4], "big")


if __name__ == "__main__":
    main()
