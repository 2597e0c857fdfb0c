"""Files and folders that cross a connection: in pieces, checked at the other end, whole or not at all."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from headtohead.hosts.paths import this_owner
from headtohead.hosts.ssh.probe_orders import CHUNK_BYTES, SENT_WITHIN_S, Agent
from headtohead.model.errors import HostError

PERMISSIONS = 0o777
CHECKED_BYTES_PER_S = 50_000_000
"""A slow host still takes the checksum of its copy at this rate."""
NAME_DIGITS = 16
LEFT_OUT = frozenset({"__pycache__"})
Progress = Callable[[int, int], object]
"""Called with the number of bytes sent so far and the number in all."""


def no_progress(sent_bytes: int, total_bytes: int) -> None:
    """Show nothing."""


@dataclass(frozen=True)
class Pushed:
    """A folder on a host: where it is, its checksum (of names, modes and contents), and the bytes sent now.

    ``sent_bytes`` is 0 if the host had it already.
    """

    path: Path
    checksum: str
    sent_bytes: int


def push(agent: Agent, source: Path, into: Path, *, progress: Progress = no_progress) -> Pushed:
    """Send a folder, or one file, to the folder ``into/<checksum>`` of the host unless it is there and right.

    A link in the folder is sent as the file that it names. What is there is checked each time, byte for byte.
    """
    files = _listed(source)
    listing = [{"path": str(name), **_facts(path)} for name, path in files]
    checksum = hashlib.sha256(json.dumps(listing, sort_keys=True).encode()).hexdigest()
    place, total = into / checksum[:NAME_DIGITS], sum(path.stat().st_size for _, path in files)
    within_s = SENT_WITHIN_S + total / CHECKED_BYTES_PER_S
    with agent.given("receive", {"into": str(place), "files": listing}) as process:
        if agent.response(process, "receive", within_s=within_s)["have"]:
            return Pushed(place, checksum, 0)
        sent = 0

        def count(piece: int) -> None:
            nonlocal sent
            sent += piece
            progress(sent, total)

        for (_, path), facts in zip(files, listing, strict=True):
            agent.send(process, path, int(facts["bytes"]), sent=count)
        agent.response(process, "receive", within_s=within_s)
    return Pushed(place, checksum, total)


def put_file(agent: Agent, source: Path, target: Path) -> None:
    """Copy a file to the host, with its mode."""
    facts = _facts(source)
    with agent.given("put", {"path": str(target), **facts}) as process:
        agent.send(process, source, int(facts["bytes"]))
        agent.response(process, "put", within_s=SENT_WITHIN_S)


def fetch_file(agent: Agent, source: Path, target: Path, *, within: Path | None = None) -> None:
    """Copy a file of the host to this machine, with its mode; no link is followed below ``within``."""
    words = {"path": str(source), **({} if within is None else {"within": str(within)})}
    growing = target.with_name(f".{this_owner().run_id(0)}-{target.name}")
    try:
        with agent.given("fetch", words) as process, growing.open("wb") as file:
            facts = agent.response(process, "fetch")
            left, digest = int(str(facts["bytes"])), hashlib.sha256()
            while left and (chunk := process.read(at_most=min(left, CHUNK_BYTES), within_s=SENT_WITHIN_S)):
                digest.update(chunk)
                file.write(chunk)
                left -= len(chunk)
            if agent.response(process, "fetch")["sha256"] != digest.hexdigest():
                raise _differs(source)
        growing.chmod(int(str(facts["mode"])) & PERMISSIONS)
        growing.replace(target)
    except OSError as failed:
        raise HostError(
            f"{target.name} could not be written",
            why=f"{failed.strerror}: {target.parent}.",
            remedy="Check the disk space there, and who owns that folder.",
        ) from failed
    finally:
        growing.unlink(missing_ok=True)


def _listed(source: Path) -> list[tuple[PurePosixPath, Path]]:
    """Return the files of a folder by their path below it, in order; one file as a folder that holds it alone."""
    if source.is_file():
        return [(PurePosixPath(source.name), source)]
    found: list[tuple[PurePosixPath, Path]] = []
    for folder, names, files in os.walk(source, followlinks=True):
        names[:] = sorted(name for name in names if name not in LEFT_OUT)
        base = Path(folder)
        found += [(PurePosixPath((base / name).relative_to(source)), base / name) for name in sorted(files)]
    return found


def _facts(path: Path) -> Mapping[str, int | str]:
    """Return mode, length and checksum of a file, read in pieces."""
    try:
        with path.open("rb") as file:
            return {
                "mode": path.stat().st_mode & PERMISSIONS,
                "bytes": path.stat().st_size,
                "sha256": hashlib.file_digest(file, "sha256").hexdigest(),
            }
    except OSError as failed:
        raise HostError(
            f"{path.name} could not be read",
            why=f"{failed.strerror}: {path}.",
            remedy="Check that the file is there and may be read.",
        ) from failed


def _differs(path: Path) -> HostError:
    return HostError(
        f"{path.name} arrived with another content",
        why="Its checksum is not the one of the file on the host.",
        remedy="Check the network between here and there, then try again.",
    )
