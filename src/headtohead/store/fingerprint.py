"""The content of a folder as one hash: two machines with equal hashes run the same test."""

import hashlib
from pathlib import Path

_LEFT_OUT = frozenset({"__pycache__", "README.md"})
"""Made by running, or read by people only: neither changes what is measured."""


def folder_sha256(folder: Path) -> str:
    """Return the SHA-256 of the names and bytes of every file below a folder, in the order of their names.

    For data, which servers write. A link counts as its target path; nothing behind it is read.
    """
    return _sha256(folder, through_links=False)


def content_sha256(folder: Path) -> str:
    """Return the SHA-256 of a folder of ours: of a subject, a workload, or the generator of a data set.

    As ``folder_sha256``, but a link to a file counts as that file: what several folders share is part of each
    (ADR 17). So a checkout and the installed package, which holds copies in place of links, give the same hash.
    """
    return _sha256(folder, through_links=True)


def _sha256(folder: Path, *, through_links: bool) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda each: each.relative_to(folder).as_posix()):
        name = path.relative_to(folder)
        if _LEFT_OUT.intersection(name.parts):
            continue
        if path.is_symlink() and not (through_links and path.is_file()):
            total.update(f"{name.as_posix()} -> {path.readlink()}\n".encode())
        elif path.is_file():
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{name.as_posix()}\0{content}\n".encode())
    return total.hexdigest()
