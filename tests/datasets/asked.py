"""A workload's own queries, asked of SQLite with the values of a data set's answer tables."""

import csv
import hashlib
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

WORKLOADS = Path(__file__).parents[2] / "workloads"

Query = Mapping[str, Any]


def queries(workload: str) -> dict[str, Query]:
    """Return the queries of workload.toml by their names."""
    with (WORKLOADS / workload / "workload.toml").open("rb") as file:
        return {each["name"]: each for each in tomllib.load(file)["query"]}


def answer_table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "answers" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def table_of(query: Query) -> str:
    """Return the answer table that a query draws from, or that holds its only answer."""
    drawn = [each["of"] for each in query.get("parameters", ()) if "of" in each]
    return str((*drawn, query["expect"]["rows"])[0]).partition(".")[0]


def ask(database: sqlite3.Connection, query: Query, row: Mapping[str, str], *, number: int = 0) -> list[Sequence[Any]]:
    """Return what SQLite answers to a query with the values of a row; ``number`` counts the requests."""
    values = [
        each["counts_from"] + number if "counts_from" in each else value(row[each["of"].partition(".")[2]])
        for each in query.get("parameters", ())
    ]
    return database.execute(query.get("sql_sqlite", query["sql"]), values).fetchall()


def value(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdecimal() else text


def checksum(rows: Iterable[Sequence[Any]]) -> str:
    """Return what docs/reference/interfaces/sql-forum-v1.md calls the checksum of an answer."""
    lines = ("\t".join("\\N" if field is None else str(field) for field in row) + "\n" for row in rows)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def wrong(database: sqlite3.Connection, query: Query, folder: Path) -> Iterator[Mapping[str, str]]:
    """Yield the rows of the query's answer table whose rows or checksum are not those that SQLite gives."""
    rows, _, column = str(query["expect"]["rows"]).partition(".")
    sums = query["expect"]["checksum"].partition(".")[2]
    for row in answer_table(folder, table_of(query)):
        found = ask(database, query, row)
        if len(found) != int(row[column] if column else rows) or checksum(found) != row[sums]:
            yield row
