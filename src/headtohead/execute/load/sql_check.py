"""Answers to queries that must be right before a load begins, asked for by the load generator itself."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from headtohead.execute.load.driver import Driver
from headtohead.execute.load.sql import Sql
from headtohead.model.case import Case
from headtohead.model.search import Trial
from headtohead.model.study.workload import Column, Query

ASKED = 20
"""So many answers are asked for, shared among the queries that have parameters; of the others one answer is all."""
LONGEST_S = 1.0
"""What ends the check is the number of answers; a time has to be said as well."""
LOG = "check"
SAYS = {
    "wrong-rows": "another number of rows",
    "wrong-checksum": "other rows",
    "error-answer": "an error",
}
"""What the load generator's kinds of fault mean, for people; the others are given by their name."""


@dataclass
class Answers:
    """Asks for answers of every query that is asked in some of the ``cases``, and has all of them compared.

    ``asked`` counts the questions.
    """

    way: Sql
    driver: Driver
    cases: Sequence[Case]
    asked: int = field(default=0, init=False)

    @property
    def kinds(self) -> tuple[Query, ...]:
        """The queries that are asked."""
        names = {name for case in self.cases for name in self.way.shares(case)}
        return tuple(each for each in self.way.asked.workload.queries if each.name in names)

    @property
    def all_compared(self) -> bool:
        """Whether the load compares every one of its answers."""
        return all(each.expect.sample >= 1.0 and each.expect.checksum is not None for each in self.kinds)

    def wrong(self) -> list[str]:
        """Ask; return what is wrong with the answers, a text for each query, nothing where all are right."""
        return list(self._wrong())

    def _wrong(self) -> Iterator[str]:
        drawing = max(1, sum(bool(each.parameters) for each in self.kinds))
        for query in self.kinds:
            self.asked += 1
            count = math.ceil(ASKED / drawing) if query.parameters else 1
            case = Case({"check": query.name, "connections": 1, "requests": count, "think_s": 0})
            mix = self.way.only(query.name, start=self.driver.starts)
            said = self.driver.check(
                Trial(case, "closed", 0.0, LONGEST_S, drains=True), mix, name=f"{LOG}.{self.asked}"
            )
            if said["right"] < count or any(said["errors"].values()):
                yield _told(query, said["errors"], wrong=count - said["right"], count=count) + self._more()

    def _more(self) -> str:
        """Return what the load generator said of it, where it said something."""
        stand = self.driver.server.stand
        said = stand.said(LOG)[1]
        return f" ({stand.tail(LOG)})" if said.is_file() and stand.read(said).strip() else ""


def _told(query: Query, errors: Mapping[str, int], *, wrong: int, count: int) -> str:
    """Return what was wrong with the answers to a query, and where the right ones stand."""
    kinds = [SAYS.get(kind, kind) for kind, number in errors.items() if number] or ["no answer"]
    expect = query.expect
    column = expect.checksum if errors.get("wrong-checksum") else expect.rows
    right = f"what {column.table}.{column.name} says" if isinstance(column, Column) else f"{column} rows"
    return f"query {query.name} gave {' and '.join(kinds)} in {wrong} of {count} answers, where {right} is right"
