"""`headtohead noise`: the floor is kept, later studies carry it, and reports say what it says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.analyze.analyze import analyze
from headtohead.analyze.replay import replay
from headtohead.cli import noise
from headtohead.model.errors import RecordError
from headtohead.report.explain import scope
from headtohead.report.noise import noise_sentences
from headtohead.store.noise import keep_floor, read_floor
from tests.analyze.building import recording
from tests.analyze.suites import CPU
from tests.analyze.test_replay import noise as values
from tests.analyze.test_replay import trace

FLOOR = replay(trace(values()), comparisons=200)


def test_a_floor_is_read_as_it_was_kept(tmp_path: Path) -> None:
    assert read_floor(tmp_path) is None
    keep_floor(tmp_path, FLOOR)
    kept = read_floor(tmp_path)
    assert kept is not None
    assert replace(kept, spread=0, detectable=(), blocking_gain=0) == replace(
        FLOOR, spread=0, detectable=(), blocking_gain=0
    )
    assert kept.spread == pytest.approx(FLOOR.spread, rel=1e-8)


def test_what_is_no_floor_is_refused(tmp_path: Path) -> None:
    (tmp_path / "noise.json").write_text('{"format": 1, "folder": "<script>"}')
    with pytest.raises(RecordError):
        read_floor(tmp_path)


def test_without_a_floor_the_report_says_how_to_get_one() -> None:
    assert "headtohead run noise" in noise_sentences(None, (CPU,))[0]


def test_with_one_the_report_says_what_noise_alone_does() -> None:
    (told,) = noise_sentences(FLOOR, (CPU,))
    assert f"{FLOOR.false_winners} named a winner" in told
    assert "after 6 blocks" in told
    assert "with this kernel and these settings" in told


def test_one_of_before_a_change_does_not_speak_for_the_machine() -> None:
    others = tuple(replace(each, value="another") if each.name == "model" else each for each in CPU.facts)
    (told,) = noise_sentences(FLOOR, (replace(CPU, facts=others),))
    assert "before a change of model" in told


def test_every_report_carries_it() -> None:

    bare = recording([])
    with_one = replace(bare, noise=FLOOR, hosts=(CPU,))
    assert any(each.startswith("Noise floor: of 200 comparisons") for each in scope(analyze(with_one), with_one))
    assert any("No noise floor" in each for each in scope(analyze(bare), bare))


def test_the_command_says_what_is_kept_and_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(noise, "cache_dir", lambda: tmp_path)
    with pytest.raises(RecordError) as missing:
        noise.command(None)
    assert "headtohead run noise" in str(missing.value)
    keep_floor(tmp_path, FLOOR)
    noise.command(None, json=True)
    assert json.loads(capsys.readouterr().out)["false_winners"] == FLOOR.false_winners
