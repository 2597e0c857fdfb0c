"""headtohead's own programs: found where they were built or installed, and copied where every user may run them."""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from headtohead.hosts.cache_locks import making
from headtohead.hosts.paths import is_alive, owner_of, this_owner
from headtohead.model.errors import HostError

LOAD = "h2h-load"
MEMORY = "h2h-memory"
PROBE = "h2h-probe"
OURS = (LOAD, MEMORY, PROBE)
HASH_DIGITS = 16
BINARY_MODE = 0o755


def find_program(name: str, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of one of headtohead's programs; HostError names the command that builds it.

    It searches next to the Python interpreter, in the checkout's ``target/`` (the newest release build) and on PATH.
    """
    for folder in (Path(sys.executable).parent, *_build_folders(), *_search_path(environ)):
        program = folder / name
        if os.path.isfile(program) and os.access(program, os.X_OK):  # noqa: PTH113 - false where we may not look
            return program.resolve()
    raise HostError(
        f"{name} is not there",
        why="It is not next to Python, in the checkout's target/release, or on PATH.",
        remedy="Build it in the checkout with `make setup` (or `cargo build --release`), and put it on PATH.",
    )


def install_programs(programs: Sequence[Path], *, cache: Path) -> Path:
    """Copy programs into the cache, where the user of the subjects may run them; return their common folder.

    The folder's name is the hash of their content, so it never changes while a program runs from it. A copy whose
    content is another is made anew.
    """
    content = _content_hash(programs)
    folder = cache / "bin" / content
    copies = [folder / each.name for each in programs]
    with making(folder):
        if all(each.is_file() for each in copies) and _content_hash(copies) == content:
            return folder
        try:
            _install(programs, folder)
            for readable in (folder.parent, cache):
                readable.chmod(BINARY_MODE)
        except OSError as failed:
            raise HostError(
                "Our programs could not be copied into the cache",
                why=f"{failed.strerror}: {failed.filename}.",
                remedy="Check the disk space and who owns that folder.",
            ) from failed
    return folder


def _install(programs: Sequence[Path], folder: Path) -> None:
    """Copy programs into a new folder, which appears complete or not at all."""
    _sweep_unfinished(folder.parent)
    unfinished = folder.with_name(f".{this_owner().run_id(0)}")
    unfinished.mkdir(parents=True, exist_ok=True)
    for each in programs:
        shutil.copyfile(each, unfinished / each.name)
        (unfinished / each.name).chmod(BINARY_MODE)
    unfinished.chmod(BINARY_MODE)
    if folder.exists():
        shutil.rmtree(folder)
    unfinished.rename(folder)


def _build_folders() -> list[Path]:
    """Return the checkout's release folders, the newest build first; none if headtohead is an installed package."""
    checkouts = [each for each in Path(__file__).resolve().parents if (each / "Cargo.toml").is_file()]
    folders = [folder for each in checkouts for folder in _release_folders(each / "target")]
    return sorted(folders, key=lambda folder: (folder / PROBE).stat().st_mtime_ns, reverse=True)


def _release_folders(target: Path) -> Iterator[Path]:
    for folder in (target / "release", *sorted(target.glob("*/release"))):
        if (folder / PROBE).is_file():
            yield folder


def _search_path(environ: Mapping[str, str]) -> list[Path]:
    return [Path(each) for each in environ.get("PATH", "").split(os.pathsep) if each]


def _content_hash(programs: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for each in programs:
        digest.update(each.name.encode() + b"\0")
        with each.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:HASH_DIGITS]


def _sweep_unfinished(folder: Path) -> None:
    """Remove copies that a killed headtohead began."""
    for each in folder.glob(".*"):
        owner = owner_of(each.name[1:])
        if owner is not None and not is_alive(owner):
            shutil.rmtree(each, ignore_errors=True)
