"""`headtohead noise`: the floor is kept, later studies carry it, and reports say what it says."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headtohead.analyze.noise_floor import replay
from headtohead.analyze.study import analyze
from headtohead.cli.commands import check, noise
from headtohead.model.errors import RecordError
from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.noise import NoiseFloor
from headtohead.report.study.intervals_and_error_rates import claim_terms
from headtohead.report.study.noise_floor import noise_caveat, noise_sentences
from headtohead.report.terminal import summary
from headtohead.store.machine_records import keep_floor, read_floor
from tests.analyze.building import blocks_of, recording, steady
from tests.analyze.suites import CPU
from tests.analyze.test_replay import noise as values
from tests.analyze.test_replay import trace
from tests.report import pages

FLOOR = replay(trace(values()), comparisons=200)


def test_a_floor_is_read_as_it_was_kept(tmp_path: Path) -> None:
    assert read_floor(tmp_path) is None
    keep_floor(tmp_path, FLOOR)
    kept = read_floor(tmp_path)
    assert kept is not None
    loose: dict[str, Any] = {"spread": 0, "detectable": (), "blocking_gain": 0, "false_interval": None}
    assert replace(kept, **loose) == replace(FLOOR, **loose)
    assert kept.false_interval == pytest.approx(FLOOR.false_interval, rel=1e-8)
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
    assert any(
        text.startswith("Noise floor: of 200 comparisons") for _, text in claim_terms(analyze(with_one), with_one)
    )
    assert any("`headtohead run noise` compares" in text for _, text in claim_terms(analyze(bare), bare))


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


CLEAR = {"apache": steady(1000), "nginx": steady(1130)}
ALIKE = {"apache": steady(1000), "nginx": steady(1000)[::-1]}
OTHERS = (replace(CPU, facts=tuple(replace(each, value="another") for each in CPU.facts)),)


def told_everywhere(
    values: dict[str, list[float]], floor: NoiseFloor | None, hosts: tuple[HostFacts, ...]
) -> list[str]:
    """Return the report of a study on such a machine in each of its forms."""
    own = replace(recording(blocks_of(values)), noise=floor, hosts=hosts)
    analysis = analyze(own)
    wide = summary.render(analysis, own, width=1000)
    return [wide, pages.markdown(analysis, own), pages.html(analysis, own)]


def test_no_form_of_a_report_names_a_winner_without_a_caveat_where_the_floor_is_of_before_a_change() -> None:
    for text in told_everywhere(CLEAR, FLOOR, OTHERS):
        assert "faster than apache" in text
        assert "With a caveat" in text
        assert "before a change of model" in text


def test_the_caveat_stands_beside_winners_alone_and_only_where_there_is_cause() -> None:
    assert all("With a caveat" not in text for text in told_everywhere(ALIKE, FLOOR, OTHERS))
    assert all("With a caveat" not in text for text in told_everywhere(CLEAR, FLOOR, (CPU,)))


def test_every_form_says_the_floor_or_that_there_is_none() -> None:
    assert all("Noise floor: of 200 comparisons" in text for text in told_everywhere(CLEAR, FLOOR, (CPU,)))
    terminal, *pages_ = told_everywhere(CLEAR, None, (CPU,))
    assert all("was not measured" in text for text in pages_)
    assert "Not shown: " in terminal
    assert "noise alone." in terminal


def test_a_machine_whose_noise_names_winners_too_often_says_so_beside_each() -> None:
    loud = replace(FLOOR, false_winners=30, false_interval=(0.103, 0.207), most_by_chance=16)
    (told,) = noise_sentences(loud, (CPU,))
    assert "30 named a winner (15 %, interval 10.3 % to 20.7 %; 5 % is what the checks allow)" in told
    assert "more than chance explains (up to 16)" in told
    assert "named a winner in 15 % of the comparisons" in noise_caveat(loud, (CPU,))
    assert all("With a caveat" in text for text in told_everywhere(CLEAR, loud, (CPU,)))


def test_a_floor_of_before_there_were_intervals_is_still_read(tmp_path: Path) -> None:
    keep_floor(tmp_path, FLOOR)
    words = json.loads((tmp_path / "noise.json").read_text())
    for each in ("false_interval", "most_by_chance"):
        del words[each]
    (tmp_path / "noise.json").write_text(json.dumps(words))
    kept = read_floor(tmp_path)
    assert kept is not None
    assert not kept.too_often
    assert ", interval" not in noise_sentences(kept, (CPU,))[0]


def test_check_reckons_with_the_floor_while_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "cache_dir", lambda: tmp_path)
    monkeypatch.setattr(check, "read_facts", lambda _: CPU)
    assert check.spread_here() == (0.03, "on a usual machine")
    keep_floor(tmp_path, FLOOR)
    spread, where = check.spread_here()
    assert spread == pytest.approx(FLOOR.spread)
    assert where == "by this machine's noise floor (nginx)"
    monkeypatch.setattr(check, "read_facts", lambda _: OTHERS[0])
    assert check.spread_here()[1] == "on a usual machine"
