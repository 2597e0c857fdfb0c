"""Room on the disk, asked for before anything is made."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.execute.data.disk_space import check_study_space, size_bytes
from headtohead.model.case import Case
from headtohead.model.errors import HostError
from tests.execute.laboratory import Laboratory


def test_room_for_a_whole_study_is_asked_for_before_anything_is_made(
    laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")
    study_context, cache = laboratory.study_context, laboratory.folder / "cache"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=256 * 1024**2))
    check_study_space(laboratory.plan, study_context.study, datasets=study_context.datasets, cache=cache)

    generator = study_context.datasets["tiny"] / "generate.py"
    stated = generator.read_text() + "\nBYTES_AT_SCALE_1 = 10_000_000\n"
    (laboratory.folder / "stated" / "tiny").mkdir(parents=True)
    (laboratory.folder / "stated" / "tiny" / "generate.py").write_text(stated)

    with pytest.raises(HostError, match="no room for the study's data") as caught:
        check_study_space(
            laboratory.plan, study_context.study, datasets={"tiny": laboratory.folder / "stated" / "tiny"}, cache=cache
        )

    assert "67 MiB" in caught.value.why  # the set itself, and twice three times that for the store's only copy
    assert list(cache.iterdir()) == []


def test_a_size_counts_what_is_on_disk(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 10_000)

    assert 10_000 <= size_bytes(tmp_path) < 100_000


def test_room_is_asked_for_what_the_largest_case_of_a_workload_writes(
    laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_context, cache = laboratory.study_context, laboratory.folder / "cache"
    usage = shutil.disk_usage("/")
    (asked,) = study_context.study.experiments
    (planned,) = laboratory.plan.experiments
    load = replace(planned.load, settings={**planned.load.settings, "size_mib": 1024})
    writes = replace(asked, workload=replace(asked.workload, data=None, disk_mib=("processes", "size_mib", 1.5)))
    cases = tuple(Case({"processes": number}) for number in (1, 4, 2))
    plan = replace(laboratory.plan, experiments=(replace(planned, data=None, load=load, cases=cases),))
    study = replace(study_context.study, experiments=(writes,))
    needed = (6 * 1024 + 256) * 1024**2  # four files of one and a half GiB, and the spare

    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=needed))
    check_study_space(plan, study, datasets=study_context.datasets, cache=cache)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=needed - 1))
    with pytest.raises(HostError, match="no room for the files that the study's programs work on") as caught:
        check_study_space(plan, study, datasets=study_context.datasets, cache=cache)

    assert "6,144 MiB in /var/tmp" in caught.value.why
