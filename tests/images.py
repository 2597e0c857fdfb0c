"""PNG files made by hand: right ones, and ones that are spoiled."""

import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    """Return a chunk with its length and checksum."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def png(*, width: int = 4, height: int = 3, gray: int = 128, text: bytes = b"", rows: int | None = None) -> bytes:
    """Return a gray image, with a comment where one is given; ``rows`` are as many as are really there."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, 0, 0, 0, 0))
    lines = zlib.compress((b"\0" + bytes((gray,)) * width) * (height if rows is None else rows))
    comment = chunk(b"tEXt", b"Comment\0" + text) if text else b""
    return SIGNATURE + chunk(b"IHDR", head) + comment + chunk(b"IDAT", lines) + chunk(b"IEND")
