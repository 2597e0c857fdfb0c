"""Commands at the desk of a rig, from which its machines are reached."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.end_to_end.command import environment
from tests.end_to_end.warm import Asked, Done
from tests.rig.build import Rig

WITHIN_S = 600.0
STUDY = """format = 1
title = "Pages of machines"
seed = 1

[[experiment]]
name = "page"
question = "Which machine serves more pages?"
workload = "static-page"
looks = [LOOK]

[experiment.factors]
subject = ["SUBJECT"]
"""


def with_study(lab: Rig, *, look: int, subject: str, more: str = "") -> Rig:
    """Write a study of one server of pages for the machines; ``more`` goes on with its factors."""
    study_of(lab).write_text(STUDY.replace("LOOK", f"{look}").replace("SUBJECT", subject) + more)
    return lab


def study_of(lab: Rig) -> Path:
    """Return the path of the study."""
    return lab.folder / "study.toml"


def run_study(lab: Rig, results: Path, *, by: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that carries out the study; ``by`` are the words that make Python headtohead."""
    return lab.python(*by, *_run(lab, results))


def ran_study(lab: Rig, results: Path, *, hurried: bool = False) -> Done:
    """Carry out the study, from a warm start."""
    return at_desk(lab, *_run(lab, results), hurried=hurried)


def _run(lab: Rig, results: Path) -> tuple[str | Path, ...]:
    return "run", study_of(lab), "--bench", lab.bench_file, "--results", results


def at_desk(lab: Rig, *words: str | Path, hurried: bool = False) -> Done:
    """Run a command of headtohead at the place from which the machines are reached, from a warm start."""
    asked = Asked([str(each) for each in words], environment(), str(Path.cwd()), hurried=hurried)
    return lab.warm.run(asked, within_s=WITHIN_S)


def done(argv: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(argv, check=False, capture_output=True, text=True, timeout=WITHIN_S, env=environment())


@contextlib.contextmanager
def covered(lab: Rig, name: str, path: str, content: str) -> Iterator[None]:
    """Put another file in the place of one that a machine of the rig has."""
    own = lab.folder / name / "covered"
    own.write_text(content)
    own.chmod(0o755)
    machine = lab.machines[name]
    machine.run("mount", "--bind", "/run/rig/covered", path)
    try:
        yield
    finally:
        machine.run("umount", path)
