"""The content of a folder as one hash: two machines with equal hashes run the same test."""

import hashlib
from pathlib import Path

_PASSED_OVER = frozenset({"__pycache__", "README.md"})
"""Made by running, or read by people only: neither changes the test."""


def folder_sha256(folder: Path) -> str:
    """Return the SHA-256 of the names and bytes of every file below a folder, in the order of their names.

    A link is not followed: its target path is hashed instead of its content.
    """
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda each: each.relative_to(folder).as_posix()):
        name = path.relative_to(folder)
        if _PASSED_OVER.intersection(name.parts):
            continue
        if path.is_symlink():
            total.update(f"{name.as_posix()} -> {path.readlink()}\n".encode())
        elif path.is_file():
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{name.as_posix()}\0{content}\n".encode())
    return total.hexdigest()
