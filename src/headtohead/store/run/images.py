"""The images of a run: which may be kept, and which of a results folder are read for the report."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.model.record import Image, Recorded
from headtohead.store.convert import REMEDY
from headtohead.store.layout import Layout
from headtohead.store.untrusted import png
from headtohead.store.untrusted.plain_files import open_plain

FOLDER = "images"
MOST_A_RUN = 8
MOST_READ_BYTES = 64 * 1024 * 1024
"""Of a whole results folder; further images are not shown."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}\.png")


def read_bounded(path: Path, *, within: Path) -> bytes:
    """Return a plain file's bytes, one more than an image may have at most; OSError if it is a link or a device."""
    with open_plain(path, within=within) as file:
        return file.read(png.MOST_BYTES + 1)


def check_names(names: Iterable[str]) -> None:
    """Raise ValueError for more images than a run may have, or for a name that is not plain."""
    listed = list(islice(names, MOST_A_RUN + 1))
    for name in listed:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name[:80]!r} is not a plain name of a PNG")
    if len(listed) > MOST_A_RUN:
        raise ValueError(f"there are more than {MOST_A_RUN}")


def pictured(layout: Layout, runs: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
    """Return the runs, with its images the first valid one of each treatment that has any."""
    return tuple(_pictured(layout, runs))


def _pictured(layout: Layout, runs: tuple[Recorded, ...]) -> Iterator[Recorded]:
    done: set[tuple[str, str]] = set()
    room = MOST_READ_BYTES
    for each in runs:
        treatment = each.run.experiment, each.run.label
        folder = layout.run(each.run.run) / FOLDER
        if each.run.status != "valid" or treatment in done or room <= 0 or not folder.is_dir():
            yield each
            continue
        found = images(folder, within=layout.root)
        done.add(treatment)
        room -= sum(len(image.png) for image in found)
        yield replace(each, images=found)


def images(folder: Path, *, within: Path) -> tuple[Image, ...]:
    """Return the images of a run by name; RecordError if one is not valid."""
    try:
        names = sorted(islice((path.name for path in folder.iterdir()), MOST_A_RUN + 1))
        check_names(names)
    except (OSError, ValueError) as error:
        raise RecordError(f"{folder} cannot be read", why=f"{error}.", remedy=REMEDY) from error
    return tuple(_image(folder / name, within=within) for name in names)


def _image(path: Path, *, within: Path) -> Image:
    try:
        return png.image(path.name, read_bounded(path, within=within))
    except (OSError, ValueError) as error:
        raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error
