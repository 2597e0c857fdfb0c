"""Make a DuckDB database of a data set's files.

    load.py DATASET h2h.duckdb

What is fast in DuckDB: its own CSV reader, given all columns so that it does not guess; it reads on all CPUs at once.
No keys and no index: DuckDB scans and hashes, and would use neither. The statistics and a checkpoint come last.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import duckdb

TABLES: Mapping[str, Mapping[str, str]] = {
    "files_map": {"id": "INTEGER", "file": "VARCHAR", "type": "VARCHAR"},
    "log": {
        **{"id": "INTEGER", "at": "INTEGER", "client": "VARCHAR", "file_id": "INTEGER", "status": "INTEGER"},
        **{"data_size": "INTEGER", "referer": "VARCHAR", "agent": "VARCHAR"},
    },
}
"""Without lengths: DuckDB has one type of text."""


def main() -> None:
    """Load the data set of the command line."""
    dataset, file = sys.argv[1:]
    with duckdb.connect(file, config={"threads": len(os.sched_getaffinity(0))}) as database:
        for table, columns in TABLES.items():
            fill(database, table, columns, file=Path(dataset) / f"{table}.tsv")
        database.execute("ANALYZE")
        database.execute("CHECKPOINT")


def fill(database: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, str], *, file: Path) -> None:
    """Make a table of a file: fields between tabs, no quotes, no escapes, no NULL."""
    made = ", ".join(f'"{name}" {kind} NOT NULL' for name, kind in columns.items())  # `at` is a word of DuckDB's
    database.execute(f"CREATE TABLE {table} ({made})")
    told = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
    form = r"auto_detect = false, header = false, delim = '\t', quote = '', escape = '', nullstr = '\N'"
    database.execute(f"INSERT INTO {table} FROM read_csv($file, {form}, columns = {{{told}}})", {"file": str(file)})


if __name__ == "__main__":
    main()
