"""The load: queries with their weights, their values, and the right answers."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chance import Chance, Weights, Zipf, stream
from complaint import Complaint

INTEGER = re.compile(r"0|-?[1-9][0-9]*")
SAMPLE = 0.01
"""The default share of checked answers."""
REMEDY = "Write it as headtohead does; see crates/load/src/sql/mix.rs."
Value = int | str
Rows = Sequence[Sequence[object]]


@dataclass(frozen=True)
class Query:
    """A query as the mix names it; ``told`` is its line there."""

    name: str
    sql: str
    writes: bool
    told: Mapping[str, Any]

    @property
    def parameters(self) -> Sequence[Mapping[str, Any]]:
        """The source of its values."""
        return self.told.get("parameters", ())


@dataclass(frozen=True)
class Drawn:
    """A request: a query, its values, and what is known of its right answer."""

    query: Query
    values: tuple[Value, ...]
    rows: int | None
    checksum: str | None
    """None if there is none, or if the request is not in the sample."""


@dataclass
class Draws:
    """The state of one user: random draws, its place in every table that is read in order, its own numbers."""

    chance: Chance
    user: int
    users: int
    turns: dict[tuple[str, Path], int] = field(default_factory=dict)
    counted: int = 0

    def turn(self, query: Query, path: Path) -> int:
        """Return the next place: users take the places of all in turn."""
        taken = self.turns.get((query.name, path), 0)
        self.turns[query.name, path] = taken + 1
        return self.user + taken * self.users

    def number(self) -> int:
        """Return how many numbers the requests of all users have taken before."""
        return self.user + self.counted * self.users


@dataclass
class Questions:
    """All queries of the load."""

    queries: Sequence[Query]
    tables: Mapping[Path, "Table"]
    _weights: Weights = field(init=False)
    _laws: Mapping[tuple[Path, float], Zipf] = field(init=False)

    def __post_init__(self) -> None:
        """Make the tables for random draws."""
        self._weights = Weights([float(each.told.get("weight", 1)) for each in self.queries])
        skewed = [each for query in self.queries for each in query.parameters if each.get("skew") == "zipf"]
        wanted = {(Path(each["table"]), float(each.get("exponent", 1))) for each in skewed}
        self._laws = {(path, exponent): Zipf(self.tables[path].count, exponent) for path, exponent in wanted}

    @classmethod
    def read(cls, mix: Path) -> "Questions":
        """Return the queries of a file with the answer tables that they name. Raise Complaint if it is wrong."""
        try:
            lines = json.loads(mix.read_text(encoding="utf-8"))["queries"]
            asked = [Query(each["name"], each["sql"], bool(each.get("writes")), each) for each in lines]
            asked = [each for each in asked if float(each.told.get("weight", 1)) > 0]
            tables = {path: Table.read(path) for each in asked for path in _paths(each.told)}
        except (KeyError, OSError, TypeError, ValueError) as error:
            told = f"{type(error).__name__}: {error}"
            raise Complaint(f"the queries of {mix}", why=told, remedy=REMEDY, code=2) from error
        if not asked:
            raise Complaint(f"the queries of {mix}", why="nothing is asked", remedy=REMEDY, code=2)
        return cls(asked, tables)

    @property
    def writes(self) -> bool:
        """Whether any query writes."""
        return any(each.writes for each in self.queries)

    def draws(self, seed: int, *, user: int, users: int) -> Draws:
        """Return the first state of a user: with the random draws of h2h-load's thread of this number."""
        return Draws(stream(seed, 2 * user), user, users)

    def draw(self, draws: Draws) -> Drawn:
        """Return the next request, by weight, with a row of each table that it takes values from."""
        query = self.queries[self._weights.draw(draws.chance)]
        rows: dict[Path, int] = {}
        values: list[Value] = []
        for parameter in query.parameters:
            if "counts_from" in parameter:
                values.append(int(parameter["counts_from"]) + draws.number())
                continue
            path = Path(parameter["table"])
            if path not in rows:
                rows[path] = self._row(query, path, parameter, draws=draws)
            values.append(self.tables[path].columns[parameter["column"]][rows[path]])
        draws.counted += any("counts_from" in each for each in query.parameters)
        due, digest = self._due(query, "rows", rows), self._due(query, "checksum", rows)
        sampled = digest is not None and _sampled(query, draws.chance)
        return Drawn(query, tuple(values), None if due is None else int(due), str(digest).lower() if sampled else None)

    def _row(self, query: Query, path: Path, parameter: Mapping[str, Any], *, draws: Draws) -> int:
        count, skew = self.tables[path].count, parameter.get("skew", "uniform")
        if count == 1:
            return 0
        if skew == "sequential":
            return draws.turn(query, path) % count
        if skew == "uniform":
            return draws.chance.below_with_rest(count)[0]
        return self._laws[path, float(parameter.get("exponent", 1))].draw(draws.chance)

    def _due(self, query: Query, word: str, rows: Mapping[Path, int]) -> Value | None:
        told = query.told.get(word)
        if not isinstance(told, dict):
            return told
        path = Path(told["table"])
        return self.tables[path].columns[told["column"]][rows.get(path, 0)]


@dataclass(frozen=True)
class Table:
    """An answer table: its columns by name, as integers if all of their fields are."""

    columns: Mapping[str, Sequence[Value]]
    count: int

    @classmethod
    def read(cls, path: Path) -> "Table":
        """Return the table of a CSV file without quotes. Raise ValueError if rows are missing or differ in length."""
        names, *lines = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
        if not lines or any(len(line) != len(names) for line in lines):
            raise ValueError(f"{path} has no rows, or rows of several lengths")
        told = {name: [line[at] for line in lines] for at, name in enumerate(names)}
        return cls({name: _settled(fields) for name, fields in told.items()}, len(lines))


def judge(drawn: Drawn, rows: Rows) -> str | None:
    """Return what is wrong with a whole answer, the gravest first, or None if it is right."""
    count = int(str(rows[0][0])) if drawn.query.writes and rows else len(rows)
    if drawn.rows is not None and drawn.rows != count:
        return "wrong-rows"
    if drawn.checksum is not None and drawn.checksum != checksum(rows):
        return "wrong-checksum"
    return None


def checksum(rows: Rows) -> str:
    r"""Return the SHA-256 of the rows: fields between tabs, each row ended by a newline, NULL as ``\N``."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(("\t".join("\\N" if each is None else str(each) for each in row) + "\n").encode())
    return digest.hexdigest()


def _sampled(query: Query, chance: Chance) -> bool:
    sample = query.told.get("sample")
    share = SAMPLE if sample is None else float(sample)
    return share > 0 and chance.share() < share


def _settled(fields: Sequence[str]) -> Sequence[Value]:
    return [int(each) for each in fields] if all(INTEGER.fullmatch(each) for each in fields) else fields


def _paths(told: Mapping[str, Any]) -> set[Path]:
    named = [*told.get("parameters", ()), told.get("rows"), told.get("checksum")]
    return {Path(each["table"]) for each in named if isinstance(each, dict) and "table" in each}
