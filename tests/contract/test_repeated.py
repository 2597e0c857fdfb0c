"""A run that is carried out once more as its clients began late: the end of the log shows why."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from headtohead.model.record import Recorded
from tests.conftest import NOTED, pytest_terminal_summary
from tests.contract.bench import LATE, REPEATED, once_more_if_kept


def recorded(*reasons: str) -> Recorded:
    return cast(Recorded, SimpleNamespace(run=SimpleNamespace(reasons=reasons)))


def test_why_a_run_is_carried_out_once_more_is_kept_with_what_its_clients_printed(tmp_path: Path) -> None:
    (tmp_path / "0001/logs").mkdir(parents=True)
    (tmp_path / "0001/logs/batch.log").write_text("2 clients started\n1 of 2 processes running\n")
    attempts = {1: recorded("clients=2: wrong", f"2 clients {LATE}: set 20 seconds"), 2: recorded()}
    try:
        assert once_more_if_kept(attempts.__getitem__, tmp_path) is attempts[2]
        (why,) = REPEATED
    finally:
        REPEATED.clear()

    assert why.splitlines()[1:] == [
        "clients=2: wrong",
        f"2 clients {LATE}: set 20 seconds",
        "batch.log: 2 clients started",
        "batch.log: 1 of 2 processes running",
    ]


def test_a_run_in_which_no_request_ended_is_carried_out_once_more(tmp_path: Path) -> None:
    attempts = {1: recorded("no-response: no request ended in the measured 0.3 s in connections=10"), 2: recorded()}
    try:
        assert once_more_if_kept(attempts.__getitem__, tmp_path) is attempts[2]
        assert len(REPEATED) == 1
    finally:
        REPEATED.clear()


def test_a_run_that_fails_otherwise_is_not_carried_out_again(tmp_path: Path) -> None:
    assert once_more_if_kept({1: recorded("no bytes were moved")}.__getitem__, tmp_path).run.reasons
    assert REPEATED == []


@pytest.mark.parametrize("outcome", ["", "error"])
def test_the_end_of_the_log_shows_what_tests_noted(outcome: str) -> None:
    printed: list[str] = []
    report = SimpleNamespace(when="teardown", nodeid="test_files.py::test_samba", user_properties=[(NOTED, "late")])
    reporter: Any = SimpleNamespace(stats={outcome: [report], "warnings": [object()]}, write_line=printed.append)

    pytest_terminal_summary(reporter)

    assert printed == ["test_files.py::test_samba: late"]
