"""The data set "forum" is the same bytes everywhere, is shaped as a board is, and says of itself what it holds."""

import hashlib
import re
import runpy
import sqlite3
import zlib
from collections import Counter
from pathlib import Path

import pytest

from tests.datasets import board

ANSWERS_OF_SEED_1 = "0b35190a8de9af48d593659a6a13c102d28412def540c094b33e5119e63da000"
COUNTS_OF_SEED_1 = "d4cb138b8c6d07f68a41165ab76bad76a9e7e852477666e2e992aa9c456dbbce"
LONGEST = {"title": 120, "about": 400, "name": 60, "signature": 400, "subject": 120}


@pytest.fixture(scope="module")
def forum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("forum")
    assert board.generate(out, "--scale", "0.001", "--seed", "1").returncode == 0
    return out


@pytest.fixture(scope="module")
def tables(forum: Path) -> sqlite3.Connection:
    return board.opened(forum)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another seed at another scale."""
    out = tmp_path_factory.mktemp("other")
    assert board.generate(out, "--scale", "0.01", "--seed", "2").returncode == 0
    return out


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def number(tables: sqlite3.Connection, asked: str) -> int:
    return int(tables.execute(asked).fetchone()[0])


def test_the_bytes_are_the_same_everywhere(forum: Path) -> None:
    assert sha256((forum / "answers.csv").read_bytes()) == ANSWERS_OF_SEED_1
    assert sha256((forum / "counts.tsv").read_bytes()) == COUNTS_OF_SEED_1


def test_the_harness_calls_it_in_its_own_process_and_gets_the_same_bytes(forum: Path, tmp_path: Path) -> None:
    main = runpy.run_path(str(board.GENERATE))["main"]

    assert main(["--scale", "0.001", "--seed", "1", "--out", str(tmp_path)]) == 0

    assert files(tmp_path) == files(forum)


def test_another_seed_gives_other_bytes(forum: Path, other: Path) -> None:
    these, others = files(forum), files(other)

    assert these.keys() == others.keys()
    assert [name for name, content in these.items() if others[name] == content] == []


def test_the_scale_multiplies_all_but_the_index_and_the_boards(tables: sqlite3.Connection, other: Path) -> None:
    asked = "SELECT (SELECT COUNT(*) FROM message), (SELECT COUNT(*) FROM author), (SELECT COUNT(*) FROM article)"
    larger = board.opened(other)

    assert tables.execute(asked).fetchone() == (985 + 700, 300, 20)
    assert larger.execute(asked).fetchone() == (985 + 7000, 300, 20)
    for each in (tables, larger):
        assert number(each, "SELECT COUNT(*) FROM board") == 12
        assert "<p>985 messages in " in board.index_page(each)


def test_what_engines_must_find_is_what_sqlite_finds(forum: Path, tables: sqlite3.Connection) -> None:
    assert (forum / "counts.tsv").read_text() == board.counts(tables)


def test_the_index_equals_one_rendered_from_the_tables_in_another_way(forum: Path, other: Path) -> None:
    for folder in (forum, other):
        assert (folder / "board.html").read_bytes() == board.index_page(board.opened(folder)).encode()


def test_every_article_equals_one_rendered_from_the_tables_in_another_way(
    forum: Path, tables: sqlite3.Connection
) -> None:
    pages = {path: text.encode() for path, text in board.article_pages(tables).items()}

    told = [(each["path"], int(each["length_bytes"]), each["sha256"]) for each in board.answers(forum / "articles.csv")]

    assert told == [(path, len(content), sha256(content)) for path, content in pages.items()]
    for article in (1, 2, 3):
        assert (forum / f"article-{article}.html").read_bytes() == pages[f"/article?id={article}"]


def test_the_answers_name_every_table_and_every_page(forum: Path) -> None:
    index = (forum / "board.html").read_bytes()
    pages = [*board.answers(forum / "board.csv"), *board.answers(forum / "articles.csv")]
    files = {name: (forum / f"{name}.tsv").read_bytes() for name in board.TABLES}

    assert pages[0] == {"path": "/board", "length_bytes": str(len(index)), "sha256": sha256(index)}
    assert board.answers(forum / "answers.csv") == [
        *(
            {"key": name, "rows": str(each.count(b"\n")), "length_bytes": str(len(each)), "sha256": sha256(each)}
            for name, each in files.items()
        ),
        *({"key": each.pop("path"), "rows": "", **each} for each in pages),
    ]


def test_ids_have_no_gaps_and_times_rise_with_them(tables: sqlite3.Connection) -> None:
    for name in board.TABLES:
        ids = [row[0] for row in tables.execute(f"SELECT id FROM {name}")]
        assert ids == list(range(1, len(ids) + 1)), name
    for name in ("message", "thread", "article"):
        times = [row[0] for row in tables.execute(f"SELECT posted FROM {name} ORDER BY id")]
        assert times == sorted(set(times)) if name != "article" else sorted(times), name


def test_every_message_answers_an_older_one_of_its_thread_or_begins_it(tables: sqlite3.Connection) -> None:
    odd = """SELECT COUNT(*) FROM message m LEFT JOIN message p ON p.id = m.parent
              WHERE CASE WHEN p.id IS NULL THEN m.parent <> 0 OR m.subject LIKE 'Re: %'
                         ELSE p.thread <> m.thread OR p.id >= m.id OR m.subject NOT LIKE 'Re: %' END"""
    assert number(tables, odd) == 0
    assert number(tables, "SELECT COUNT(*) FROM message WHERE parent = 0") == number(
        tables, "SELECT COUNT(*) FROM thread"
    )


def test_a_thread_says_what_its_messages_are(tables: sqlite3.Connection) -> None:
    told = "SELECT id, author, posted, subject, messages, latest FROM thread ORDER BY id"
    seen = """SELECT h.thread, h.author, h.posted, h.subject, COUNT(*), MAX(m.id) FROM message h
                JOIN message m ON m.thread = h.thread WHERE h.parent = 0 GROUP BY h.id ORDER BY h.thread"""
    assert tables.execute(told).fetchall() == tables.execute(seen).fetchall()


def test_the_index_is_a_tree_as_boards_have_them(tables: sqlite3.Connection) -> None:
    depths = """WITH RECURSIVE deep (id, depth) AS (
                  SELECT m.id, 1 FROM message m JOIN thread t ON t.id = m.thread
                   WHERE m.parent = 0 AND t.board = 1 AND t.id >= (SELECT index_from FROM board WHERE id = 1)
                  UNION ALL SELECT m.id, depth + 1 FROM message m JOIN deep ON m.parent = deep.id)
                SELECT COUNT(*), MAX(depth), SUM(depth = 1), SUM(depth = 2) FROM deep"""
    count, deepest, threads, replies = tables.execute(depths).fetchone()

    assert count == 985
    assert 5 <= deepest <= 30
    assert 70 <= threads <= 160
    assert replies > threads


def test_few_people_write_most_of_the_index(forum: Path) -> None:
    names = Counter(re.findall('class="author">([^<]*)<', (forum / "board.html").read_text(encoding="utf-8")))

    assert 100 <= len(names) <= 300
    assert 0.05 <= names.most_common(1)[0][1] / 985 <= 0.25


def test_pages_shrink_as_the_articles_did(forum: Path, other: Path) -> None:
    for folder in (forum, other):
        index = (folder / "board.html").read_bytes()
        assert 145_000 <= len(index) <= 170_000
        assert 13 <= len(index) / len(zlib.compress(index, 6)) <= 17
        for path in folder.glob("article-*.html"):
            article = path.read_bytes()
            assert 24_500 <= len(article) <= 31_000
            assert 3 <= len(article) / len(zlib.compress(article, 6)) <= 5


def test_messages_quote_what_they_answer_and_are_signed(tables: sqlite3.Connection) -> None:
    asked = """SELECT m.body, p.body, a.name, w.signature FROM message m JOIN message p ON p.id = m.parent
                 JOIN author a ON a.id = p.author JOIN author w ON w.id = m.author"""
    quoting = signed = 0
    rows = tables.execute(asked).fetchall()
    for body, answered, name, signature in rows:
        lines = body.split("\n")
        if lines[0] == f"{name} wrote:":
            quoting += 1
            said = [line.removeprefix("> ") for line in lines[1:] if line.startswith("> ")]
            assert 1 <= len(said) <= 3
            assert all(line in answered for line in said)
        assert body.endswith(f"\n\n-- \n{signature}") if signature else "\n-- \n" not in body
        signed += bool(signature)

    assert 0.5 <= quoting / len(rows) <= 0.7
    assert 0.1 <= signed / len(rows) <= 0.7


def test_words_are_as_unequal_as_in_prose(tables: sqlite3.Connection) -> None:
    text = " ".join(row[0] for row in tables.execute("SELECT body FROM message")).lower()
    words = Counter(re.findall("[a-zéö]+", text))
    total = sum(words.values())

    assert 0.03 <= words.most_common(1)[0][1] / total <= 0.15
    assert 0.4 <= sum(count for _, count in words.most_common(100)) / total <= 0.8


def test_texts_fit_their_columns_and_hold_what_must_be_escaped(forum: Path, tables: sqlite3.Connection) -> None:
    for name, (_, texts) in board.TABLES.items():
        for column in texts:
            longest = number(tables, f"SELECT MAX(LENGTH({column})) FROM {name}")
            assert longest <= LONGEST.get(column, 60_000), (name, column)
    for mark in "&<>\"'\\é":
        assert number(tables, f"SELECT COUNT(*) FROM message WHERE INSTR(body, CHAR({ord(mark)}))") > 0, mark
    for mark in '&<>"é':
        assert number(tables, f"SELECT COUNT(*) FROM article WHERE INSTR(body, CHAR({ord(mark)}))") > 0, mark
    for name in board.TABLES:
        assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", (forum / f"{name}.tsv").read_bytes()), name


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep")

    done = board.generate(tmp_path, "--scale", "0.001")

    assert done.returncode == 2
    assert "is not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("scale", ["0", "-1", "1e9", "nan"])
def test_an_impossible_scale_is_refused(tmp_path: Path, scale: str) -> None:
    assert board.generate(tmp_path / "out", "--scale", scale).returncode == 2
    assert not (tmp_path / "out").exists()
