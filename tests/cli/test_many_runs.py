"""The invented results of `make bench-report` are what a study would leave: nothing in them is doubted."""

from pathlib import Path

from benches.make_runs import Asked, make
from headtohead.analyze.study import analyze
from headtohead.model.finding import Severity
from headtohead.store import read


def test_invented_runs_are_proved_and_their_verdicts_are_not_withheld(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    make(folder, Asked(runs=24, experiments=2))
    recording = read.recording(folder)
    assert recording.proof is not None
    assert not recording.proof.flaws
    analysis = analyze(recording)
    found = [*analysis.findings, *(one for each in analysis.experiments for one in each.findings)]
    assert [each.id for each in found if each.severity is Severity.INVALID] == []
    assert [len(each.comparisons) for each in analysis.experiments] == [1, 1]
