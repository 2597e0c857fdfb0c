"""Print what a DuckDB database holds, in the form of a data set's counts.tsv: table, rows, ids, numbers, bytes, sums.

check.py h2h.duckdb
"""

import sys
from collections.abc import Sequence

import duckdb


def main() -> None:
    """Print a line for each table."""
    with duckdb.connect(sys.argv[1], read_only=True) as database:
        named = "SELECT table_name FROM duckdb_tables() ORDER BY table_name"
        for (table,) in database.execute(named).fetchall():
            told = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index"
            columns = database.execute(told, [table]).fetchall()
            counted = database.execute(question(table, columns)).fetchall()[0]
            print(table, *counted, sep="\t")


def question(table: str, columns: Sequence[tuple[str, str]]) -> str:
    """Return the query for one table's line."""
    numbers = [f'"{name}"::HUGEINT' for name, kind in columns if kind == "INTEGER" and name != "id"]
    texts = [name for name, kind in columns if kind == "VARCHAR"]
    lengths = " + ".join(f"strlen({name})" for name in texts)
    sums = f"SUM({lengths}), SUM(('0x' || md5({' || '.join(texts)})[:8])::UBIGINT)"
    return f"SELECT COUNT(*), SUM(id), SUM({' + '.join(numbers) or '0'}), {sums} FROM {table}"


if __name__ == "__main__":
    main()
