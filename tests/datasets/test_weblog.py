"""The data set "weblog" is the same bytes everywhere, is shaped as a log is, and knows the answers to its queries."""

import hashlib
import re
import runpy
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from headtohead.store.fingerprint import folder_sha256
from tests.datasets import weblog
from tests.datasets.asked import answer_table, ask, checksum, queries, table_of, wrong

QUERIES = queries("weblog-mining")
BYTES_OF_SEED_1 = "fa4a57b10b187224ebb10fc62f37832dd995db10527990c1345e5c4a67ca5d15"
FILES = {"answers.csv", "counts.tsv", "files_map.tsv", "log.tsv"}
ANSWERS = {"broken", "directories", "top", "types"}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("weblog")
    assert weblog.generate(out, "--scale", "0.001", "--seed", "1").returncode == 0
    return out


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another seed at another scale."""
    out = tmp_path_factory.mktemp("other")
    assert weblog.generate(out, "--scale", "0.02", "--seed", "2").returncode == 0
    return out


@pytest.fixture(scope="module")
def tables(log: Path) -> sqlite3.Connection:
    return weblog.opened(log)


@pytest.fixture(scope="module")
def larger(other: Path) -> sqlite3.Connection:
    return weblog.opened(other)


def number(tables: sqlite3.Connection, asked: str) -> int:
    return int(tables.execute(asked).fetchone()[0])


def test_the_bytes_are_the_same_everywhere(log: Path) -> None:
    assert folder_sha256(log) == BYTES_OF_SEED_1


def test_the_harness_calls_it_in_its_own_process_and_gets_the_same_bytes(log: Path, tmp_path: Path) -> None:
    main = runpy.run_path(str(weblog.GENERATE))["main"]

    assert main(["--scale", "0.001", "--seed", "1", "--out", str(tmp_path)]) == 0

    assert folder_sha256(tmp_path) == folder_sha256(log)


def test_another_seed_gives_other_bytes(log: Path, tmp_path: Path) -> None:
    assert weblog.generate(tmp_path, "--scale", "0.001", "--seed", "2").returncode == 0

    for name in FILES:
        assert (tmp_path / name).read_bytes() != (log / name).read_bytes(), name


def test_the_scale_multiplies_rows_and_files(tables: sqlite3.Connection, larger: sqlite3.Connection) -> None:
    asked = "SELECT (SELECT COUNT(*) FROM log), (SELECT COUNT(*) FROM files_map)"

    assert tables.execute(asked).fetchone() == (3700, 300)
    assert larger.execute(asked).fetchone() == (74_000, 340)


def test_what_engines_must_find_is_what_sqlite_finds(log: Path, tables: sqlite3.Connection) -> None:
    assert (log / "counts.tsv").read_text() == weblog.counts(tables)


def test_the_answers_name_both_tables(log: Path) -> None:
    files = {name: (log / f"{name}.tsv").read_bytes() for name in weblog.TABLES}
    told = [(name, len(each.splitlines()), len(each), hashlib.sha256(each).hexdigest()) for name, each in files.items()]
    lines = [",".join(map(str, each)) for each in told]

    assert (log / "answers.csv").read_text().splitlines() == ["key,rows,length_bytes,sha256", *lines]
    assert {path.name for path in log.iterdir()} == {*FILES, "answers"}


@pytest.mark.parametrize("name", QUERIES)
def test_sqlite_gives_the_right_answer_to_every_query(
    name: str, log: Path, other: Path, tables: sqlite3.Connection, larger: sqlite3.Connection
) -> None:
    assert list(wrong(tables, QUERIES[name], log)) == []
    assert list(wrong(larger, QUERIES[name], other)) == []


def test_no_answer_rests_on_the_order_in_which_an_engine_finds_rows(log: Path) -> None:
    backwards = weblog.opened(log, backwards=True)

    for name, query in QUERIES.items():
        assert list(wrong(backwards, query, log)) == [], name


def test_a_row_more_makes_an_answer_wrong(log: Path) -> None:
    database = weblog.opened(log)

    database.execute("INSERT INTO log SELECT id + 1000000, at, client, file_id, status, data_size, referer, agent"
                     " FROM log WHERE id = 1")  # fmt: skip

    assert [row["rows"] for row in wrong(database, QUERIES["query-2"], log)] == [answer_table(log, "types")[0]["rows"]]


def test_the_rows_of_an_answer_stand_beside_their_checksum(log: Path, tables: sqlite3.Connection) -> None:
    assert {table_of(query) for query in QUERIES.values()} == ANSWERS
    for query in QUERIES.values():
        name = table_of(query)
        (row,) = answer_table(log, name)
        told = (log / "answers" / f"{name}.tsv").read_bytes()
        assert row["checksum"] == hashlib.sha256(told).hexdigest() == checksum(ask(tables, query, row))
        assert int(row["rows"]) == told.count(b"\n")


def test_query_6_finds_directories_and_other_files_have_no_type_either(
    tables: sqlite3.Connection, larger: sqlite3.Connection
) -> None:
    for each in (tables, larger):
        assert len(ask(each, QUERIES["query-6"], {})) >= 10
        assert number(each, "SELECT COUNT(*) FROM files_map WHERE type = '' AND file NOT LIKE '%/'") > 0
        assert number(each, "SELECT COUNT(*) FROM files_map WHERE type <> '' AND file LIKE '%/'") == 0


def test_query_3_finds_transfers_that_were_broken_off(larger: sqlite3.Connection) -> None:
    rows = ask(larger, QUERIES["query-3"], {})

    assert rows[0][1] == 1
    assert len(rows) >= 10
    assert 0.005 <= sum(row[0] for row in rows) / number(larger, "SELECT COUNT(*) FROM log") <= 0.04


def test_every_ranking_has_ties_for_the_rule_to_decide(tables: sqlite3.Connection) -> None:
    for name in ("query-3", "query-6", "top-50"):
        hits = Counter(row[0] for row in ask(tables, QUERIES[name], {}))
        assert max(hits.values()) > 1, name


def test_a_few_files_are_asked_for_most(larger: sqlite3.Connection) -> None:
    rows = ask(larger, QUERIES["top-50"], {})
    total = number(larger, "SELECT COUNT(*) FROM log")

    assert rows[0][1] == "/"
    assert 0.1 <= rows[0][0] / total <= 0.25
    assert 0.5 <= sum(row[0] for row in rows) / total <= 0.85


def test_a_type_is_what_follows_the_last_point_and_every_name_stands_once(larger: sqlite3.Connection) -> None:
    rows = larger.execute("SELECT file, type FROM files_map").fetchall()

    assert all(re.fullmatch(r"/([a-z0-9]+/)*([a-z0-9]+(\.[a-z0-9]+)?)?", file) for file, _ in rows)
    assert all(kind == file.rpartition("/")[2].partition(".")[2] for file, kind in rows)
    assert len({file for file, _ in rows}) == len(rows)


def test_sizes_differ_by_type_and_are_none_where_the_client_had_the_file(larger: sqlite3.Connection) -> None:
    mean = "SELECT AVG(data_size) FROM log JOIN files_map f ON f.id = file_id WHERE status = 200 AND data_size > 0 AND "

    assert number(larger, mean + "type IN ('zip', 'exe', 'mp3')") > 20 * number(larger, mean + "type = 'html'")
    assert number(larger, mean + "type = 'html'") > 3 * number(larger, mean + "type = 'gif'")
    assert number(larger, "SELECT COUNT(*) FROM log WHERE (status = 304) <> (data_size = 0)") == 0
    share = number(larger, "SELECT COUNT(*) FROM log WHERE status = 304") / number(larger, "SELECT COUNT(*) FROM log")
    assert 0.1 <= share <= 0.3


def test_statuses_are_those_of_a_log(larger: sqlite3.Connection) -> None:
    seen = dict(larger.execute("SELECT status, COUNT(*) FROM log GROUP BY status").fetchall())

    assert seen.keys() == {200, 206, 301, 304, 404, 500}
    assert sum(seen.values()) / 2 < seen[200]
    assert number(larger, "SELECT COUNT(DISTINCT file_id) FROM log WHERE status = 404") < 40


def test_people_come_by_day_and_less_at_weekends(larger: sqlite3.Connection) -> None:
    hours = dict(larger.execute("SELECT at / 3600 % 24, COUNT(*) FROM log GROUP BY 1").fetchall())
    days = dict(larger.execute("SELECT (at / 86400 + 3) % 7, COUNT(*) FROM log GROUP BY 1").fetchall())

    assert len(hours) == 24
    assert 5 <= max(hours.values()) / min(hours.values()) <= 12
    assert days[5] < 0.75 * days[2]
    assert number(larger, "SELECT COUNT(*) FROM log l JOIN log n ON n.id = l.id + 1 WHERE n.at < l.at") == 0
    assert number(larger, "SELECT (MAX(at) - MIN(at)) / 86400 FROM log") == 27


def test_visitors_come_again_with_the_program_that_they_have(larger: sqlite3.Connection) -> None:
    asked = "SELECT client, COUNT(*), COUNT(DISTINCT agent) FROM log GROUP BY client"
    rows = larger.execute(asked).fetchall()

    assert {agents for _, _, agents in rows} == {1}
    assert max(count for _, count, _ in rows) > 10 * sorted(count for _, count, _ in rows)[len(rows) // 2]
    assert 0.4 <= number(larger, "SELECT 100 * SUM(referer = '-') / COUNT(*) FROM log") / 100 <= 0.5


def test_texts_fit_their_columns_and_nothing_needs_to_be_escaped(other: Path, larger: sqlite3.Connection) -> None:
    for name, columns in weblog.TABLES.items():
        assert not re.search(rb"[^\t\n !#-\[\]-~]", (other / f"{name}.tsv").read_bytes()), name
        for column, longest in columns.items():
            if longest:
                assert number(larger, f"SELECT MAX(LENGTH({column})) FROM {name}") <= longest, column
            else:
                assert abs(number(larger, f"SELECT MAX(ABS({column})) FROM {name}")) < 2**31, column


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep")

    done = weblog.generate(tmp_path, "--scale", "0.001")

    assert done.returncode == 2
    assert "is not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("scale", ["0", "-1", "1e9", "nan"])
def test_an_impossible_scale_is_refused(tmp_path: Path, scale: str) -> None:
    assert weblog.generate(tmp_path / "out", "--scale", scale).returncode == 2
    assert not (tmp_path / "out").exists()
