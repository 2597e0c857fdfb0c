"""One real run of one subject under one workload, small, kept in a temporary results folder."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from headtohead.cli.run import ground_here, judgment
from headtohead.cli.wiring import Question, read_question
from headtohead.describe import catalog, subjects, workloads
from headtohead.describe.home import Home
from headtohead.execute.bench import Bench
from headtohead.execute.making import Order
from headtohead.execute.prepare import prepare
from headtohead.execute.prepared import check_copies
from headtohead.execute.run import carry_out
from headtohead.model.record import Recorded
from headtohead.model.subject import Subject
from headtohead.model.workload import Workload
from headtohead.store import read, write
from headtohead.store.layout import Layout

ENVIRONMENT = ("foreign-cpu", "steal", "client-limited")
"""What the machine of a test may do to a run; everything else would be the subject's doing."""


def pairs(home: Home) -> Iterator[tuple[Subject, Workload]]:
    """Yield every subject with every workload whose interface it serves."""
    asked = workloads.read_all(home, catalog.read_metrics(home))
    for subject in subjects.read_all(home).values():
        yield from ((subject, each) for each in asked.values() if each.asks in subject.serves)


def study_text(subject: Subject, workload: Workload) -> str:
    """Return a study of one run; a server's load is short, a batch program's is its own."""
    short = "warm_up_s = 0.1\nmeasure_s = 0.3\n" if workload.load.loop == "closed" else ""
    load = f"[experiment.load]\n{short}" if short else ""
    return f"""format = 1
title = "One run of {subject.name}"
seed = 1

[[experiment]]
name = "contract"
question = "Does it honor its interface?"
workload = "{workload.name}"
looks = [1]

[experiment.factors]
subject = ["{subject.name}"]
cpus = [1]

{load}"""


def question(text: str, folder: Path, *, home: Home | None = None) -> Question:
    """Return a study written into a folder, read with its content."""
    path = folder / "contract.toml"
    path.write_text(text)
    return read_question(path, home=home)


def one_run(asked: Question, folder: Path) -> Recorded:
    """Carry out the first run of a study; return it as its folder holds it."""
    plan = asked.plan(asked.machine())
    layout = Layout(folder / "results")
    write.begin(layout, study=asked.text, plan=plan, hosts=())
    with Bench(ground_here(), asked.study, asked.home.datasets, judgment()) as bench:
        prepare(bench, plan)
        affinity = os.sched_getaffinity(0)
        try:
            carry_out(bench, layout, Order(plan.experiments[0], plan.experiments[0].runs[0], 1, 1))
            check_copies(bench, plan)
        finally:
            os.sched_setaffinity(0, affinity)
    return read.recording(layout.root).runs[0]


def own_faults(recorded: Recorded) -> list[str]:
    """Return the reasons of a run that are the subject's own."""
    return [each for each in recorded.run.reasons if not each.startswith(ENVIRONMENT)]


def left_behind() -> Mapping[str, list[str]]:
    """Return what of ours is there beside the caches: processes, directories, cgroups."""
    owned = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"HEADTOHEAD_OWNER=" in (folder / "environ").read_bytes() or "/var/tmp/headtohead-" in str(
                (folder / "cwd").readlink()
            ):
                owned.append((folder / "comm").read_text().strip())
        except OSError:
            continue
    directories = [str(path) for path in Path("/var/tmp").glob("headtohead-*")]
    cgroups = [str(path) for path in Path("/sys/fs/cgroup").glob("**/headtohead-*")]
    return {"processes": owned, "directories": directories, "cgroups": cgroups}


def nothing() -> Mapping[str, list[str]]:
    """Return what `left_behind` should find."""
    return {"processes": [], "directories": [], "cgroups": []}
