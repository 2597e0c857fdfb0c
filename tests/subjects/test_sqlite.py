"""SQLite's loader and check, on tables with all that is hard to read in them."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.subjects import tables

SQLITE = Path(__file__).parents[2] / "subjects" / "sqlite"


def run(program: str, *words: object) -> str:
    argv = [sys.executable, "-I", str(SQLITE / program), *map(str, words)]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


@pytest.fixture(params=["delete", "wal"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    tables.write(tmp_path / "data")
    run("load.py", "sql/weblog-v1", request.param, tmp_path / "data", tmp_path / "h2h.sqlite")
    return tmp_path / "h2h.sqlite"


def test_what_is_loaded_is_what_the_data_set_counts(database: Path) -> None:
    assert run("check.py", database) == (database.parent / "data" / "counts.tsv").read_text()


def test_every_field_comes_back_as_it_was_written(database: Path) -> None:
    reader = sqlite3.connect(database)
    assert reader.execute("SELECT * FROM files_map ORDER BY id").fetchall() == list(tables.FILES)
    assert reader.execute("SELECT * FROM log ORDER BY id").fetchall() == list(tables.LOG)
    reader.close()


def test_a_changed_text_and_a_lost_row_are_seen(database: Path) -> None:
    right = run("check.py", database)
    for statement in (
        "UPDATE log SET agent = 'x' || SUBSTR(agent, 2) WHERE id = 1",
        "DELETE FROM files_map WHERE id = 2",
    ):
        writer = sqlite3.connect(database)
        writer.execute(statement)
        writer.commit()
        writer.close()
        changed = run("check.py", database)
        assert changed != right
        right = changed


def test_the_index_is_there_and_the_planner_has_its_statistics(database: Path) -> None:
    reader = sqlite3.connect(database)
    plan = reader.execute("EXPLAIN QUERY PLAN SELECT COUNT(*) FROM log WHERE file_id = 3").fetchall()
    assert "log_file_id" in str(plan)
    assert reader.execute("SELECT COUNT(*) FROM sqlite_stat1").fetchone() != (0,)
    reader.close()


def test_the_forum_s_tables_have_their_indexes(tmp_path: Path) -> None:
    rows = {
        "board": "1\t1\tMain\tAbout\n",
        "author": "1\t5\tA name\t\n",
        "thread": "1\t1\t1\t9\t1\t1\tA subject\n",
        "message": "1\t1\t0\t1\t9\tA subject\tA line\\nand another\n",
        "article": "1\t1\t9\tA title\t= A heading\n",
    }
    for name, text in rows.items():
        (tmp_path / f"{name}.tsv").write_text(text)
    run("load.py", "sql/forum-v1", "delete", tmp_path, tmp_path / "h2h.sqlite")

    reader = sqlite3.connect(tmp_path / "h2h.sqlite")
    named = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name"
    assert [name for (name,) in reader.execute(named)] == ["message_author", "message_thread", "thread_board"]
    assert reader.execute("SELECT body FROM message").fetchone() == ("A line\nand another",)
    reader.close()
    assert run("check.py", tmp_path / "h2h.sqlite").startswith("article\t1\t1\t10\t")
