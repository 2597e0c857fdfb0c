"""What ``openssl speed`` really printed becomes records; what it printed wrong is not called verified."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PARSE = HERE.parents[1] / "subjects" / "openssl" / "parse.py"
RECORDED = HERE / "openssl"


def parse(stdout: Path, stderr: Path, cases: Path = RECORDED / "both.cases") -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", str(PARSE), str(stdout), str(stderr), str(cases)]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def records(name: str) -> dict[str, dict[str, Any]]:
    done = parse(RECORDED / f"{name}.out", RECORDED / f"{name}.err")
    assert done.returncode == 0, done.stderr
    return {record["case"]["operation"]: record for record in map(json.loads, done.stdout.splitlines())}


def spoiled(folder: Path, *, out: tuple[str, str] = ("", ""), err: tuple[str, str] = ("", "")) -> tuple[Path, Path]:
    """Return the recorded output of two children with one text replaced in each of its two files."""
    stdout, stderr = folder / "out", folder / "err"
    stdout.write_text((RECORDED / "2048-multi-2.out").read_text().replace(*out))
    stderr.write_text((RECORDED / "2048-multi-2.err").read_text().replace(*err))
    return stdout, stderr


@pytest.mark.parametrize(
    ("name", "key", "processes", "signed", "verified"),
    [
        ("512-multi-1", "rsa512", 1, 25097, 267737),
        ("512-multi-2", "rsa512", 2, 36904, 585635),
        ("2048-one", "rsa2048", 1, 2720, 48328),
        ("2048-multi-1", "rsa2048", 1, 2703, 44306),
        ("2048-multi-2", "rsa2048", 2, 5255, 89926),
        ("3072-multi-2", "rsa3072", 2, 920, 43646),
        ("ecdsap256-multi-2", "ecdsap256", 2, 32937, 10461),
        ("ed25519-multi-2", "ed25519", 2, 19081, 6823),
    ],
)
def test_the_counts_of_all_children_are_added(
    *, name: str, key: str, processes: int, signed: int, verified: int
) -> None:
    found = records(name)
    assert {operation: record["work"] for operation, record in found.items()} == {"sign": signed, "verify": verified}
    assert all((each["case"]["key"], each["case"]["processes"]) == (key, processes) for each in found.values())
    assert all(record["answer"] == "verified" for record in found.values())
    assert all(record["elapsed_ns"] == pytest.approx(1e9, rel=0.01) for record in found.values())


def test_a_record_has_the_fields_of_the_batch_interface() -> None:
    assert records("2048-one")["sign"] == {
        "format": 1,
        "record": "batch",
        "case": {"key": "rsa2048", "operation": "sign", "processes": 1},
        "work": 2720,
        "work_in": "operations",
        "elapsed_ns": 1_000_000_000,
        "answer": "verified",
        "metrics": {},
    }


def test_work_over_elapsed_time_is_the_rate_that_openssl_printed(tmp_path: Path) -> None:
    files = spoiled(tmp_path, out=("+F2:2:2048:5255.000000:", "+F2:2:2048:5202.970297:"))
    signed = json.loads(parse(*files).stdout.splitlines()[0])
    assert signed["work"] * 1e9 / signed["elapsed_ns"] == pytest.approx(5202.970297, rel=1e-9)
    assert signed["answer"] == "verified"


def test_a_line_of_failure_is_the_answer(tmp_path: Path) -> None:
    files = spoiled(tmp_path, err=("+DTP:2048:public:rsa:1\n", "RSA verify failure\n"))
    assert [json.loads(line)["answer"] for line in parse(*files).stdout.splitlines()] == ["RSA verify failure"] * 2


def test_what_the_library_does_not_do_is_refused_with_its_words_and_the_rest_counts(tmp_path: Path) -> None:
    files = spoiled(tmp_path, err=("+R1:2560:2048:1.00\n", "RSA sign failure.  No RSA sign will be done.\n"))
    signed, verified = (json.loads(line) for line in parse(*files).stdout.splitlines())
    case = {"key": "rsa2048", "operation": "sign", "processes": 2}
    assert signed == {"format": 1, "record": "refused", "case": case, "reason": "RSA sign failure"}
    assert verified["answer"] == "verified"


def test_a_child_that_counted_nothing_is_not_verified(tmp_path: Path) -> None:
    files = spoiled(tmp_path, err=("+R1:2560:2048:1.00", "+R1:-1:2048:1.00"))
    signed, verified = (json.loads(line) for line in parse(*files).stdout.splitlines())
    assert signed["answer"] == "a child did -1 operations"
    assert verified["answer"] == "verified"


def test_a_child_that_did_not_report_is_not_verified(tmp_path: Path) -> None:
    files = spoiled(tmp_path, err=("+R1:2560:2048:1.00\n", ""))
    signed = json.loads(parse(*files).stdout.splitlines()[0])
    assert signed["answer"] == "1 of 2 children reported"


def test_seconds_per_operation_as_old_versions_print_them_are_not_taken_for_a_rate(tmp_path: Path) -> None:
    files = spoiled(tmp_path, out=("+F2:2:2048:5255.000000:", "+F2:2:2048:0.000190:"))
    signed = json.loads(parse(*files).stdout.splitlines()[0])
    assert signed["answer"] == "a rate of 0.00019/s does not fit 5255 operations in 1 s"


@pytest.mark.parametrize(
    ("out", "err", "says"),
    [
        (("+F2", "-F2"), ("", ""), "openssl printed no rates"),
        (("", ""), ("+R2", "-R2"), "no child reported its count of verify"),
    ],
)
def test_output_without_figures_gives_no_record(
    tmp_path: Path, *, out: tuple[str, str], err: tuple[str, str], says: str
) -> None:
    done = parse(*spoiled(tmp_path, out=out, err=err))
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr


def test_only_what_was_asked_for_is_told(tmp_path: Path) -> None:
    cases = tmp_path / "cases"
    cases.write_text("key=rsa2048,operation=sign,processes=2\n")
    done = parse(RECORDED / "2048-multi-2.out", RECORDED / "2048-multi-2.err", cases)
    assert [json.loads(line)["case"]["operation"] for line in done.stdout.splitlines()] == ["sign"]
