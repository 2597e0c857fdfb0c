"""Check disk space before it is used: data sets and their prepared copies are large."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from headtohead.execute.data.datasets import DataSets, data_set_folder, stated_bytes
from headtohead.execute.subject.list_subjects_of_treatment import parts_of
from headtohead.hosts import paths
from headtohead.model.case import WHOLE_RUN
from headtohead.model.errors import HostError
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.quantity import scalar_text
from headtohead.model.study.study import Study
from headtohead.model.study.workload import DataSet, Workload

COPY_PER_DATA = 3
"""The largest size of a prepared copy with indexes and logs, while it is made, as a multiple of its data set."""
SPARE_BYTES = 256 * 1024 * 1024
"""Kept free for everything else: results, logs, run directories."""


def check_sets_space(plan: Plan, *, datasets: DataSets, cache: Path) -> None:
    """Raise HostError if the cache's disk has too little space for the data sets of a study alone.

    On a bench the copies of them are on other machines.
    """
    sets = {each.data for each in plan.experiments if each.data is not None}
    new = [each for each in sets if not data_set_folder(cache, datasets, each).is_dir()]
    wanted = sum(data_bytes(each, datasets=datasets, cache=cache) for each in new)
    check_free_space(cache, wanted, what="the study's data sets")


def check_study_space(plan: Plan, study: Study, *, datasets: DataSets, cache: Path) -> None:
    """Raise HostError if the cache's disk has too little space for a study's data, before anything is made.

    The cache's copies for these subjects count as free space: the study uses them, or replaces them. A data set of
    unknown size is checked once it exists.
    """
    sets = {each.data for each in plan.experiments if each.data is not None}
    bytes_of = {data: data_bytes(data, datasets=datasets, cache=cache) for data in sets}
    new = sum(bytes_of[data] for data in sets if not data_set_folder(cache, datasets, data).is_dir())
    copies = set(_copies(plan, study))
    copied = sum(2 * COPY_PER_DATA * bytes_of[data] for _, data in copies)  # one to keep, one to work on
    held = [each for name, _ in copies for each in (cache / "prepared").glob(f"{name.split()[0]}-*")]
    check_free_space(cache, new + max(0, copied - sum(map(size_bytes, set(held)))), what="the study's data")
    most = max((work_bytes(each, workload) for each, workload in _workloads(plan, study)), default=0)
    check_free_space(paths.RUNS, most, what="the files that the study's programs work on")


def work_bytes(planned: PlannedExperiment, workload: Workload) -> int:
    """Return the most disk space that a case of an experiment may use in its run, in bytes; 0 if it uses none."""
    return max(workload.disk_bytes(case, planned.load) for case in planned.cases or (WHOLE_RUN,))


def data_bytes(data: DataSet, *, datasets: DataSets, cache: Path) -> int:
    """Return a data set's size on disk in bytes: measured, else from its generator, else 0."""
    kept = data_set_folder(cache, datasets, data)
    return size_bytes(kept) if kept.is_dir() else stated_bytes(datasets, data)


def check_free_space(folder: Path, wanted: int, *, what: str) -> None:
    """Raise HostError unless the disk of a folder, which may not exist yet, has the wanted bytes and a spare free."""
    there = next(each for each in (folder, *folder.parents) if each.is_dir())
    check_room(shutil.disk_usage(there).free, wanted, what=what, where=str(folder))


def check_room(free: int | None, wanted: int, *, what: str, where: str) -> None:
    """Raise HostError unless the wanted bytes and a spare are free; a machine that does not say has room."""
    if free is not None and wanted > 0 and free < wanted + SPARE_BYTES:
        raise HostError(
            f"There is no room for {what}",
            why=f"It may need {_mib(wanted)} in {where}, where {_mib(free)} are free.",
            remedy="Free space there (`headtohead clean --caches` removes earlier studies' data), or use less data.",
        )


def size_bytes(folder: Path) -> int:
    """Return the size of a folder's files on disk, in bytes."""
    return sum(path.lstat().st_blocks * 512 for path in (folder, *folder.rglob("*")))


def _workloads(plan: Plan, study: Study) -> Iterator[tuple[PlannedExperiment, Workload]]:
    """Yield every planned experiment with its workload."""
    workloads = {each.name: each.workload for each in study.experiments}
    return ((each, workloads[each.name]) for each in plan.experiments)


def _copies(plan: Plan, study: Study) -> Iterator[tuple[str, DataSet]]:
    """Yield the key of each prepared copy: its subject with the levels that change the data, and the data set."""
    experiments = {each.name: each for each in study.experiments}
    for experiment in plan.experiments:
        there = experiments[experiment.name]
        for treatment in experiment.treatments if experiment.data is not None else ():
            subject = there.subjects[treatment.subject]
            for part in parts_of(treatment, subject, there.needed, asks=experiment.asks):
                if part.subject.prepare is not None and experiment.data is not None:
                    names = sorted(name for name, factor in part.subject.factors.items() if factor.prepares)
                    levels = " ".join(f"{name}={scalar_text(part.settings[name])}" for name in names)
                    yield f"{part.subject.name} {part.interface} {levels}", experiment.data


def _mib(count: int) -> str:
    return f"{count / 1024**2:,.0f} MiB"
