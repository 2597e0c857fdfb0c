"""Generated data sets: the files and their correct answers, made once from a seed and kept in the cache."""

import hashlib
import runpy
import shutil
from pathlib import Path

from headtohead.execute.sandbox import Environment
from headtohead.hosts.lock import making
from headtohead.hosts.paths import run_dir
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import scalar_text
from headtohead.model.study.workload import DataSet
from headtohead.store.fingerprint import content_sha256, folder_sha256


def data_key(generator: Path, data: DataSet) -> str:
    """Return the key of a generated data set: a hash of the generator's whole folder, the scale and the seed."""
    parts = f"{content_sha256(generator.parent)}\n{data.set}\n{scalar_text(data.scale)}\n{data.seed}\n"
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


def data_set_folder(cache: Path, datasets: Path, data: DataSet) -> Path:
    """Return the cache's folder for a generated data set."""
    return cache / "datasets" / f"{data.set}-{data_key(datasets / data.set / 'generate.py', data)}"


def stated_bytes(datasets: Path, data: DataSet) -> int:
    """Return a data set's size in bytes from its generator (``BYTES_AT_SCALE_1``), or 0 if the generator has none."""
    stated = runpy.run_path(str(datasets / data.set / "generate.py")).get("BYTES_AT_SCALE_1", 0)
    return round(float(stated) * data.scale)


def data_set(environment: Environment, datasets: Path, data: DataSet) -> Path:
    """Return the folder of a generated data set; generate it unless the cache holds it complete."""
    generator = datasets / data.set / "generate.py"
    kept = data_set_folder(environment.cache, datasets, data)
    sums = kept.with_suffix(".sha256")
    with making(kept):
        if kept.is_dir() and sums.is_file() and sums.read_text().strip() == folder_sha256(kept):
            return kept
        shutil.rmtree(kept, ignore_errors=True)
        with environment.sandbox() as sandbox:
            partial = kept.parent / run_dir(sandbox.id).name
            sandbox.supervisor.own(partial)
            _generate(generator, data, partial)
            partial.rename(kept)
        sums.write_text(folder_sha256(kept) + "\n")
    return kept


def _generate(generator: Path, data: DataSet, out: Path) -> None:
    """Generate in this process: it then ends with us, and the subjects' user needs no access to our interpreter."""
    module = runpy.run_path(str(generator))
    words = ["--scale", scalar_text(data.scale), "--seed", str(data.seed), "--out", str(out)]
    status = module["main"](words)
    if status != 0:
        raise SubjectError(
            f"The data set {data.set} was not generated",
            why=f"its generator ended with {status}.",
            remedy=f"Run {generator.parent.name}/generate.py by hand with {' '.join(words[:4])} --out DIR.",
        )
