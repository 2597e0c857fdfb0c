"""The mix of queries for the load generator, in the SQL of one protocol, with the files of the correct results."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from headtohead.model.study.workload import Column, Counted, Parameter, Query, Workload

ANSWERS = "answers"
"""The folder of a data set that holds its answer tables."""
KEYS_A_START = 3_000_000
"""More rows than one start of the load generator writes, so that each start can use its own range of keys.

From 10^9 on, 31 bits have room for 380 starts, more than the longest search makes."""


@dataclass(frozen=True)
class Queries:
    """The queries of a workload in the SQL of a protocol, on a data set in folder ``data``.

    ``start`` counts the starts of the load generator on one subject; each start writes rows with its own keys.
    """

    workload: Workload
    protocol: str
    data: Path
    start: int = 0

    def mix(self, shares: Mapping[str, float]) -> dict[str, Any]:
        """Return the mix of the queries that have a share, by their names."""
        used = [each for each in self.workload.queries if shares.get(each.name, 0) > 0]
        return {"queries": [self._listed(each, weight=shares[each.name]) for each in used]}

    def only(self, name: str) -> dict[str, Any]:
        """Return the mix of one query, with every result compared."""
        whole = [
            replace(each, expect=replace(each.expect, sample=1.0))
            for each in self.workload.queries
            if each.name == name
        ]
        return {"queries": [self._listed(each, weight=1.0) for each in whole]}

    def _listed(self, query: Query, *, weight: float) -> dict[str, Any]:
        expect = query.expect
        return {
            "name": query.name,
            "weight": weight,
            "writes": query.writes,
            "sql": query.text(self.protocol),
            "parameters": [self._parameter(each) for each in query.parameters],
            "rows": self._column(expect.rows) if isinstance(expect.rows, Column) else expect.rows,
            "checksum": None if expect.checksum is None else self._column(expect.checksum),
            "sample": expect.sample,
        }

    def _parameter(self, parameter: Parameter) -> dict[str, Any]:
        if isinstance(parameter, Counted):
            return {"counts_from": parameter.counts_from + self.start * KEYS_A_START}
        drawn = {} if parameter.skew is None else {"skew": parameter.skew}
        steep = {"exponent": parameter.exponent} if parameter.skew == "zipf" else {}
        return {**self._column(parameter.of), **drawn, **steep}

    def _column(self, column: Column) -> dict[str, str]:
        return {"table": str(self.data / ANSWERS / f"{column.table}.csv"), "column": column.name}
