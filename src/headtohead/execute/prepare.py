"""What is made once and kept in the cache: generated data sets, and subjects built from their sources."""

import hashlib
import os
import pwd
import runpy
import shutil
from collections.abc import Sequence
from pathlib import Path

from headtohead.execute.bench import Bench
from headtohead.execute.fill import fill_argv
from headtohead.execute.stand import NO_LIMITS, Ground, Stand
from headtohead.hosts.paths import run_dir
from headtohead.model.errors import SubjectError
from headtohead.model.plan import Plan, Treatment
from headtohead.model.quantity import scalar_text
from headtohead.model.subject import Subject
from headtohead.model.workload import DataSet
from headtohead.store.fingerprint import folder_sha256

WITHIN_S = 600.0
"""The largest data set and the longest build take minutes, never ten."""
VERSION_WITHIN_S = 10.0


def data_key(generator: Path, data: DataSet) -> str:
    """Return what tells one generated data set from another: generator, scale, seed."""
    told = f"{data.set}\n{scalar_text(data.scale)}\n{data.seed}\n".encode()
    return hashlib.sha256(generator.read_bytes() + told).hexdigest()[:16]


def prepare(bench: Bench, plan: Plan) -> None:
    """Make every data set and every build that the plan's runs need; SubjectError names what could not be made."""
    for experiment in plan.experiments:
        if experiment.data is not None:
            folder = data_set(bench.ground, bench.datasets, experiment.data)
            bench.data[experiment.name] = (folder, folder_sha256(folder))
        for treatment in experiment.treatments:
            subject = bench.subject(experiment, treatment.subject)
            if subject.name not in bench.versions:
                bench.versions[subject.name] = version(bench.ground, subject)
            if subject.build is not None:
                bench.builds[subject.name, treatment.label] = build(bench, subject, treatment)


def spoiled(bench: Bench) -> tuple[str, ...]:
    """Return the experiments whose data set is no longer what it was when the study started."""
    return tuple(name for name, (folder, told) in bench.data.items() if folder_sha256(folder) != told)


def version(ground: Ground, subject: Subject) -> str:
    """Return the first line that the subject's version command prints."""
    if subject.install.version is None:
        return "not stated"
    with ground.stand() as stand:
        stand.supervisor.group("subject", NO_LIMITS)
        stand.begin("version", subject.install.version, group="subject")
        stand.supervisor.wait("version", within_s=VERSION_WITHIN_S)
        said = "\n".join(path.read_text(errors="replace") for path in stand.said("version"))
    return next((line.strip() for line in said.splitlines() if line.strip()), "not stated")


def data_set(ground: Ground, datasets: Path, data: DataSet) -> Path:
    """Return the folder of a generated data set, generating it where the cache does not hold it whole."""
    generator = datasets / data.set / "generate.py"
    kept = ground.cache / "datasets" / f"{data.set}-{data_key(generator, data)}"
    sums = kept.with_suffix(".sha256")
    if kept.is_dir() and sums.is_file() and sums.read_text().strip() == folder_sha256(kept):
        return kept
    shutil.rmtree(kept, ignore_errors=True)
    with ground.stand() as stand:
        partial = kept.parent / run_dir(stand.id).name
        kept.parent.mkdir(parents=True, exist_ok=True)
        stand.supervisor.own(partial)
        _generate(generator, data, partial)
        partial.rename(kept)
    sums.write_text(folder_sha256(kept) + "\n")
    return kept


def _generate(generator: Path, data: DataSet, out: Path) -> None:
    """Generate in this process: so it ends with us, and the subjects' user need not reach our interpreter."""
    module = runpy.run_path(str(generator))
    words = ["--scale", scalar_text(data.scale), "--seed", str(data.seed), "--out", str(out)]
    status = module["main"](words)
    if status != 0:
        raise SubjectError(
            f"The data set {data.set} was not generated",
            why=f"its generator ended with {status}.",
            remedy=f"Run {generator.parent.name}/generate.py by hand with {' '.join(words[:4])} --out DIR.",
        )


def build(bench: Bench, subject: Subject, treatment: Treatment) -> Path:
    """Return the folder that a subject was built into, building it on this host where the cache does not hold it."""
    folder = Path(subject.folder)
    settings = sorted((name, treatment.settings[name]) for name, factor in subject.factors.items() if factor.prepares)
    told = f"{bench.versions[subject.name]}\n{settings}\n{folder_sha256(folder)}"
    key = hashlib.sha256(told.encode()).hexdigest()[:16]
    kept = bench.ground.cache / "builds" / f"{subject.name}-{key}"
    if kept.is_dir():
        return kept
    with bench.ground.stand() as stand:
        source, out = stand.run_dir / "source", stand.run_dir / "build"
        shutil.copytree(folder, source)
        out.mkdir()
        give_to(bench.ground.user, out)
        words = {**treatment.settings, "source": str(source), "build": str(out)}
        argv = fill_argv(subject.build or (), words, where=f"[build] of subject {subject.name}")
        _make(stand, argv, what=f"build of subject {subject.name}")
        _keep(stand, out, kept)
    return kept


def give_to(user: str | None, folder: Path) -> None:
    """Make a folder of the run directory writable for whom the programs run as."""
    if user is not None:
        account = pwd.getpwnam(user)
        os.chown(folder, account.pw_uid, account.pw_gid, follow_symlinks=False)


def _make(stand: Stand, argv: Sequence[str], *, what: str) -> None:
    """Run a program to its end; SubjectError with the tail of what it said where it fails."""
    stand.supervisor.group("subject", NO_LIMITS)
    stand.begin("make", argv, group="subject")
    ended = stand.supervisor.wait("make", within_s=WITHIN_S)
    if not ended.exited or ended.code != 0:
        how = f"it ended with {ended.code}: {stand.tail('make')}" if ended.exited else "it took longer than ten minutes"
        raise SubjectError(
            f"The {what} failed", why=f"{how}.", remedy="Mend what it says, or leave the experiment out of the study."
        )


def _keep(stand: Stand, made: Path, kept: Path) -> None:
    """Move what was made into the cache, so that it appears whole or not at all."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    partial = kept.parent / run_dir(stand.id).name
    stand.supervisor.own(partial)
    shutil.copytree(made, partial, symlinks=True)  # what a build links to is not ours to read
    partial.rename(kept)
