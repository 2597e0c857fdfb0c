"""Prepare a study before its first run: data sets, builds, versions, prepared copies."""

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from headtohead.execute.context.study_context import StudyContext, part_key
from headtohead.execute.data.datasets import data_set, data_set_folder
from headtohead.execute.data.working_copies import copy_tree
from headtohead.execute.prepare.prepared_data import make_copies
from headtohead.execute.prepare.remote_build import build_there
from headtohead.execute.sandbox import NO_LIMITS, Environment, Sandbox
from headtohead.execute.subject.fill_templates import fill_argv
from headtohead.hosts.cache_locks import making
from headtohead.hosts.facts.cpu import instructions_of
from headtohead.hosts.file_owners import share_tree
from headtohead.hosts.kernel_files import Tree
from headtohead.hosts.paths import run_dir
from headtohead.hosts.software.userlands import Userland
from headtohead.model.errors import SubjectError
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.record import NOT_STATED
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import DataSet
from headtohead.store.fingerprint import content_sha256, folder_sha256

WITHIN_S = 600.0
"""The largest data set and the longest build take less than ten minutes."""
VERSION_WITHIN_S = 10.0
NATIVE = "native"
"""The compilers' word for the CPU that they run on: such a build is only for CPUs of that kind."""


def prepare(study_context: StudyContext, plan: Plan) -> None:
    """Make every data set, build and prepared copy that the plan needs; raises SubjectError if one fails."""
    versions: dict[tuple[str, tuple[str, ...]], str] = {}
    for experiment in plan.experiments:
        if experiment.data is not None:
            _provide_data(study_context, experiment, experiment.data)
        for treatment in experiment.treatments:
            userland = study_context.userland(treatment)
            for part in study_context.parts(experiment, treatment):
                subject, key = part.subject, part_key(part, experiment, treatment)
                argv = version_argv(subject, part.settings)
                of = ("" if userland is None else userland.facts, argv)
                if of not in versions:
                    versions[of] = version(study_context.environment, argv, userland)
                found = study_context.versions[key] = versions[of]
                if subject.build is not None:
                    made = build(study_context, subject, part.settings, version=found, userland=userland)
                    study_context.builds[key] = made
    make_copies(study_context, plan)


def _provide_data(study_context: StudyContext, experiment: PlannedExperiment, data: DataSet) -> None:
    """Make a data set on this machine unless it is there; on a bench, send it to the machines that use it."""
    environment, datasets, name = study_context.environment, study_context.datasets, experiment.name
    if not data.files and not data_set_folder(environment.at_home.cache, datasets, data).is_dir():
        study_context.show(f"Generating the data set {data.set}; it is kept for later studies.")
    files_from = study_context.workload(experiment).files_from
    folder = data_set(environment.at_home, datasets, data, files_from=files_from)
    study_context.data[name] = (folder, folder_sha256(folder))
    if environment.elsewhere is not None:
        study_context.local_data[name] = folder
        study_context.data[name] = (environment.elsewhere.push(folder), study_context.data[name][1])
        for label, driver in environment.drivers.items():
            if driver.elsewhere is not None:
                study_context.far_data[name, label] = driver.elsewhere.push(folder)


def changed_data_sets(study_context: StudyContext) -> tuple[str, ...]:
    """Return the experiments whose data set has changed since the study started."""
    return tuple(
        name
        for name, (_, sha256) in study_context.data.items()
        if folder_sha256(study_context.data_here(name)) != sha256
    )


def version_argv(subject: Subject, settings: Mapping[str, Scalar]) -> tuple[str, ...]:
    """Return the subject's version command at these settings; empty if it has none."""
    return tuple(fill_argv(subject.install.version or (), settings, where=f"version of subject {subject.name}"))


def version(environment: Environment, argv: tuple[str, ...], userland: Userland | None = None) -> str:
    """Return the first line that a version command prints, in a userland with its facts."""
    if userland is not None:
        return f"{_first_line(environment, argv, userland.root)} ({userland.facts})"
    return _first_line(environment, argv, None)


def _first_line(environment: Environment, argv: tuple[str, ...], root: Path | None) -> str:
    if not argv:
        return NOT_STATED
    with environment.sandbox(userland=root) as sandbox:
        sandbox.supervisor.group("subject", NO_LIMITS)
        sandbox.begin("version", argv, group="subject")
        sandbox.supervisor.wait("version", within_s=VERSION_WITHIN_S)
        said = "\n".join(sandbox.read(path) for path in sandbox.output_files("version"))
    return next((line.strip() for line in said.splitlines() if line.strip()), NOT_STATED)


def build(
    study_context: StudyContext,
    subject: Subject,
    settings: Mapping[str, Scalar],
    *,
    version: str,
    userland: Userland | None = None,
) -> Path:
    """Return the folder of a subject's build; build it on this host, in its userland, unless the cache holds it.

    Builds of different userlands are different, as the facts of a userland are part of the version.
    """
    folder = Path(subject.folder)
    argv = subject.build or ()
    of = sorted((name, settings[name]) for name in subject.factors if any(f"@{name}@" in word for word in argv))
    inputs = f"{version}\n{of}\n{content_sha256(folder)}"
    if any(NATIVE in text for text in (*argv, *(scalar_text(level) for _, level in of))):
        there = study_context.environment.elsewhere
        inputs += f"\n{instructions_of(Tree()) if there is None else there.instructions}"
    key = hashlib.sha256(inputs.encode()).hexdigest()[:16]
    kept = study_context.environment.cache / "builds" / f"{subject.name}-{key}"

    def make(sandbox: Sandbox, source: Path, out: Path) -> None:
        words = {**settings, "source": str(source), "build": str(out), "run": str(sandbox.run_dir)}
        filled = fill_argv(argv, words, where=f"[build] of subject {subject.name}")
        _make(sandbox, filled, what=f"build of subject {subject.name}")

    if study_context.environment.elsewhere is not None:
        return build_there(study_context.environment, folder, kept, make=make)
    sums = kept.with_name(f"{kept.name}.sha256")
    with making(kept):
        if kept.is_dir() and sums.is_file() and sums.read_text().strip() == folder_sha256(kept):
            return kept
        shutil.rmtree(kept, ignore_errors=True)
        with study_context.environment.sandbox(userland=None if userland is None else userland.root) as sandbox:
            source, out = sandbox.ours / "source", sandbox.folder("build")
            shutil.copytree(folder, source)
            make(sandbox, source, out)
            _keep(sandbox, out, kept)
        sums.write_text(folder_sha256(kept) + "\n")
    return kept


def _make(sandbox: Sandbox, argv: Sequence[str], *, what: str) -> None:
    """Run a program to its end; raises SubjectError with its last output if it fails."""
    sandbox.supervisor.group("subject", NO_LIMITS)
    sandbox.begin("make", argv, group="subject")
    ended = sandbox.supervisor.wait("make", within_s=WITHIN_S)
    sandbox.supervisor.stop("make", within_s=VERSION_WITHIN_S)  # what it left running could replace files by links
    if not ended.exited or ended.code != 0:
        how = (
            f"it ended with {ended.code}: {sandbox.tail('make')}" if ended.exited else "it took longer than ten minutes"
        )
        raise SubjectError(
            f"The {what} failed", why=f"{how}.", remedy="Correct the cause, or remove the experiment from the study."
        )


def _keep(sandbox: Sandbox, made: Path, kept: Path) -> None:
    """Move a build into the cache, so that it appears either complete or not at all.

    There it is ours: the programs' user may read and run it, and no subject can change what another one runs.
    """
    partial = kept.parent / run_dir(sandbox.id).name
    sandbox.supervisor.own(partial)
    copy_tree(made, partial)
    share_tree(sandbox.environment.user, partial)
    partial.rename(kept)
