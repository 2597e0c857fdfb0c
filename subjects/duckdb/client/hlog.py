"""The interval log: histograms of each second in the format that every HdrHistogram library reads."""

import base64
import json
import struct
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tally import SECOND_NS, Tally
from words import Words

COOKIE, DEFLATED_COOKIE = 0x1C84_9313, 0x1C84_9314
"""Version 2 of the encoding, with counts of variable length."""
DIGITS = 3
SUB_BUCKET_BITS = 11
"""2048 steps distinguish values of three digits."""
LONGEST_NS = 60 * SECOND_NS
NS_PER_MS = 1e6


def append(path: Path, asked: Words, tally: Tally, *, zero_ns: int) -> None:
    """Add the intervals of one case: of all requests, and of each query under its name."""
    with path.open("a", encoding="ascii") as log:
        if log.tell() == 0:
            base_s = time.time() - (time.monotonic_ns() - zero_ns) / 1e9
            log.write(f"#[Histogram log format version 1.3]\n#[BaseTime: {base_s:.3f} (seconds since epoch)]\n")
            log.write(f"#[MaxValueDivisor: {NS_PER_MS:.3f}]\n")
        log.write(f"#[Case: {json.dumps(dict(asked.case), separators=(',', ':'))}]\n")
        named = {"response_time": ("intended_ns", None), "service_time": ("sent_ns", None)}
        named |= {name: ("intended_ns", name) for name in tally.queries}
        for tag, (since, query) in named.items():
            log.writelines(_lines(tally, tag, since=since, query=query, zero_ns=zero_ns))


def _lines(tally: Tally, tag: str, *, since: str, query: str | None, zero_ns: int) -> Iterator[str]:
    seconds = max(1, -(-tally.elapsed_ns // SECOND_NS))
    longest_ns = max(LONGEST_NS, 2 * tally.timeout_ns)
    for second in range(seconds):
        times = tally.times(since, query=query, second=second)
        from_s = (tally.from_ns - zero_ns) / 1e9 + second
        length_s = min(1.0, tally.elapsed_ns / 1e9 - second)
        most_ms = (times[-1] if times else 0) / NS_PER_MS
        yield f"Tag={tag},{from_s:.3f},{length_s:.3f},{most_ms:.3f},{encoded(times, longest=longest_ns)}\n"


def encoded(values: Sequence[int], *, longest: int) -> str:
    """Return the histogram of values from 1 to ``longest``, compressed and in base 64."""
    counts: dict[int, int] = {}
    for value in values:
        at = _index(min(max(value, 1), longest))
        counts[at] = counts.get(at, 0) + 1
    payload = b"".join(_payload(counts))
    head = struct.pack(">iiiiqqd", COOKIE, len(payload), 0, DIGITS, 1, longest, 1.0)
    packed = zlib.compress(head + payload)
    return base64.b64encode(struct.pack(">ii", DEFLATED_COOKIE, len(packed)) + packed).decode()


def _index(value: int) -> int:
    """Return the index of a value among the counts: 2048 steps of 1, then 1024 each of 2, 4, 8 and so on."""
    bucket = max(value.bit_length(), SUB_BUCKET_BITS) - SUB_BUCKET_BITS
    return (bucket << (SUB_BUCKET_BITS - 1)) + (value >> bucket)


def _payload(counts: dict[int, int]) -> Iterator[bytes]:
    """Yield the counts in order; a run of two or more zeros is one negative number."""
    after = 0
    for at, count in sorted(counts.items()):
        if at > after:
            yield _leb128(after - at if at > after + 1 else 0)
        yield _leb128(count)
        after = at + 1


def _leb128(number: int) -> bytes:
    r"""Return a number, its sign folded in, in groups of 7 bits, the lowest first.

    >>> _leb128(1), _leb128(-1), _leb128(64)
    (b'\x02', b'\x01', b'\x80\x01')
    """
    folded = (number << 1) ^ (number >> 63)
    groups = bytearray()
    while folded >= 0x80:
        groups.append(folded & 0x7F | 0x80)
        folded >>= 7
    groups.append(folded)
    return bytes(groups)
