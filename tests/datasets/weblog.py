"""The log of the data set "weblog" read back into SQLite, as the interface says."""

import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

GENERATE = Path(__file__).parents[2] / "datasets" / "weblog" / "generate.py"
TABLES: Mapping[str, Mapping[str, int]] = {
    "files_map": {"id": 0, "file": 255, "type": 20},
    "log": {
        "id": 0, "at": 0, "client": 15, "file_id": 0, "status": 0, "data_size": 0, "referer": 200, "agent": 120,
    },
}  # fmt: skip
"""Columns of each table, with the longest that a text may be; 0 for a number."""


def generate(out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", str(GENERATE), "--out", str(out), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def opened(folder: Path, *, backwards: bool = False) -> sqlite3.Connection:
    """Return the tables in SQLite; ``backwards``: filled from the last line to the first."""
    database = sqlite3.connect(":memory:")
    for name, columns in TABLES.items():
        kinds = (f"{each} {'TEXT' if longest else 'INTEGER'} NOT NULL" for each, longest in columns.items())
        database.execute(f"CREATE TABLE {name} ({', '.join(kinds)})")
        lines = (folder / f"{name}.tsv").read_text(encoding="ascii").removesuffix("\n").split("\n")
        rows = [line.split("\t") for line in (reversed(lines) if backwards else lines)]
        database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)
    return database


def counts(database: sqlite3.Connection) -> str:
    """Return the lines of counts.tsv, as a subject's check would print them."""
    database.create_function("sum32", 1, lambda text: int(hashlib.md5(text.encode()).hexdigest()[:8], 16))
    lines = []
    for name, columns in TABLES.items():
        texts = [each for each, longest in columns.items() if longest]
        numbers = [each for each, longest in columns.items() if not longest and each != "id"] or ["0"]
        lengths = " + ".join(f"LENGTH({each})" for each in texts)
        asked = f"COUNT(*), SUM(id), SUM({' + '.join(numbers)}), SUM({lengths}), SUM(sum32({' || '.join(texts)}))"
        lines.append("\t".join([name, *map(str, database.execute(f"SELECT {asked} FROM {name}").fetchone())]) + "\n")
    return "".join(lines)
