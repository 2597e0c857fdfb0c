"""What an H.264 stream holds, and how close the decoded frames are to the film."""

import math

START = b"\0\0\1"
SLICES = (1, 5)
"""Kinds of units that hold part of a frame (ITU-T H.264, table 7-1)."""
FIRST_OF_FRAME = 0x80
"""The first bit of a slice is set where it begins at macroblock 0: the number 0 as an Exp-Golomb code (7.3.3, 9.1)."""
COMPARED = 8
"""The luma of every eighth frame is compared."""
PEAK = 255


def frames_in(stream: bytes) -> int:
    """Return the number of frames that begin in a stream of units, each after a start code (annex B)."""
    units = stream.split(START)[1:]
    return sum(unit[0] & 31 in SLICES and unit[1] & FIRST_OF_FRAME > 0 for unit in units if len(unit) > 1)


def closeness_db(one: bytes, other: bytes) -> float:
    """Return the peak signal-to-noise ratio of two planes, in dB."""
    squares = sum((a - b) * (a - b) for a, b in zip(one, other, strict=True))
    return math.inf if squares == 0 else 10 * math.log10(PEAK * PEAK * len(one) / squares)


def film_complaint(stream: bytes, film: bytes, shown: bytes, *, size: tuple[int, int], least_db: float) -> str | None:
    """Return what is wrong with an encoded film, or None if it is right."""
    luma = size[0] * size[1]
    frame = luma * 3 // 2
    frames = len(film) // frame
    if frames_in(stream) != frames:
        return f"the stream holds {frames_in(stream)} frames of {frames}"
    if len(shown) != len(film):
        return f"{len(shown)} bytes were decoded of {len(film)}"
    for number in range(0, frames, COMPARED):
        at = number * frame
        found = closeness_db(film[at : at + luma], shown[at : at + luma])
        if found < least_db:
            return f"frame {number} is {found:.1f} dB close, where {least_db:g} are wanted"
    return None
