"""The program that signs with keys of a token: what it counts, what it checks, and what it refuses."""

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

SUBJECT = Path(__file__).parents[2] / "subjects" / "openssl-token"
TOLD = tomllib.loads((SUBJECT / "subject.toml").read_text())
MODULE = Path("/usr/lib/softhsm/libsofthsm2.so")
HEADER = Path("/usr/include/openssl/evp.h")

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not HEADER.exists() or not shutil.which("gcc"), reason="libssl-dev or gcc is not installed"),
]
token = pytest.mark.skipif(
    not MODULE.exists() or not shutil.which("pkcs11-tool"), reason="softhsm2 or opensc is not installed"
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("openssl-token")
    subprocess.run(["make", "--silent", "--jobs=2", f"--directory={SUBJECT}", f"OUT={out}"], check=True)
    return out / "openssl-token"


def records(
    program: Path, *cases: str, run: Path, provider: str = "default", more: tuple[str, ...] = ()
) -> list[Mapping[str, Any]]:
    """Start the program as the subject does, for 0.05 s a case."""
    (run / "cases").write_text("".join(f"{each}\n" for each in cases))
    words = {"build": program.parent, "cases": run / "cases", "seconds": 0.05, "provider": provider, "run": run}
    argv = [re.sub(r"@(\w+)@", lambda found: str(words[found[1]]), part) for part in TOLD["batch"]["argv"]]
    done = subprocess.run([*argv, *more], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def asked(key: str, *, processes: int = 1) -> list[str]:
    return [f"key={key},operation={each},processes={processes}" for each in ("sign", "verify")]


def test_every_key_signs_and_verifies_and_each_case_says_when(program: Path, tmp_path: Path) -> None:
    keys = ("rsa512", "rsa1024", "rsa2048", "ecdsap256", "ed25519")
    found = records(program, *(case for key in keys for case in asked(key)), run=tmp_path)

    assert [each["case"]["key"] for each in found] == [key for key in keys for _ in range(2)]
    assert {each["answer"] for each in found} == {"verified"}
    for each in found:
        assert each["work"] > 0
        assert each["elapsed_ns"] == each["to_ns"] - each["from_ns"] >= 49_000_000
    assert all(before["to_ns"] <= after["from_ns"] for before, after in pairwise(found))


def test_a_key_that_is_not_the_signer_s_verifies_nothing(program: Path, tmp_path: Path) -> None:
    cases = (*asked("rsa1024"), *asked("ecdsap256"), *asked("ed25519", processes=2))
    found = records(program, *cases, run=tmp_path, more=("--judge", "wrong"))
    assert {each["answer"] for each in found} == {"a signature does not verify with the public key"}


@token
def test_processes_share_a_token_that_lies_in_the_run_s_directory(program: Path, tmp_path: Path) -> None:
    cases = (*asked("rsa2048", processes=4), *asked("ecdsap256", processes=3))
    found = records(program, *cases, run=tmp_path, provider="pkcs11")
    assert [each["answer"] for each in found] == ["verified"] * 4
    assert [each["case"]["processes"] for each in found] == [4, 4, 3, 3]
    assert list((tmp_path / "tokens").iterdir())


@token
def test_a_key_of_another_token_is_not_the_one_that_signs(program: Path, tmp_path: Path) -> None:
    found = records(program, *asked("rsa1024"), run=tmp_path, provider="pkcs11", more=("--judge", "wrong"))
    assert {each["answer"] for each in found} == {"a signature does not verify with the public key"}


@token
def test_what_the_token_does_not_do_is_refused_with_a_reason_and_the_rest_goes_on(
    program: Path, tmp_path: Path
) -> None:
    found = records(program, *asked("ed25519", processes=2), *asked("rsa1024"), run=tmp_path, provider="pkcs11")
    if found[0]["record"] == "batch":
        pytest.skip("this version of the engine does Ed25519")
    assert [each["record"] for each in found] == ["refused", "refused", "batch", "batch"]
    assert found[0]["case"] == {"key": "ed25519", "operation": "sign", "processes": 2}
    assert found[0]["reason"]


@pytest.mark.parametrize("case", ["key=rsa1,operation=sign,processes=1", "key=rsa512,operation=sign", "bits=512"])
def test_a_case_that_is_none_ends_the_program(program: Path, tmp_path: Path, case: str) -> None:
    (tmp_path / "cases").write_text(f"{case}\n")
    argv = [str(program), "--cases", str(tmp_path / "cases"), "--seconds", "0.01"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert "is not understood" in done.stderr
