"""After a power cut at any moment a results folder is whole: each of its runs has all its files, or is not there."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.model.errors import RecordError
from headtohead.store import durable, read, write
from headtohead.store.layout import Layout
from headtohead.store.proof import seal
from tests.small import experiment, plan, recorded
from tests.store.power import Operation, RecordingDisk, after_cut, lay

Study = tuple[Path, list[Operation], dict[str, int]]
RUNS = 3
MOST_TRIED = 100
OF = experiment("a")
LINE = '{"format": 1, "record": "batch", "case": {}, "work": 5, "work_in": "x", "elapsed_ns": %d, "answer": "right", "metrics": {}}\n'  # noqa: E501


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Return a results folder of three runs, what was done to the disk for it, and when each step had returned."""
    root = tmp_path_factory.mktemp("power") / "results"
    disk, returned = RecordingDisk(), {}
    layout = Layout(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(durable, "DISK", disk)
        write.begin(layout, study=b"format = 1\n", plan=plan(OF), hosts=())
        returned["begin"] = len(disk.done)
        for number in range(1, RUNS + 1):
            files = {
                "records.jsonl": (LINE % number).encode(),
                "readings.csv": b"t_ns,busy_ns\n1,2\n3,4\n",
                "logs/subject.err": b"a line that the subject wrote\n",
            }
            made = recorded("a", OF.runs[number - 1], number=number).run
            write.run(layout, made, files=files, partial=layout.runs / f".{number:04d}-1-2-3")
            returned[f"run {number}"] = len(disk.done)
        write.mark_invalid(layout, 2, reason="data-changed: a row is missing")
        returned["struck"] = len(disk.done)
        write.end(layout, {"a": "decided"})
        returned["end"] = len(disk.done)
    return root, disk.done, returned


def left(study: Study, to: Path, check: Callable[[Layout, int], None]) -> int:
    """Check everything that may be left after a cut at every operation; return how many states there are.

    Equal states of which equal runs were kept are checked once.
    """
    root, done, returned = study
    seen, states = set(), 0
    for count in range(len(done) + 1):
        steps = sum(count >= each for each in returned.values())
        for tree in after_cut(done[:count], root):
            states += 1
            key = (steps, frozenset(tree.items()))
            if key not in seen:
                seen.add(key)
                lay(tree, to / str(states))
                check(Layout(to / str(states)), count)
                shutil.rmtree(to / str(states))
    return states


def test_after_a_cut_at_any_operation_each_run_is_whole_or_absent(study: Study, tmp_path: Path) -> None:
    root, _, returned = study
    right = read.recording(root)

    def check(layout: Layout, count: int) -> None:
        if not layout.plan.exists():
            assert count < returned["begin"]
            return
        found = read.recording(layout.root)
        kept = sum(count >= returned[f"run {number}"] for number in range(1, RUNS + 1))
        assert found.proof is not None
        assert found.proof.flaws == ()
        assert len(found.runs) >= kept, "a run that had been kept is lost"
        assert [each.run.run for each in found.runs] == list(range(1, len(found.runs) + 1))
        struck = count >= returned["struck"]
        for each, whole in zip(found.runs, right.runs, strict=False):
            assert each.records == whole.records
            assert each.run.files == whole.run.files
            assert each.run.status == whole.run.status or (not struck and each.run.run == 2)
        assert count < returned["end"] or (found.stopped == right.stopped and not found.proof.after)

    assert left(study, tmp_path, check) > 1000


def test_a_study_that_is_resumed_after_a_cut_is_sealed_again(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # the power stays on
    healed: set[str] = set()

    def check(layout: Layout, count: int) -> None:
        if not layout.plan.exists():
            return
        write.tidy(layout)
        proof = read.recording(layout.root).proof
        assert proof is not None
        healed.update(proof.after)
        seal.reopen(layout, proof.after)

        found = read.recording(layout.root)

        assert found.proof is not None
        assert set(found.proof.after) <= {"end.json"}, count
        assert not list(layout.root.rglob(".*"))
        write.end(layout, {"a": "decided"})
        done = read.recording(layout.root).proof
        assert done is not None
        assert (done.flaws, done.after) == ((), ())

    left(study, tmp_path, check)
    assert healed == {"runs/0001", "runs/0002", "runs/0003", "excluded.json", "end.json"}


@pytest.mark.parametrize("kind", ["sync", "sync_folder"])
def test_without_its_syncs_a_run_would_be_torn_or_lost(study: Study, tmp_path: Path, kind: str) -> None:
    root, done, _ = study
    trees = list(after_cut([each for each in done if each.kind != kind], root))
    spoiled = 0
    for number, tree in enumerate(trees[:: max(1, len(trees) // MOST_TRIED)]):
        lay(tree, tmp_path / str(number))
        try:
            found = read.recording(tmp_path / str(number))
            spoiled += found.proof is None or bool(found.proof.flaws) or len(found.runs) < RUNS
        except RecordError:
            spoiled += 1

    assert spoiled > 0
