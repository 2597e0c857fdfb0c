"""DuckDB's client without DuckDB: what it asks, judges, counts and prints, of an engine that answers as told."""

import base64
import json
import struct
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "subjects" / "duckdb"

STAND_IN = '''
"""An engine that answers from the text of what it is asked: rows of one number, a wait in ms, or an error."""
import time

NEVER_NS = 1 << 62

class InterruptedQuery(Exception): ...
class RefusedQuery(Exception): ...

class Engine:
    def __init__(self, file, *, threads, writes):
        self.opened = (file, threads, writes)
    def __enter__(self):
        return self
    def __exit__(self, *told):
        return None
    def seat(self):
        self.seats = getattr(self, "seats", [])
        self.seats.append(Seat())
        return self.seats[-1]

class Seat:
    over = False
    def abandon(self):
        self.over = True
    def ask(self, sql, values, *, until_ns):
        word, _, number = sql.partition(" ")
        if word == "REFUSE":
            raise RefusedQuery("no such table")
        due_ns = time.monotonic_ns() + int(float(number) * 1e6)
        while time.monotonic_ns() < due_ns:
            if self.over or time.monotonic_ns() >= until_ns:
                raise InterruptedQuery
            time.sleep(0.0005)
        return [(7, None), ("x", *values)]
'''
RIGHT = sha256(b"7\t\\N\nx\n").hexdigest()


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """Return a copy of the client in which the engine is another."""
    folder = tmp_path / "client"
    folder.mkdir()
    for each in (FOLDER / "client").glob("*.py"):
        (folder / each.name).write_text(each.read_text())
    (folder / "engine.py").write_text(STAND_IN)
    return folder


def ask(client: Path, queries: Sequence[dict[str, Any]], *words: str) -> subprocess.CompletedProcess[str]:
    mix = client.parent / "mix.json"
    mix.write_text(json.dumps({"queries": queries}))
    argv = [sys.executable, "-I", str(client), "--file", "h2h.duckdb", "--mix", str(mix), "--json", "-", *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def told(client: Path, queries: Sequence[dict[str, Any]], *words: str) -> dict[str, Any]:
    done = ask(client, queries, *words)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def query(name: str, sql: str = "WAIT 2", **words: object) -> dict[str, Any]:
    return {"name": name, "weight": 1, "sql": sql, "parameters": [], "rows": 2, "checksum": None, **words}


def table(client: Path, text: str) -> str:
    path = client.parent / "answers.csv"
    path.write_text(text)
    return str(path)


def test_a_record_is_one_of_the_schema_s(client: Path) -> None:
    record = told(client, [query("q2")], "--warm-up", "10ms", "--duration", "3s", "--case", '{"query":"q2"}')

    schema = json.loads((ROOT / "schemas" / "record.json").read_text())
    plain = {name: value for name, value in record.items() if name not in ("queries", "rows")}
    jsonschema.validate(plain, schema)
    assert record["case"] == {"query": "q2"}
    assert record["sent"] == record["right"] > 10
    assert record["rows"] == 2 * record["sent"]
    assert record["queries"]["q2"]["sent"] == record["sent"]
    assert record["elapsed_ns"] == 3_000_000_000


def test_times_are_those_of_one_request_after_another(client: Path) -> None:
    record = told(client, [query("q2")], "--warm-up", "0s", "--requests", "50")  # none is given up at the end

    assert record["sent"] == record["right"] == 50
    assert 2_000_000 <= record["response_time_p50_ns"] <= record["elapsed_ns"] / 25  # half of them took as long
    assert record["littles_law_error"] < 0.1


def test_so_many_requests_end_the_window(client: Path) -> None:
    record = told(client, [query("a"), query("b", weight=0)], "--warm-up", "0s", "--requests", "7")

    assert (record["sent"], list(record["queries"])) == (7, ["a"])
    assert record["to_ns"] - record["from_ns"] == record["elapsed_ns"] >= 14_000_000


def test_a_request_counts_for_its_part_within_the_window(client: Path) -> None:
    adding = (
        "import sys; sys.path.insert(0, sys.argv[1]); from tally import Course, Tally\n"
        "counted = Tally(100, 200, 500, None)\n"
        "for begin_ns, end_ns in [(50, 120), (150, 160), (190, 230), (10, 90)]:\n"
        "    counted.add(Course('a', begin_ns, begin_ns, end_ns, None))\n"
        "counted.under_way(180, 400)\n"
        "print(counted.ended_ns, counted.under_way_ns, len(counted.courses))"
    )
    done = subprocess.run([sys.executable, "-c", adding, str(client)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["40", "60", "2"]


def test_no_more_requests_are_counted_than_were_to_be_made(client: Path) -> None:
    adding = (
        "import sys; sys.path.insert(0, sys.argv[1]); from tally import Course, Tally\n"
        "counted = Tally(0, 10, 5, None, 2)\n"
        "print([counted.add(Course('a', 0, 0, 1, None)) for _ in range(4)], len(counted.courses))"
    )
    done = subprocess.run([sys.executable, "-c", adding, str(client)], capture_output=True, text=True, check=True)

    assert done.stdout == "[False, True, False, False] 2\n"


def test_users_ask_beside_each_other_and_the_last_of_so_many_requests_ends_it_for_all(client: Path) -> None:
    timed = told(client, [query("a", sql="WAIT 20")], "--connections", "4", "--warm-up", "0s", "--duration", "3s")
    assert timed["case"] == {"connections": 4}
    assert 4 < timed["sent"] <= 4 * 150
    assert timed["concurrency_mean"] == pytest.approx(4, abs=0.5)

    # With this seed the second user draws the slow query first, and no other user draws it so early.
    words = ("--connections", "3", "--warm-up", "0s", "--requests", "5", "--timeout", "60s", "--seed", "2")
    counted = told(client, [query("a", sql="WAIT 20"), query("slow", sql="WAIT 30000", weight=0.1)], *words)
    assert counted["sent"] == 5
    assert counted["elapsed_ns"] < 10_000_000_000


def test_wrong_rows_wrong_checksums_and_refusals_are_told_apart(client: Path) -> None:
    of = {"table": table(client, f"id,sum,rows\n1,{RIGHT},2\n"), "column": "sum"}
    wrong = {"table": table(client, f"id,sum,rows\n1,{RIGHT},2\n"), "column": "sum"}
    right = told(client, [query("a", checksum=of, sample=1.0)], "--warm-up", "0s", "--requests", "3")
    assert (right["right"], right["errors"]) == (3, {})

    table(client, f"id,sum,rows\n1,{'0' * 64},2\n")
    spoiled = told(client, [query("a", checksum=wrong, sample=1.0)], "--warm-up", "0s", "--requests", "3")
    assert (spoiled["right"], spoiled["errors"]) == (0, {"wrong-checksum": 3})

    fewer = told(client, [query("a", rows=3)], "--warm-up", "0s", "--requests", "3")
    assert fewer["errors"] == {"wrong-rows": 3}
    refused = told(client, [query("a", sql="REFUSE")], "--warm-up", "0s", "--requests", "3")
    assert refused["errors"] == {"error-answer": 3}


def test_a_query_that_takes_too_long_is_a_timeout_of_at_least_the_timeout(client: Path) -> None:
    words = ("--warm-up", "0s", "--requests", "2", "--timeout", "20ms")
    record = told(client, [query("slow", sql="WAIT 30000")], *words)

    assert record["errors"] == {"timeout": 2}
    assert 20_000_000 <= record["response_time_p50_ns"] < 30_000_000_000
    assert record["response_rate_per_s"] == 0


def test_what_is_under_way_when_the_window_ends_is_abandoned(client: Path) -> None:
    words = ("--warm-up", "0s", "--duration", "100ms", "--timeout", "5s")
    record = told(client, [query("slow", sql="WAIT 3000")], *words)

    assert (record["sent"], record["response_time_p99_ns"]) == (0, None)
    assert record["concurrency_mean"] == pytest.approx(1, abs=0.2)


def test_values_come_from_one_row_and_counted_ones_rise(client: Path) -> None:
    right = sha256(b"7\t\\N\nx\t4\tfour\t9\n").hexdigest()
    path = table(client, f"id,name,rows,sum\n4,four,2,{right}\n")
    parameters = [{"table": path, "column": "id"}, {"table": path, "column": "name"}, {"counts_from": 9}]
    due: dict[str, Any] = {
        "rows": {"table": path, "column": "rows"},
        "checksum": {"table": path, "column": "sum"},
        "sample": 1,
    }
    record = told(client, [query("a", parameters=parameters, **due)], "--warm-up", "0s", "--requests", "2")

    assert record["errors"] == {"wrong-checksum": 1}  # the second one counts 10


def test_the_histogram_log_holds_every_request(client: Path) -> None:
    log = client.parent / "times.hlog"
    for _ in range(2):
        record = told(client, [query("a")], "--warm-up", "0s", "--duration", "150ms", "--hlog", str(log))

    lines = log.read_text().splitlines()
    assert lines[0] == "#[Histogram log format version 1.3]"
    assert sum(each.startswith("#[Case: ") for each in lines) == 2
    last = {each.partition(",")[0]: each.rpartition(",")[2] for each in lines if each.startswith("Tag=")}
    assert set(last) == {"Tag=response_time", "Tag=service_time", "Tag=a"}
    assert sum(count for _, count in counts(last["Tag=response_time"])) == record["sent"]


OF_H2H_LOAD = (
    "HISTFAAAAH14nC2KMQrCQAAE1zkPOY4gcqQIJqSwCCK+QSwktZ2QPn+wT5cyL8gj8gqf4ANsLVNKEreYhWHSpguSai0z/19J"
    "isbyoct3Ee+SHBxPEoYNlhhxxWPJZhrwBPwUHTmw58SOeFYOR+BORsULtkTYqcw5c+Pj6NcUtIYf8UwN5Q=="
)
"""Fifty times as h2h-load wrote them, from 1 to 60 s."""


def test_a_histogram_has_the_very_bytes_that_h2h_load_gives_it(client: Path) -> None:
    times = [value for place, count in counts(OF_H2H_LOAD) for value in [lowest(place)] * count]
    told = "import json, sys; sys.path.insert(0, sys.argv[1]); import hlog; values = json.load(sys.stdin)"
    argv = [sys.executable, "-c", f"{told}; print(hlog.encoded(values, longest=60_000_000_000))", str(client)]
    done = subprocess.run(argv, input=json.dumps(times), capture_output=True, text=True, check=True)

    assert len(times) == 50
    assert unpacked(done.stdout) == unpacked(OF_H2H_LOAD)


def lowest(place: int) -> int:
    """Return the lowest value of a place among the counts."""
    bucket = max(0, (place >> 10) - 1)
    return (place - (bucket << 10)) << bucket


def unpacked(text: str) -> bytes:
    packed = base64.b64decode(text)
    assert struct.unpack(">ii", packed[:8]) == (0x1C849314, len(packed) - 8)
    return zlib.decompress(packed[8:])


def counts(text: str) -> list[tuple[int, int]]:
    """Return the places that hold something, with how much."""
    plain = unpacked(text)
    assert struct.unpack(">iiii", plain[:16])[0] == 0x1C849313
    found, place, number, shift = [], 0, 0, 0
    for byte in plain[40:]:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            count = (number >> 1) ^ -(number & 1)
            if count > 0:
                found.append((place, count))
            place += max(1, -count)
            number = shift = 0
    return found


@pytest.mark.parametrize("words", [("--connections", "1001"), ("--rate", "5"), ("--duration", "5"), ("--cursor",)])
def test_what_it_cannot_do_is_refused_as_wrong_words(client: Path, words: tuple[str, ...]) -> None:
    done = ask(client, [query("a")], *words)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_the_version_that_it_states_is_the_one_that_is_pinned() -> None:
    pinned = [each for each in (FOLDER / "requirements.lock").read_text().splitlines() if each.startswith("duckdb==")]
    subject = tomllib.loads((FOLDER / "subject.toml").read_text())

    version = pinned[0].removeprefix("duckdb==").split()[0]
    assert subject["install"]["version"] == ["echo", f"DuckDB {version}"]
