"""What iperf3 really printed becomes records; what cannot be is not called right."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PARSE = HERE.parents[1] / "subjects" / "iperf3" / "parse.py"
RECORDED = HERE / "iperf3"
WRITTEN = {"operation": "write", "streams": 4, "seconds": 3.0, "omit_s": 1.0, "ended_ns": 9_000_000_000}
READ = {**WRITTEN, "operation": "read", "streams": 1}


def parse(folder: Path, said: str, asked: str, *, link: str = "1gbit") -> subprocess.CompletedProcess[str]:
    stdout, stderr = folder / "out", folder / "err"
    stdout.write_text(said)
    stderr.write_text(f"a warning\n{asked}\n")
    argv = [sys.executable, "-I", str(PARSE), str(stdout), str(stderr), link]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def record(folder: Path, said: str, asked: dict[str, Any], *, link: str = "1gbit") -> dict[str, Any]:
    done = parse(folder, said, json.dumps(asked), link=link)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def written() -> dict[str, Any]:
    said: dict[str, Any] = json.loads((RECORDED / "write-4.json").read_text())
    return said


@pytest.mark.parametrize(("name", "asked"), [("write-4", WRITTEN), ("read-1", READ)])
def test_the_receivers_bytes_and_time_are_told(name: str, asked: dict[str, Any], tmp_path: Path) -> None:
    text = (RECORDED / f"{name}.json").read_text()
    received = json.loads(text)["end"]["sum_received"]

    found = record(tmp_path, text, asked)

    assert found["answer"] == "right"
    assert found["case"] == {"operation": asked["operation"], "streams": asked["streams"]}
    assert (found["work"], found["work_in"]) == (received["bytes"], "bytes")
    assert found["elapsed_ns"] == round(received["seconds"] * 1e9)
    assert found["to_ns"] == asked["ended_ns"]
    assert found["from_ns"] == asked["ended_ns"] - found["elapsed_ns"]
    assert 0.95e9 < 8 * found["work"] / (found["elapsed_ns"] / 1e9) < 0.96e9


def more(said: dict[str, Any]) -> None:
    """Have the receiver tell of a tenth more, in its sum and in its streams."""
    for each in (said["end"]["sum_received"], *(stream["receiver"] for stream in said["end"]["streams"])):
        each["bytes"] = each["bytes"] * 11 // 10
    said["end"]["sum_received"]["bytes"] = sum(each["receiver"]["bytes"] for each in said["end"]["streams"])


def starve(said: dict[str, Any]) -> None:
    first, second = said["end"]["streams"][:2]
    second["receiver"]["bytes"] += first["receiver"]["bytes"]
    first["receiver"]["bytes"] = 0


@pytest.mark.parametrize(
    ("spoil", "answer"),
    [
        (lambda said: said["start"]["test_start"].update(protocol="UDP"), "another test"),
        (lambda said: said["start"]["test_start"].update(reverse=1), "another test"),
        (lambda said: said["start"]["test_start"].update(num_streams=1), "another test"),
        (lambda said: said["start"]["test_start"].update(omit=0), "another test"),
        (lambda said: said["end"]["sum_received"].update(bytes=1), "do not add up"),
        (lambda said: said["end"]["streams"].pop(), "do not add up"),
        (lambda said: said["end"]["sum_received"].update(seconds=4.07), "4.07 s, not 3"),
        (lambda said: said["end"]["sum_sent"].update(bytes=2_000_000_000), "2000000000 bytes were sent"),
        (starve, "nothing was received by a stream"),
        (more, "more than a link of 1gbit carries"),
    ],
)
def test_figures_that_cannot_be_are_not_right(
    spoil: Callable[[dict[str, Any]], object], answer: str, tmp_path: Path
) -> None:
    said = written()
    spoil(said)
    assert answer in record(tmp_path, json.dumps(said), WRITTEN)["answer"]


def test_a_link_that_is_not_shaped_has_no_most(tmp_path: Path) -> None:
    said = written()
    more(said)
    assert record(tmp_path, json.dumps(said), WRITTEN, link="unshaped")["answer"] == "right"


@pytest.mark.parametrize(
    ("said", "asked"), [("", json.dumps(WRITTEN)), ('{"error": "x"}', "{}"), ("{}", "x"), ("[]", "1")]
)
def test_what_holds_no_figures_makes_no_record(said: str, asked: str, tmp_path: Path) -> None:
    done = parse(tmp_path, said, asked)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no figures" in done.stderr
