"""One run of a batch program, on a machine that is not there: what it says, leaves and refuses."""

from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.hosts.fake.script import Launch, Outcome
from headtohead.model.case import Case
from headtohead.model.record import RefusedRecord
from headtohead.store.untrusted.bounds import MOST_RECORDED_BYTES
from tests.execute.laboratory import Ready

BATCH = """format = 1
title = "On a fake machine"
seed = 1

[[experiment]]
name = "kernels"
question = "Which?"
workload = "kernel-sweep-8"
looks = [6]

[experiment.factors]
subject = ["c-kernels"]
copies = [1, 2]
"""
SIGNING = """format = 1
title = "On a fake machine"
seed = 1

[[experiment]]
name = "rsa"
question = "Which?"
workload = "rsa"
primary = "operations_per_s"
looks = [6]

[experiment.factors]
subject = ["openssl"]
cpus = [1]

[experiment.load]
key = ["rsa512"]
processes = [1]
"""


def test_a_batch_program_that_leaves_a_case_out_is_failed(ready: Callable[[str], Ready]) -> None:
    place = ready(BATCH)
    place.script.program = lambda _: Outcome(takes_s=0.5, stdout="")

    found = place.run()

    assert found.run.status == "failed"
    assert "gave nothing" in found.run.reasons[0]


@pytest.mark.parametrize(
    "said",
    [
        "[]\n",
        '{"format": 1, "record": "batch", "case": 3}\n',
        '{"format": 1, "record": "batch", "case": {}, "work": 1, "work_in": "x", "elapsed_ns": 0, "answer": 1, "metrics": {}}\n',  # noqa: E501
        '{"format": 1, "record": "batch", "case": {}, "from_ns": "soon"}\n',
        "[" * 200_000 + "\n",
    ],
)
def test_records_that_are_none_fail_the_run_and_not_the_study(ready: Callable[[str], Ready], said: str) -> None:
    place = ready(BATCH)
    place.script.program = lambda _: Outcome(takes_s=0.5, stdout=said)

    found = place.run()

    assert found.run.status == "failed"
    assert "cannot be used" in found.run.reasons[0]


def test_records_without_end_fail_the_run_and_are_not_read(ready: Callable[[str], Ready]) -> None:
    place = ready(BATCH)
    place.script.program = lambda _: Outcome(takes_s=0.5, stdout="{}\n" * (MOST_RECORDED_BYTES // 2))

    found = place.run()

    assert found.run.status == "failed"
    assert "its records have more than 512 KiB" in found.run.reasons[0]


def test_readings_that_cannot_be_read_fail_the_run_and_not_the_study(
    ready: Callable[[str], Ready],
) -> None:
    place = ready(BATCH)

    def spoils(_: Launch) -> Outcome:
        (place.host.supervises[-1].run_dir / "readings.csv").write_text("t_ns\nabc\n")
        return Outcome(takes_s=0.5, code=3)

    place.script.program = spoils
    place.script.answer = lambda asked, answer: None if asked["do"] == "wait" else answer
    found = place.run()

    assert found.run.status == "failed"
    assert any("readings.csv cannot be read" in each for each in found.run.reasons)
    assert found.readings is None


def test_a_link_that_a_subject_lays_for_us_is_neither_read_nor_written(
    ready: Callable[[str], Ready], tmp_path: Path
) -> None:
    place = ready(BATCH)
    (tmp_path / "secret").write_text("secret")

    def lays_links(_: Launch) -> Outcome:
        run = place.host.supervises[-1].run_dir
        for name in ("times.hlog", "records.jsonl", "logs/more.err"):
            (run / name).symlink_to(tmp_path / "secret")
        return Outcome(takes_s=0.5, code=3)

    place.script.program = lays_links
    found = place.run()

    kept = place.layout.run(1)
    assert found.run.status == "failed"
    assert (tmp_path / "secret").read_text() == "secret"
    assert not any("secret" in each.read_text() for each in kept.rglob("*") if each.is_file())


def test_a_batch_program_that_fails_is_a_failed_run_with_its_last_words(
    ready: Callable[[str], Ready],
) -> None:
    place = ready(BATCH)
    place.script.program = lambda _: Outcome(takes_s=0.5, stderr="out of paper\n", code=3)

    found = place.run()

    assert found.run.status == "failed"
    assert "ended with 3" in found.run.reasons[0]
    assert "out of paper" in found.run.reasons[0]


def test_what_a_program_says_it_does_not_do_is_kept_as_refused_and_the_run_counts(
    ready: Callable[[str], Ready],
) -> None:
    place = ready(SIGNING)
    place.script.program = lambda _: Outcome(takes_s=0.5, stderr="speed: Unknown algorithm rsa512\n", code=1)

    found = place.run()

    reason = "speed: Unknown algorithm rsa512"
    cases = [Case({"key": "rsa512", "operation": each, "processes": 1}) for each in ("sign", "verify")]
    assert set(map(str, found.records)) == {str(RefusedRecord(case, reason)) for case in cases}
    assert found.run.status == "valid"
    assert found.run.reasons == ()
