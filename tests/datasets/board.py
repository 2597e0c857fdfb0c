"""The forum's tables read back, and its pages made of them in another way: through SQLite and the interface's SQL."""

import csv
import hashlib
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

GENERATE = Path(__file__).parents[2] / "datasets" / "forum" / "generate.py"
TABLES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "article": (("id", "author", "posted"), ("title", "body")),
    "author": (("id", "joined"), ("name", "signature")),
    "board": (("id", "index_from"), ("title", "about")),
    "message": (("id", "thread", "parent", "author", "posted"), ("subject", "body")),
    "thread": (("id", "board", "author", "posted", "messages", "latest"), ("subject",)),
}
"""Numbers and texts of each table, as docs/reference/interfaces/sql-forum-v1.md has them."""
QUOTED = {'"': "&quot;"}


def generate(out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", str(GENERATE), "--out", str(out), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def answers(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def opened(folder: Path) -> sqlite3.Connection:
    """Return the data set's tables in SQLite, every field read as the interface says."""
    database = sqlite3.connect(":memory:")
    for name, (numbers, texts) in TABLES.items():
        columns = [*(f"{each} INTEGER NOT NULL" for each in numbers), *(f"{each} TEXT NOT NULL" for each in texts)]
        database.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        for line in (folder / f"{name}.tsv").read_bytes().removesuffix(b"\n").split(b"\n"):
            fields = [unescaped(field) for field in line.decode("utf-8").split("\t")]
            marks = ", ".join("?" * len(fields))
            database.execute(f"INSERT INTO {name} VALUES ({marks})", fields)
    return database


def unescaped(field: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], field)


def counts(database: sqlite3.Connection) -> str:
    """Return the lines of counts.tsv, as a subject's check would print them."""
    database.create_function("sum32", 1, lambda text: int(hashlib.md5(text.encode()).hexdigest()[:8], 16))
    lines = []
    for name, (numbers, texts) in TABLES.items():
        lengths = " + ".join(f"LENGTH(CAST({each} AS BLOB))" for each in texts)
        asked = f"COUNT(*), SUM(id), SUM({' + '.join(numbers[1:])}), SUM({lengths}), SUM(sum32({' || '.join(texts)}))"
        lines.append("\t".join([name, *map(str, database.execute(f"SELECT {asked} FROM {name}").fetchone())]) + "\n")
    return "".join(lines)


def index_page(database: sqlite3.Connection) -> str:
    """Return the index of the main board, its tree walked with a stack."""
    title, about, first = database.execute("SELECT title, about, index_from FROM board WHERE id = 1").fetchone()
    rows = database.execute(
        "SELECT m.id, m.parent, m.subject, a.name, m.posted"
        " FROM thread t JOIN message m ON m.thread = t.id JOIN author a ON a.id = m.author"
        " WHERE t.board = 1 AND t.id >= ? ORDER BY t.id, m.id DESC",
        (first,),
    ).fetchall()
    below: dict[int, list[tuple[int, str]]] = {}
    for number, parent, subject, name, posted in rows:
        day = time.strftime("%Y-%m-%d", time.gmtime(posted))
        line = (
            f'<li><a href="/message?id={number}">{escape(subject, QUOTED)}</a> by <span class="author">'
            f'{escape(name, QUOTED)}</span> on <span class="posted">{day}</span>'
        )
        below.setdefault(parent, []).append((number, line))
    lines, stack = list[str](), [[*below[0]]]
    while stack:
        if not stack[-1]:
            stack.pop()
            lines += ["</ul>", "</li>"] if stack else ["</ul>"]
            continue
        number, line = stack[-1].pop()
        if number in below:
            lines += [line, "<ul>"]
            stack.append([*below[number]])
        else:
            lines.append(line + "</li>")
    head = [
        f"<p>{escape(about, QUOTED)}</p>",
        f"<p>{len(rows)} messages in {len(below[0])} threads</p>",
        '<ul class="threads">',
    ]
    return page(title, [*head, *lines])


def article_pages(database: sqlite3.Connection) -> dict[str, str]:
    """Return every article's page by its path, the newest first."""
    rows = database.execute(
        "SELECT r.id, r.title, r.posted, r.body, a.name FROM article r JOIN author a ON a.id = r.author"
        " ORDER BY r.id DESC"
    )
    return {f"/article?id={number}": article_page(*rest) for number, *rest in rows}


def article_page(title: str, posted: int, body: str, name: str) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(posted))
    by = (
        f'<p class="by">by <span class="author">{escape(name, QUOTED)}</span> on <span class="posted">{when}</span></p>'
    )
    blocks = re.sub(
        "^(?!<h2>)(.*)$", r"<p>\1</p>", re.sub("^= (.*)$", r"<h2>\1</h2>", escape(body, QUOTED), flags=re.M), flags=re.M
    )
    return page(title, [by, blocks])


def page(title: str, lines: list[str]) -> str:
    text = escape(title, QUOTED)
    head = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f"<title>{text}</title>",
        "</head>",
    ]
    return "\n".join([*head, "<body>", f"<h1>{text}</h1>", *lines, "</body>", "</html>", ""])
