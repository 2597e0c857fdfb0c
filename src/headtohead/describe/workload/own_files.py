"""Files of one's own, which web servers serve: ``file = "my.json"`` in a study, or in a workload's requests."""

import hashlib
import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from headtohead.describe.toml.folder_paths import existing_file
from headtohead.describe.toml.position import Place, clipped
from headtohead.model.study.workload import DataSet, Expect, OwnFile, Request, Workload

MOST_BYTES = 64 * 1024 * 1024
"""The load generator holds the correct bodies in memory."""
COMPARED_WHOLE_BYTES = 65536
"""Up to this length every body is compared; of longer ones a sample, so that the comparison stays cheap."""
SAMPLE = 0.01
SERVED = ("http/static-v1", "http/static-tls-v1")
"""The interfaces whose servers serve the files of a folder."""
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")


def own_file(folder: Path, name: str, *, place: Place) -> OwnFile:
    """Return a file of one's own as it is now; raises WordsError if it cannot be served and compared."""
    if not _NAME.fullmatch(name) and ".." not in name and not name.startswith("/"):
        why = "Its path is its URL at the server: letters, digits, dots, - and _, in folders without a leading dot."
        raise place.wrong(f'"{clipped(name)}" is not a name for a URL', why=why, remedy="Rename the file.")
    path = existing_file(folder, name, place=place)
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not 0 < found.st_size <= MOST_BYTES:
                why = f"It has {found.st_size} bytes; a file to serve has at least 1, and at most 64 MiB."
                raise place.wrong(f'"{clipped(name)}" cannot be served', why=why, remedy="Name another file.")
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        why = f"{error.strerror or error}."
        remedy = "Check its permissions."
        raise place.wrong(f'"{clipped(name)}" cannot be read', why=why, remedy=remedy) from error
    return OwnFile(name, len(content), hashlib.sha256(content).hexdigest())


def own_data(tables: Sequence[Mapping[str, Any]], folder: Path, place: Place) -> DataSet | None:
    """Return the files that the requests of a workload name; None if they name none.

    Raises WordsError if some name a file and others do not: servers serve one folder.
    """
    named = [each for each in tables if "file" in each]
    if not named:
        return None
    if len(named) < len(tables):
        other = next(each for each in tables if "file" not in each)
        why = f'The request "{other["name"]}" has no file, and servers serve the folder of these files alone.'
        raise place.wrong("file in some requests only", why=why, remedy="Give each request a file, or none.")
    wheres = (place.at(f'request "{each["name"]}"', "file") for each in named)
    files = {
        each["file"]: own_file(folder, each["file"], place=where) for each, where in zip(named, wheres, strict=True)
    }
    return data_of(*files.values())


def data_of(*files: OwnFile) -> DataSet:
    """Return files of one's own as the data that servers serve."""
    return DataSet(files[0].name, 1, 0, "kept", files)


def expected(file: OwnFile) -> Expect:
    """Return the correct response to a request for a file: its length in all, its bytes in all or in a sample."""
    sample = 1.0 if file.length_bytes <= COMPARED_WHOLE_BYTES else SAMPLE
    return Expect(200, file.length_bytes, body=file.name, sample=sample)


def with_file(workload: Workload, name: str, folder: Path, *, place: Place) -> Workload:
    """Return a workload whose only page is a file of the study's folder; raises WordsError if it has no such page."""
    if workload.asks not in SERVED or len(workload.requests) != 1 or workload.requests[0].path is None:
        why = f"The workload {workload.name} does not request one page of {' or '.join(SERVED)}."
        raise place.wrong("no page to replace", why=why, remedy="Name another workload, or none.")
    file = own_file(folder, name, place=place)
    request = Request(name="file", weight=1, expect=expected(file), path=f"/{file.name}")
    return replace(
        workload,
        title=f"The file {file.name} of {file.length_bytes} bytes",
        data=data_of(file),
        requests=(request,),
        files_from=str(folder.resolve()),
    )
