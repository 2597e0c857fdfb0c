"""PNG files that others may have placed: read chunk by chunk, never decoded."""

import zlib
from collections.abc import Iterator

from headtohead.model.record import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_BYTES = 4 * 1024 * 1024
MOST_PIXELS_WIDE = 4096
"""The most pixels along each side of an image: decoded by a browser, it then takes 64 MiB at most."""
SHOWN = (b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"sRGB", b"IDAT", b"IEND")
"""The chunks needed to show an image. Texts, dates, profiles and animations are left out."""
_AROUND = 12
"""The length, kind and checksum of a chunk have four bytes each."""


def image(name: str, content: bytes) -> Image:
    """Return an image with what is needed to show it; ValueError if the content is not a valid PNG.

    Two files of the same program that differ in their dates alone become equal.
    """
    if len(content) > MOST_BYTES:
        raise ValueError(f"it is larger than {MOST_BYTES // 1024**2} MiB")
    if not content.startswith(SIGNATURE):
        raise ValueError("it is not a PNG: its first bytes differ")
    chunks = list(_chunks(content))
    kinds = [kind for kind, _ in chunks]
    head = chunks[0][1]
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or b"IDAT" not in kinds or len(head) != _AROUND + 13:
        raise ValueError("it is not a complete PNG")
    width, height = (int.from_bytes(head[at : at + 4], "big") for at in (8, 12))
    if not (0 < width <= MOST_PIXELS_WIDE and 0 < height <= MOST_PIXELS_WIDE):
        raise ValueError(f"it has {width} x {height} pixels; 1 to {MOST_PIXELS_WIDE} each way are allowed")
    return Image(name, width, height, SIGNATURE + b"".join(each for kind, each in chunks if kind in SHOWN))


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and bytes of each chunk; ValueError if one is cut off or damaged, or if bytes follow the end."""
    at, kind = len(SIGNATURE), b""
    while kind != b"IEND":
        length, kind = int.from_bytes(content[at : at + 4], "big"), content[at + 4 : at + 8]
        end = at + _AROUND + length
        if end > len(content):
            raise ValueError("it is cut off")
        if zlib.crc32(content[at + 4 : end - 4]) != int.from_bytes(content[end - 4 : end], "big"):
            raise ValueError("a checksum in it is wrong")
        yield kind, content[at:end]
        at = end
    if at != len(content):
        raise ValueError("more bytes follow its end")
