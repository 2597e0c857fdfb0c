"""Rendered images against a reference: means of blocks, so that one small table serves images of any resolution.

    pictures.py FRAME=FILE...

prints the table of these images: how a reference is made.
"""

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]

COLUMNS, ROWS = 25, 15
CHANNELS = ("red", "green", "blue")
MOST_PIXELS_WIDE = 4096
RIGHT = "as the reference"


class PictureError(Exception):
    """An image or a table that cannot be compared; its text says why."""


@dataclass(frozen=True)
class Tolerance:
    """By how much means may differ from the reference, in levels of 0 to 255.

    One block by ``block`` and a part that falls with the square root of the samples in it, as chance does
    (``block_by_chance`` over that root); all blocks on average by ``mean`` and ``mean_by_chance`` likewise.
    """

    block: float
    block_by_chance: float
    mean: float
    mean_by_chance: float


def pixels(file: BinaryIO | Path, *, width: int, height: int) -> Floats:
    """Return an image as rows of pixels of three levels; PictureError where it is no PNG of that size."""
    try:
        with Image.open(file, formats=["PNG"]) as image:
            if image.size != (width, height) or max(image.size) > MOST_PIXELS_WIDE:
                raise PictureError(f"it is {image.size[0]} x {image.size[1]}, not {width} x {height}")
            return np.asarray(image.convert("RGB"), dtype=np.float64)
    except (OSError, SyntaxError, ValueError) as error:
        raise PictureError(f"it is no PNG that can be read: {error}") from error


def block_means(image: Floats) -> Floats:
    """Return the mean level of each of 15 rows of 25 blocks in each channel."""
    down, along = (np.arange(n + 1) * size // n for n, size in zip((ROWS, COLUMNS), image.shape[:2], strict=True))
    sums = np.add.reduceat(np.add.reduceat(image, down[:-1], axis=0), along[:-1], axis=1)
    means: Floats = sums / (np.diff(down)[:, None, None] * np.diff(along)[None, :, None])
    return means


def compare(image: Floats, reference: Floats, *, tolerance: Tolerance, samples: int = 1) -> str:
    """Return "as the reference", or by how much the image is not; ``samples`` is how many made each pixel.

    An image must have a pixel in each block.
    """
    height, width = image.shape[:2]
    if height < ROWS or width < COLUMNS:
        raise PictureError(f"{width} x {height} is too small: it takes {COLUMNS} x {ROWS} pixels at least")
    off = np.abs(block_means(image) - reference)
    root = (samples * (height // ROWS) * (width // COLUMNS)) ** 0.5
    worst, mean = float(off.max()), float(off.mean())
    block_allowed = tolerance.block + tolerance.block_by_chance / root
    mean_allowed = tolerance.mean + tolerance.mean_by_chance / root
    if worst <= block_allowed and mean <= mean_allowed:
        return RIGHT
    row, column, _ = np.unravel_index(int(off.argmax()), off.shape)
    return (
        f"off the reference by {worst:.1f} of 255 in block {column + 1},{row + 1} ({block_allowed:.1f} are allowed), "
        f"by {mean:.2f} on average ({mean_allowed:.2f} are allowed)"
    )


def table(frames: Mapping[int, Floats]) -> str:
    """Return the block means of frames as the CSV that ``reference`` reads."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(("frame", "row", "channel", *(f"column_{number}" for number in range(1, COLUMNS + 1))))
    for frame, means in frames.items():
        for row in range(ROWS):
            for channel, name in enumerate(CHANNELS):
                lines.writerow((frame, row + 1, name, *(f"{level:.1f}" for level in means[row, :, channel])))
    return text.getvalue()


def reference(path: Path, *, frame: int) -> Floats:
    """Return the block means of a frame; PictureError where the table does not hold it whole."""
    try:
        lines = list(csv.reader(path.read_text("utf-8").splitlines()))
        rows = [[float(level) for level in line[3:]] for line in lines[1:] if line[0] == str(frame)]
    except (OSError, ValueError, IndexError) as error:
        raise PictureError(f"{path.name} cannot be read: {error}") from error
    if len(rows) != ROWS * len(CHANNELS) or any(len(row) != COLUMNS for row in rows):
        raise PictureError(f"{path.name} holds no frame {frame}")
    return np.asarray(rows, dtype=np.float64).reshape(ROWS, len(CHANNELS), COLUMNS).transpose(0, 2, 1)


def make_table(arguments: Sequence[str]) -> str:
    """Return the table of images named ``FRAME=FILE``: how a reference is made."""
    named = [each.partition("=") for each in arguments]
    with_sizes = {int(frame): Path(file) for frame, _, file in named}
    frames = {}
    for frame, file in with_sizes.items():
        with Image.open(file, formats=["PNG"]) as image:
            width, height = image.size
        frames[frame] = block_means(pixels(file, width=width, height=height))
    return table(frames)


if __name__ == "__main__":
    sys.stdout.write(make_table(sys.argv[1:]))
