"""Check that the results of queries are correct before and after the load: the load generator runs them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from headtohead.execute.load.driver import Driver
from headtohead.execute.load.sql_options_and_queries import SqlLoad
from headtohead.model.case import Case
from headtohead.model.study.trials import Trial
from headtohead.model.study.workload import Column, Query

ASKED = 20
"""The number of results to check, divided among the queries with parameters; a query without them runs once."""
LONGEST_S = 1.0
"""The number of results ends the check; the load generator requires a time as well."""
LOG = "check"
KINDS = {
    "wrong-rows": "another number of rows",
    "wrong-checksum": "other rows",
    "error-answer": "an error",
}
"""Readable names for the load generator's kinds of error; other kinds keep their name."""


@dataclass
class SqlCheck:
    """Checks results of every query that is part of any of the ``cases``; all results are compared.

    ``checks`` counts the queries that have been checked.
    """

    sql: SqlLoad
    driver: Driver
    cases: Sequence[Case]
    checks: int = field(default=0, init=False)

    @property
    def kinds(self) -> tuple[Query, ...]:
        """The queries of the cases."""
        names = {name for case in self.cases for name in self.sql.shares(case)}
        return tuple(each for each in self.sql.options.workload.queries if each.name in names)

    @property
    def all_compared(self) -> bool:
        """Whether the load itself compares every result."""
        return all(each.expect.sample >= 1.0 and each.expect.checksum is not None for each in self.kinds)

    def wrong(self) -> list[str]:
        """Return what is wrong with the results, one text for each query; empty if all are correct."""
        return list(self._wrong())

    def _wrong(self) -> Iterator[str]:
        drawing = max(1, sum(bool(each.parameters) for each in self.kinds))
        for query in self.kinds:
            self.checks += 1
            count = math.ceil(ASKED / drawing) if query.parameters else 1
            case = Case({"check": query.name, "connections": 1, "requests": count, "think_s": 0})
            mix = self.sql.only(query.name, start=self.driver.start)
            document = self.driver.check(
                Trial(case, "closed", 0.0, LONGEST_S, drains=True), mix, name=f"{LOG}.{self.checks}"
            )
            if document["right"] < count or any(document["errors"].values()):
                yield _describe(query, document["errors"], wrong=count - document["right"], count=count) + self._more()

    def _more(self) -> str:
        """Return the load generator's message in parentheses; empty if it has none."""
        supervised = self.driver.supervised
        said = supervised.output_files(LOG)[1]
        return (
            f" ({supervised.tail(LOG)})"
            if supervised.environment.files.plain((said,)) and supervised.read(said).strip()
            else ""
        )


def _describe(query: Query, errors: Mapping[str, int], *, wrong: int, count: int) -> str:
    """Return what is wrong with the results of a query, and where the correct ones come from."""
    kinds = [KINDS.get(kind, kind) for kind, number in errors.items() if number] or ["no answer"]
    expect = query.expect
    column = expect.checksum if errors.get("wrong-checksum") else expect.rows
    right = f"what {column.table}.{column.name} says" if isinstance(column, Column) else f"{column} rows"
    return f"query {query.name} gave {' and '.join(kinds)} in {wrong} of {count} answers, where {right} is right"
