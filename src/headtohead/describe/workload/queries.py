"""The queries of an sql interface: ``[[query]]`` of workload.toml, each with its correct result."""

from collections.abc import Mapping, Sequence
from typing import Any

from headtohead.describe.toml.document import TomlFile
from headtohead.describe.toml.position import Place
from headtohead.describe.workload.sql_text import check_text
from headtohead.model.study.workload import Column, Counted, Drawn, Parameter, Query, QueryExpect

_OWN_TEXT = "sql_"
"""The start of a key that holds the text for one protocol: ``sql_postgresql``."""


def read_queries(written: TomlFile) -> tuple[Query, ...]:
    """Return the query mix; raises WordsError if there is none, or one cannot be run or checked."""
    tables, place = written.data.get("query", []), written.place
    if "expect" in written.data:
        why = "The correct result of a query is in its own [[query]]."
        raise place.wrong("[expect] does not belong here", why=why, remedy="Move it into [[query]].")
    if not tables:
        why = "A workload for an sql/ interface lists its queries."
        raise place.wrong("no query", why=why, remedy="Write at least one [[query]].")
    queries: dict[str, Query] = {}
    for table in tables:
        where = place.at(f'query "{table["name"]}"')
        if table["name"] in queries:
            raise where.wrong(
                "two queries have the same name", why="Names distinguish the queries.", remedy="Rename one."
            )
        queries[table["name"]] = _read_query(table, where, has_data="data" in written.data)
    return tuple(queries.values())


def _read_query(table: Mapping[str, Any], place: Place, *, has_data: bool) -> Query:
    parameters = _read_parameters(table.get("parameters", []), place)
    texts = {word: text for word, text in table.items() if word == "sql" or word.startswith(_OWN_TEXT)}
    for word, text in texts.items():
        check_text(text, parameters=len(parameters), place=place.at(word))
    query = Query(
        name=table["name"],
        weight=float(table["weight"]),
        sql=table["sql"],
        parameters=parameters,
        expect=_read_expect(table["expect"]),
        writes=table.get("writes", False),
        sql_by={word.removeprefix(_OWN_TEXT): text for word, text in texts.items() if word != "sql"},
    )
    _check_expect(query, table["expect"], place=place)
    if not has_data and (drawn := (*_tables(parameters), *(each.table for each in _columns(query)))):
        why = f"The table answers/{drawn[0]}.csv is a file of the data set, but this workload has none."
        raise place.wrong("an answer table without data", why=why, remedy="Write data = { ... }.")
    return query


def _read_parameters(tables: Sequence[Mapping[str, Any]], place: Place) -> tuple[Parameter, ...]:
    parameters: list[Parameter] = []
    for at, table in enumerate(tables, start=1):
        where = place.at(f"parameters (item {at})")
        parameters.append(_read_parameter(table, where, drawn=_tables(parameters)))
    return tuple(parameters)


def _read_parameter(table: Mapping[str, Any], place: Place, *, drawn: tuple[str, ...]) -> Parameter:
    """Return a parameter; ``drawn`` are the tables of the parameters before it."""
    if ("of" in table) == ("counts_from" in table):
        why = "The values of a parameter come from a column of an answer table, or from a counter."
        remedy = 'Write either of = "table.column" or counts_from = 1.'
        raise place.wrong("both of and counts_from" if "of" in table else "no values", why=why, remedy=remedy)
    how = [word for word in ("skew", "exponent") if word in table]
    if "counts_from" in table:
        if how:
            why = "Values from a counter are not drawn: each request has the next number."
            raise place.at(how[0]).wrong(f"{how[0]} does not go with counts_from", why=why, remedy="Remove it.")
        return Counted(table["counts_from"])
    column = _column(table["of"])
    if column.table in drawn:
        if how:
            why = f"Each request draws one row of {column.table}; the first parameter of that table sets how."
            remedy = f"Write {how[0]} there, and remove it here."
            raise place.at(how[0]).wrong(f"{how[0]} for a row that is already drawn", why=why, remedy=remedy)
        return Drawn(column, skew=None)
    skew = table.get("skew", "uniform")
    if "exponent" in table and skew != "zipf":
        why = f"The skew is {skew}; only Zipf's law has an exponent."
        raise place.at("exponent").wrong("an exponent without zipf", why=why, remedy='Write skew = "zipf".')
    return Drawn(column, skew=skew, exponent=float(table.get("exponent", Drawn.exponent)))


def _read_expect(table: Mapping[str, Any]) -> QueryExpect:
    rows, checksum = table["rows"], table.get("checksum")
    return QueryExpect(
        rows=_column(rows) if isinstance(rows, str) else rows,
        checksum=None if checksum is None else _column(checksum),
        sample=float(table.get("sample", 0 if checksum is None else 1)),
    )


def _check_expect(query: Query, table: Mapping[str, Any], *, place: Place) -> None:
    """Raise WordsError if the correct result is unknown, or would not be compared."""
    if query.writes and query.expect.checksum:
        why = "A query that writes returns the number of rows that it changed, but no rows."
        raise place.at("expect.checksum").wrong("a checksum for a query that writes", why=why, remedy="Remove it.")
    if "sample" in table and query.expect.checksum is None:
        why = "The sample selects the results whose checksum is compared, but this query has no checksum."
        raise place.at("expect.sample").wrong(
            "a sample without a checksum", why=why, remedy="Remove it, or write checksum."
        )
    drawn = _tables(query.parameters)
    for word in ("rows", "checksum"):
        column = getattr(query.expect, word)
        if isinstance(column, Column) and drawn and column.table not in drawn:
            why = f"The correct result is in the row that a request draws, which is a row of {' or of '.join(drawn)}."
            remedy = f"Write a column of {drawn[0]}, or draw a parameter from {column.table}."
            raise place.at(f"expect.{word}").wrong(f"no parameter is from {column.table}", why=why, remedy=remedy)


def _column(text: str) -> Column:
    table, _, name = text.partition(".")
    return Column(table, name)


def _columns(query: Query) -> tuple[Column, ...]:
    """Return the columns that hold the correct results."""
    return tuple(each for each in (query.expect.rows, query.expect.checksum) if isinstance(each, Column))


def _tables(parameters: Sequence[Parameter]) -> tuple[str, ...]:
    """Return the tables that the parameters are drawn from, without duplicates."""
    return tuple(dict.fromkeys(each.of.table for each in parameters if isinstance(each, Drawn)))
