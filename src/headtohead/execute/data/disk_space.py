"""Disk space, asked for before it is used: data sets and their prepared copies are large."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from headtohead.execute.data.datasets import kept_at, stated_bytes
from headtohead.execute.subject.components import parts_of
from headtohead.hosts import paths
from headtohead.model.case import WHOLE_RUN
from headtohead.model.errors import HostError
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.quantity import scalar_text
from headtohead.model.study.study import Study
from headtohead.model.study.workload import DataSet, Workload

COPY_PER_DATA = 3
"""A prepared copy with its indexes and logs, while it is made, takes up to so many times what the data set does."""
SPARE_BYTES = 256 * 1024 * 1024
"""Left to all others: results, logs, run directories."""


def ask_for(plan: Plan, study: Study, *, datasets: Path, cache: Path) -> None:
    """Raise HostError where the cache's disk has no room for the data of a study, before anything is made.

    What copies of its subjects the cache holds counts as room: they are what is wanted, or make way for it. A data set
    whose size nobody knows yet is asked for when it is there.
    """
    sets = {each.data for each in plan.experiments if each.data is not None}
    bytes_of = {data: data_bytes(data, datasets=datasets, cache=cache) for data in sets}
    new = sum(bytes_of[data] for data in sets if not kept_at(cache, datasets, data).is_dir())
    copies = set(_copies(plan, study))
    copied = sum(2 * COPY_PER_DATA * bytes_of[data] for _, data in copies)  # one to keep, one to work on
    held = [each for name, _ in copies for each in (cache / "prepared").glob(f"{name.split()[0]}-*")]
    ask_bytes(cache, new + max(0, copied - sum(map(size_bytes, set(held)))), what="the study's data")
    most = max((work_bytes(each, asked) for each, asked in _asked(plan, study)), default=0)
    ask_bytes(paths.RUNS, most, what="the files that the study's programs work on")


def work_bytes(planned: PlannedExperiment, workload: Workload) -> int:
    """Return what any case of an experiment may take on the disk of its run, in bytes; 0 where it takes nothing."""
    return max(workload.disk_bytes(case, planned.load) for case in planned.cases or (WHOLE_RUN,))


def data_bytes(data: DataSet, *, datasets: Path, cache: Path) -> int:
    """Return what a data set takes on disk: measured, else as its generator states it, else 0."""
    kept = kept_at(cache, datasets, data)
    return size_bytes(kept) if kept.is_dir() else stated_bytes(datasets, data)


def ask_bytes(folder: Path, wanted: int, *, what: str) -> None:
    """Raise HostError where the disk that a folder lies on, or will, has fewer bytes free than wanted, and a spare."""
    there = next(each for each in (folder, *folder.parents) if each.is_dir())
    free = shutil.disk_usage(there).free
    if wanted > 0 and free < wanted + SPARE_BYTES:
        raise HostError(
            f"There is no room for {what}",
            why=f"It may take {_mib(wanted)} below {folder}, where {_mib(free)} are free.",
            remedy="Make room there (`headtohead clean --caches` removes earlier studies' data), or ask for less data.",
        )


def size_bytes(folder: Path) -> int:
    """Return what the files of a folder take on disk, in bytes."""
    return sum(path.lstat().st_blocks * 512 for path in (folder, *folder.rglob("*")))


def _asked(plan: Plan, study: Study) -> Iterator[tuple[PlannedExperiment, Workload]]:
    """Yield every planned experiment with its workload."""
    workloads = {each.name: each.workload for each in study.experiments}
    return ((each, workloads[each.name]) for each in plan.experiments)


def _copies(plan: Plan, study: Study) -> Iterator[tuple[str, DataSet]]:
    """Yield what tells one prepared copy from another: its subject with the levels that prepare, and the data set."""
    asked = {each.name: each for each in study.experiments}
    for experiment in plan.experiments:
        there = asked[experiment.name]
        for treatment in experiment.treatments if experiment.data is not None else ():
            subject = there.subjects[treatment.subject]
            for part in parts_of(treatment, subject, there.needed, asks=experiment.asks):
                if part.subject.prepare is not None and experiment.data is not None:
                    names = sorted(name for name, factor in part.subject.factors.items() if factor.prepares)
                    levels = " ".join(f"{name}={scalar_text(part.settings[name])}" for name in names)
                    yield f"{part.subject.name} {part.interface} {levels}", experiment.data


def _mib(count: int) -> str:
    return f"{count / 1024**2:,.0f} MiB"
