"""Builds of subjects, made under supervise by an ordinary user, kept in the cache: ours there, and checked again."""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from headtohead.execute.context.study_context import StudyContext
from headtohead.execute.data.copy_remove_evict_folders import copy_tree
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.prepare.remote_build import build_there
from headtohead.execute.subject.fill_templates import fill_argv, names
from headtohead.execute.supervise_process_of_run import NO_LIMITS, SupervisedRun, new_run
from headtohead.hosts.cache_locks import making
from headtohead.hosts.facts.cpu import instructions_of
from headtohead.hosts.file_owners import share_tree
from headtohead.hosts.files.remove_tree import remove_if_there
from headtohead.hosts.kernel_files import Tree
from headtohead.hosts.paths import run_dir
from headtohead.hosts.software.userlands import Userland
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.subject import Subject
from headtohead.store.fingerprint import content_sha256, folder_sha256

WITHIN_S = 1800.0
"""The longest build, PostgreSQL's, takes 5 minutes of CPU."""
STOP_WITHIN_S = 10.0
THIS_CPU = "native"
"""The compilers' word for the CPU that they run on: such a build is only for CPUs of that kind."""
Make = Callable[[SupervisedRun, Path, Path], None]
"""Compiles a copy of the subject's folder into an empty folder."""


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
    argv, environment = subject.build or (), study_context.environment
    of = sorted((name, settings[name]) for name in names(argv) if name in subject.factors)
    inputs = (version, str(of), content_sha256(Path(subject.folder)))
    kept = place_of_build(environment, subject, inputs, texts=(*argv, *(scalar_text(level) for _, level in of)))

    def make(supervised: SupervisedRun, source: Path, out: Path) -> None:
        words = {**settings, "source": str(source), "build": str(out), "run": str(supervised.run_dir)}
        supervised.supervisor.group("subject", NO_LIMITS)
        filled = fill_argv(argv, words, where=f"[build] of subject {subject.name}")
        carry_out(supervised, filled, what=f"build of subject {subject.name}")

    if environment.elsewhere is not None:
        return build_there(environment, Path(subject.folder), kept, make=make)
    return made_once(environment, subject, kept, make=make, root=None if userland is None else userland.root)


def place_of_build(environment: Environment, subject: Subject, inputs: Iterable[str], *, texts: Iterable[str]) -> Path:
    """Return the folder in the cache of a build; its name contains the hash of its inputs.

    They include the instructions of this CPU if one of the ``texts`` of its command names this CPU.
    """
    there, hashed = environment.elsewhere, "\n".join(inputs)
    if any(THIS_CPU in text for text in texts):
        hashed += f"\n{instructions_of(Tree()) if there is None else there.instructions}"
    key = hashlib.sha256(hashed.encode()).hexdigest()[:16]
    return environment.cache / "builds" / f"{subject.name}-{key}"


def made_once(environment: Environment, subject: Subject, kept: Path, *, make: Make, root: Path | None = None) -> Path:
    """Return the folder of a build in the cache; make it unless it is there, complete and unchanged."""
    sums = kept.with_name(f"{kept.name}.sha256")
    with making(kept):
        if kept.is_dir() and sums.is_file() and sums.read_text().strip() == folder_sha256(kept):
            return kept
        remove_if_there(kept)
        with new_run(environment, userland=root) as supervised:
            source, out = supervised.ours / "source", supervised.folder("build")
            shutil.copytree(subject.folder, source)
            make(supervised, source, out)
            _keep(supervised, out, kept)
        sums.write_text(folder_sha256(kept) + "\n")
    return kept


def carry_out(supervised: SupervisedRun, argv: Sequence[str], *, what: str, name: str = "make") -> None:
    """Run a program of the group ``subject`` to its end; raises SubjectError with its last output if it fails."""
    supervised.begin(name, argv, group="subject")
    ended = supervised.supervisor.wait(name, within_s=WITHIN_S)
    supervised.supervisor.stop(name, within_s=STOP_WITHIN_S)  # what it left running could replace files by links
    if not ended.exited or ended.code != 0:
        late = f"it took longer than {WITHIN_S / 60:g} minutes"
        how = f"it ended with {ended.code}: {supervised.tail(name)}" if ended.exited else late
        raise SubjectError(
            f"The {what} failed", why=f"{how}.", remedy="Correct the cause, or remove the experiment from the study."
        )


def _keep(supervised: SupervisedRun, made: Path, kept: Path) -> None:
    """Move a build into the cache, so that it appears either complete or not at all.

    There it is ours: the programs' user may read and run it, and no subject can change what another one runs.
    """
    partial = kept.parent / run_dir(supervised.id).name
    supervised.supervisor.own(partial)
    copy_tree(made, partial)
    share_tree(supervised.environment.user, partial)
    partial.rename(kept)
