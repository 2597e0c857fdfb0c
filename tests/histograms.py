"""Histogram logs made by hand: right ones, and ones that are spoiled."""

import base64
import struct
import zlib
from collections.abc import Iterator, Sequence

COMPRESSED, PLAIN = 0x1C849314, 0x1C849313
HOUR_NS = 3_600_000_000_000


def log(*cases: tuple[str, Sequence[Sequence[int]]]) -> str:
    """Return a log of cases (JSON), each with the times in ns of each of its seconds."""
    lines = ["#[Histogram log format version 1.3]"]
    for case, seconds in cases:
        lines.append(f"#[Case: {case}]")
        for tag in ("response_time", "service_time"):
            lines += [f"Tag={tag},{at}.0,1.0,0.0,{encoded(times)}" for at, times in enumerate(seconds)]
    return "\n".join((*lines, ""))


def encoded(times: Sequence[int]) -> str:
    """Return a histogram of times in ns, 3 digits from 1 ns, in base64."""
    return packed(b"".join(_numbers([_place(each) for each in times])))


def packed(numbers: bytes, *, length: int | None = None, digits: int = 3) -> str:
    """Return a histogram with these bytes of counts; a ``length`` of None is the true one."""
    head = struct.pack(">iiiiqqd", PLAIN, len(numbers) if length is None else length, 0, digits, 1, HOUR_NS, 1.0)
    stream = zlib.compress(head + numbers)
    return base64.b64encode(struct.pack(">ii", COMPRESSED, len(stream)) + stream).decode()


def _place(time_ns: int) -> int:
    power = max(time_ns.bit_length(), 11) - 11
    return (power << 10) + (time_ns >> power)


def _numbers(places: Sequence[int]) -> Iterator[bytes]:
    """Yield a number for each place that has a count, and a negative one for each stretch without any."""
    after = 0
    for place in sorted(set(places)):
        if place > after:
            yield number(after - place)
        yield number(places.count(place))
        after = place + 1


def number(value: int) -> bytes:
    """Return a number as 7 bits a byte, its sign in the lowest bit."""
    folded = (value << 1) ^ (value >> 63)
    groups = bytearray()
    while folded >= 0x80:
        groups.append(folded & 0x7F | 0x80)
        folded >>= 7
    return bytes((*groups, folded))
