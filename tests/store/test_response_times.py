"""The response times of a run: quantiles from the histograms of its log, which is looked at and never trusted."""

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from headtohead.model.case import Case
from headtohead.model.errors import RecordError
from headtohead.model.record import SHARES_BEYOND, Recording
from headtohead.store import read, write
from headtohead.store.layout import Layout
from headtohead.store.run import response_times
from headtohead.store.run.response_times import case_times, timed
from tests.histograms import encoded, log, number, packed
from tests.small import experiment, plan, recorded
from tests.spoiling import spoilings

TEN = '{"connections": 10}'
THREE_DIGITS = 1.001


def drawn(seed: int, *, responses: int, median_ns: float = 1e6) -> list[int]:
    chance = Random(seed)
    return [round(median_ns * math.exp(chance.gauss(0, 0.6))) for _ in range(responses)]


def test_quantiles_are_those_of_all_seconds_together_within_three_digits() -> None:
    seconds = [drawn(second, responses=4000) for second in range(5)]
    (found,) = case_times(log((TEN, seconds)))
    ranked = sorted(each for second in seconds for each in second)

    assert found.case == Case({"connections": 10})
    assert found.responses == len(ranked) == 20_000
    assert len(found.beyond) > 20
    for share, time_ns in found.beyond:
        true = ranked[math.ceil((1 - share) * len(ranked) - 1e-6) - 1]
        assert true <= time_ns <= true * THREE_DIGITS + 1


def test_a_quantile_that_a_handful_of_responses_decides_is_left_out() -> None:
    (found,) = case_times(log((TEN, [drawn(1, responses=10_000)])))
    shares = [share for share, _ in found.beyond]
    assert shares[-1] == 0.01
    assert shares == [each for each in SHARES_BEYOND if each >= 0.01]


def test_of_a_case_that_was_measured_again_the_last_measurement_counts() -> None:
    first, again = drawn(1, responses=300), drawn(2, responses=500, median_ns=3e6)
    other = ('{"connections": 100}', [drawn(3, responses=400)])
    found = {each.case.text: each.responses for each in case_times(log((TEN, [first]), other, (TEN, [again])))}
    assert found == {"connections=10": 500, "connections=100": 400}


def test_a_log_without_a_response_has_no_times() -> None:
    assert case_times("#[Histogram log format version 1.3]\n") == ()
    assert case_times(log((TEN, [[], []]))) == ()


BOMB = packed(b"\0" * (2 * response_times.MOST_COUNTS_BYTES))
WRONG = {
    "no base64": "%%%",
    "too short": "AAAA",
    "no histogram": "HISTFAAAAAR4nAMA",
    "a length that is not its own": packed(number(1), length=7),
    "two digits": packed(number(1), digits=2),
    "a number that does not end": packed(b"\x80"),
    "a count above any": packed(b"\xff" * 8 + b"\x01"),
    "more than may be decompressed": BOMB,
    "more places than times have": packed(number(-100_000) + number(1)),
    "places whose sum overflows": packed(number(-(2**55)) * 600 + number(1)),
    "more responses than there can be": packed(number(2**50)),
}


@pytest.mark.parametrize("payload", WRONG.values(), ids=WRONG)
def test_a_histogram_that_is_not_one_is_refused(payload: str) -> None:
    with pytest.raises(ValueError, match=r"a histogram|base64|padding"):
        case_times(f"#[Case: {TEN}]\nTag=response_time,0.0,1.0,0.0,{payload}\n")


def test_a_spoiled_log_is_read_or_refused() -> None:
    whole, refused = log((TEN, [drawn(1, responses=300)])), list[bool]()
    for text in spoilings("histogram log", whole, times=500):
        try:
            case_times(text)
        except ValueError:
            refused.append(True)
        else:
            refused.append(False)
    assert True in refused
    assert False in refused


def folder(root: Path, *logs: str | None, blocks: int = 4) -> Recording:
    """Return the recording of runs with these logs, in the order of the plan; None: a run without one."""
    layout, asked = Layout(root), experiment("a", looks=(2, blocks))
    write.begin(layout, study=b"format = 1\n", plan=plan(asked), hosts=())
    for place, text in enumerate(logs, start=1):
        made = recorded("a", asked.runs[place - 1], number=place).run
        made = replace(made, status="invalid" if text == "invalid" else "valid", files={})
        files = (
            {} if text is None else {response_times.FILE: (log((TEN, [drawn(place, responses=300)])) + text).encode()}
        )
        write.run(layout, made, files={"records.jsonl": b"", **files}, partial=layout.runs / f".{place}")
    return read.recording(root)


def test_valid_runs_alone_are_read(tmp_path: Path) -> None:
    found = timed(Layout(tmp_path), folder(tmp_path, "", "invalid", None))
    assert [len(each.times) for each in found.runs] == [1, 0, 0]


def test_of_many_runs_some_are_read_from_the_first_to_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_times, "MOST_RUNS", 2)
    found = timed(Layout(tmp_path), folder(tmp_path, *[""] * 6))
    read_of = [each.run.block for each in found.runs if each.run.label == "A" and each.times]
    assert read_of == [1, 3]


def test_a_log_that_is_no_log_is_named(tmp_path: Path) -> None:
    spoiled = f"Tag=response_time,0.0,1.0,0.0,{encoded([5])[:-6]}\n"
    with pytest.raises(RecordError, match=r"0001.times\.hlog cannot be read"):
        timed(Layout(tmp_path), folder(tmp_path, spoiled))


def test_a_log_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_times, "MOST_LOG_BYTES", 100)
    assert [each.times for each in timed(Layout(tmp_path), folder(tmp_path, "")).runs] == [()]
