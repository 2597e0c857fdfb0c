"""The right answers of the data set "forum" are those that SQLite gives to the workload's own queries."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.store.fingerprint import folder_sha256
from tests.datasets import board
from tests.datasets.asked import answer_table, ask, queries, table_of, wrong

QUERIES = queries("forum-read")
READS = [name for name, query in QUERIES.items() if not query.get("writes")]
ANSWERS_OF_SEED_1 = "5bea22c85cbdd921ebbb88c942bda5af2090ed3834a41e5608e29c05b24fbb93"
TABLES = {"article", "author", "board", "index", "message", "post", "search", "thread"}


@pytest.fixture(scope="module", params=[("0.001", "1"), ("0.01", "2")], ids=["small", "larger"])
def forum(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("forum")
    scale, seed = request.param
    assert board.generate(out, "--scale", scale, "--seed", seed).returncode == 0
    return out


@pytest.fixture(scope="module")
def tables(forum: Path) -> sqlite3.Connection:
    database = board.opened(forum)
    for name in board.TABLES:
        database.execute(f"CREATE UNIQUE INDEX {name}_id ON {name} (id)")
    for columns in ("thread, id", "author, posted"):
        database.execute(f"CREATE INDEX message_{columns[:6]} ON message ({columns})")
    database.execute("CREATE INDEX thread_board ON thread (board, id)")
    database.commit()
    return database


@pytest.fixture
def changing(tables: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Yield the tables; what a test changes in them is put back."""
    yield tables
    tables.rollback()


def test_the_bytes_of_the_answers_are_the_same_everywhere(tmp_path: Path) -> None:
    assert board.generate(tmp_path, "--scale", "0.001", "--seed", "1").returncode == 0

    assert folder_sha256(tmp_path / "answers") == ANSWERS_OF_SEED_1


@pytest.mark.parametrize("name", READS)
def test_sqlite_gives_every_right_answer(name: str, forum: Path, tables: sqlite3.Connection) -> None:
    assert answer_table(forum, table_of(QUERIES[name]))
    assert list(wrong(tables, QUERIES[name], forum)) == []


def test_a_word_that_is_changed_makes_the_answers_wrong_that_hold_it(forum: Path, changing: sqlite3.Connection) -> None:
    row = answer_table(forum, "message")[0]
    thread = changing.execute("SELECT thread FROM message WHERE id = ?", (int(row["id"]),)).fetchone()[0]

    changing.execute("UPDATE message SET subject = subject || '.' WHERE id = ?", (int(row["id"]),))

    assert list(wrong(changing, QUERIES["message"], forum)) == [row]
    assert [each["id"] for each in wrong(changing, QUERIES["thread"], forum)] == [str(thread)]


def test_what_is_written_changes_no_answer(forum: Path, changing: sqlite3.Connection) -> None:
    posts = answer_table(forum, "post")
    for number, row in enumerate(posts):
        ask(changing, QUERIES["post"], row, number=number)

    assert changing.execute("SELECT COUNT(*) FROM message WHERE id >= 1000000000").fetchone() == (len(posts),)
    for name in READS:
        assert list(wrong(changing, QUERIES[name], forum)) == [], name


def test_what_is_written_reads_as_a_message_does(forum: Path) -> None:
    posts = answer_table(forum, "post")

    assert len(posts) == 1000
    assert all(1 <= len(row["subject"]) <= 120 for row in posts)
    assert all(100 <= len(row["body"]) <= 4000 for row in posts)


def test_every_query_asks_of_a_table_and_every_table_is_asked_of(forum: Path) -> None:
    assert {table_of(query) for query in QUERIES.values()} == TABLES
    assert {path.name for path in (forum / "answers").iterdir()} == {f"{name}.csv" for name in TABLES}


def test_all_threads_and_articles_are_asked_for_the_newest_first(forum: Path, tables: sqlite3.Connection) -> None:
    for name in ("thread", "article"):
        ids = [row[0] for row in tables.execute(f"SELECT id FROM {name} ORDER BY id DESC")]
        assert [int(row["id"]) for row in answer_table(forum, name)] == ids


def test_pages_of_an_index_follow_each_other_without_gaps(forum: Path, tables: sqlite3.Connection) -> None:
    pages = answer_table(forum, "index")

    assert [int(row["board"]) for row in pages[:12]] == list(range(1, 13))
    for number in range(1, 13):
        newest = [row[0] for row in tables.execute("SELECT id FROM thread WHERE board = ? ORDER BY id DESC", (number,))]
        shown = [each[0] for row in pages if int(row["board"]) == number for each in ask(tables, QUERIES["index"], row)]
        assert shown == newest[:150]


def test_a_search_finds_none_some_and_as_many_as_it_shows(forum: Path) -> None:
    found = {int(row["messages"]) for row in answer_table(forum, "search")}

    assert {0, 25} < found
    assert max(found) == 25


def test_no_field_needs_quotes(forum: Path) -> None:
    for path in (forum / "answers").iterdir():
        text = path.read_text(encoding="utf-8")
        assert '"' not in text
        assert len({line.count(",") for line in text.splitlines()}) == 1
