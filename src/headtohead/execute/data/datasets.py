"""Generated data sets: the files and their correct answers, made once from a seed and kept in the cache."""

import ast
import contextlib
import hashlib
import runpy
import shutil
from collections.abc import Mapping
from pathlib import Path

from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.supervise_process_of_run import NO_LIMITS, SupervisedRun, new_run
from headtohead.hosts.cache_locks import making
from headtohead.hosts.file_owners import share_tree
from headtohead.hosts.files.remove_tree import remove_if_there
from headtohead.hosts.paths import run_dir
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import scalar_text
from headtohead.model.study.study import Study
from headtohead.model.study.workload import DataSet, OwnFile
from headtohead.store.fingerprint import content_sha256, folder_sha256

DataSets = Mapping[str, Path]
"""The folder of each data set's generator, by the name of the set."""
GENERATOR = "generate.py"
SIZE = "BYTES_AT_SCALE_1"
OWN_FILES = "own-files"
PYTHON = "/usr/bin/python3"
"""What runs generators of one's own: the subjects' user may not reach our interpreter."""
WITHIN_S = 600.0
STOPS_WITHIN_S = 10.0


def data_key(datasets: DataSets, data: DataSet) -> str:
    """Return the key of a data set: a hash of the generator's whole folder, the scale and the seed.

    For files of one's own, a hash of their names and contents.
    """
    made_by = ",".join(f"{each.name}:{each.sha256}" for each in data.files) or content_sha256(datasets[data.set])
    parts = f"{made_by}\n{data.set}\n{scalar_text(data.scale)}\n{data.seed}\n"
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


def data_set_folder(cache: Path, datasets: DataSets, data: DataSet) -> Path:
    """Return the cache's folder for a data set."""
    return cache / "datasets" / f"{OWN_FILES if data.files else data.set}-{data_key(datasets, data)}"


def stated_bytes(datasets: DataSets, data: DataSet) -> int:
    """Return a data set's size in bytes: as its generator states it (``BYTES_AT_SCALE_1``), or 0 if it does not.

    The generator is read, not run: `check` changes nothing.
    """
    if data.files:
        return sum(each.length_bytes for each in data.files)
    return round(_stated(datasets[data.set] / GENERATOR) * data.scale)


def _stated(generator: Path) -> float:
    try:
        lines = ast.parse(generator.read_bytes()).body
    except (SyntaxError, ValueError):
        return 0.0  # its run fails with the reason
    for line in lines:
        if isinstance(line, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == SIZE for each in line.targets
        ):
            number = line.value.value if isinstance(line.value, ast.Constant) else None
            return float(number) if isinstance(number, int | float) else 0.0
    return 0.0


def data_set(environment: Environment, datasets: DataSets, data: DataSet, *, files_from: str = "") -> Path:
    """Return the folder of a data set; make it unless the cache holds it complete.

    ``files_from`` is the folder of files of one's own.
    """
    kept = data_set_folder(environment.cache, datasets, data)
    sums = kept.with_suffix(".sha256")
    with making(kept):
        if kept.is_dir() and sums.is_file() and sums.read_text().strip() == folder_sha256(kept):
            return kept
        remove_if_there(kept)
        with new_run(environment) as supervised:
            partial = kept.parent / run_dir(supervised.id).name
            supervised.supervisor.own(partial)
            if data.files:
                _copy_own(data, Path(files_from), partial)
            elif data.own:
                _generate_apart(supervised, datasets[data.set], data, partial)
            else:
                _generate(datasets[data.set] / GENERATOR, data, partial)
            partial.rename(kept)
        sums.write_text(folder_sha256(kept) + "\n")
    return kept


def changed_files(study: Study) -> tuple[str, ...]:
    """Return the files of one's own that differ from what they were when the study was read."""
    workloads = (each.workload for each in study.experiments)
    files = {Path(each.files_from) / file.name: file for each in workloads if each.data for file in each.data.files}
    return tuple(file.name for path, file in files.items() if not _is_same(file, path))


def _is_same(file: OwnFile, path: Path) -> bool:
    try:
        return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256
    except OSError:
        return False


def _copy_own(data: DataSet, folder: Path, out: Path) -> None:
    """Copy files of one's own; raises SubjectError if one changed since the study was read."""
    for each in data.files:
        copy = out / each.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):
            shutil.copyfile(folder / each.name, copy)
        if not copy.is_file() or hashlib.sha256(copy.read_bytes()).hexdigest() != each.sha256:
            why = "It has other bytes than when the study was read, or cannot be read."
            raise SubjectError(f"The file {each.name} changed", why=why, remedy="Run the study again.")


def _words(data: DataSet, out: Path) -> list[str]:
    return ["--scale", scalar_text(data.scale), "--seed", str(data.seed), "--out", str(out)]


def _generate_apart(supervised: SupervisedRun, folder: Path, data: DataSet, kept: Path) -> None:
    """Run somebody else's generator as the subjects' user, where it can write into its folders only."""
    source, out = supervised.ours / "source", supervised.folder("made")
    shutil.copytree(folder, source)
    supervised.supervisor.group("subject", NO_LIMITS)
    supervised.begin("generate", [PYTHON, "-I", str(source / GENERATOR), *_words(data, out)], group="subject")
    ended = supervised.supervisor.wait("generate", within_s=WITHIN_S)
    supervised.supervisor.stop("generate", within_s=STOPS_WITHIN_S)
    if not ended.exited or ended.code != 0:
        how = (
            f"it ended with {ended.code}: {supervised.tail('generate')}" if ended.exited else "it took over ten minutes"
        )
        remedy = f"Run its {GENERATOR} by hand with {' '.join(_words(data, out)[:4])} --out DIR."
        raise SubjectError(f"The data set {data.set} was not generated", why=f"{how}.", remedy=remedy)
    _refuse_links(data, out)
    shutil.copytree(out, kept, symlinks=True, dirs_exist_ok=True)
    share_tree(supervised.environment.user, kept)


def _refuse_links(data: DataSet, made: Path) -> None:
    """Raise SubjectError for what is neither a file nor a folder: root reads the data later, and would follow links."""
    for path in made.rglob("*"):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            why = f"Its generator made {path.relative_to(made)}, which is neither a file nor a folder."
            remedy = "Let it write files and folders only, no links."
            raise SubjectError(f"The data set {data.set} cannot be used", why=why, remedy=remedy)


def _generate(generator: Path, data: DataSet, out: Path) -> None:
    """Generate in this process: it then ends with us, and the subjects' user needs no access to our interpreter."""
    module = runpy.run_path(str(generator))
    words = _words(data, out)
    status = module["main"](words)
    if status != 0:
        raise SubjectError(
            f"The data set {data.set} was not generated",
            why=f"its generator ended with {status}.",
            remedy=f"Run {generator.parent.name}/generate.py by hand with {' '.join(words[:4])} --out DIR.",
        )
