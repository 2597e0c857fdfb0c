"""The response times of a run (``times.hlog``): the quantiles of each case, read from its histograms of each second.

The log is that of the HdrHistogram libraries: lines of tag, start, length, maximum and a histogram in base64 (V2, a
zlib stream of counts as variable-length numbers). Somebody else may have written it, so everything has a bound.
"""

import base64
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headtohead.model.case import Case
from headtohead.model.errors import RecordError
from headtohead.model.quantiles import BEYOND
from headtohead.model.record import SHARES_BEYOND, CaseTimes, Recorded, Recording
from headtohead.store.convert import REMEDY, parsed
from headtohead.store.layout import Layout
from headtohead.store.untrusted.plain_files import MIB, open_plain
from headtohead.store.untrusted.strict_types import is_scalar

FILE = "times.hlog"
MOST_LOG_BYTES = 16 * MIB
"""Of one run's log: a longer one is not drawn. The longest so far has 2 MiB."""
MOST_READ_BYTES = 64 * MIB
"""Of all logs of a folder together; the logs after that are not drawn."""
MOST_RUNS = 12
"""Runs of one treatment that are read, evenly over the study: more take time and change no line that can be seen."""
MOST_COUNTS_BYTES = MIB
"""Of one histogram when it is decompressed: 3 digits up to an hour need 0.1 MiB."""
MOST_CASES = 200
MOST_HISTOGRAMS = 20_000
"""Of one log, one a second: five hours."""
MOST_PLACES = 65_536
"""Of one histogram: 3 digits of any time that 64 bits hold need 56,320."""
MOST_RESPONSES = 2**40
"""Of one place of a histogram: a million a second for twelve days."""
TAG, CASE = "Tag=response_time,", "#[Case: "
COMPRESSED, PLAIN = 0x1C849314, 0x1C849313
HEAD = struct.Struct(">iiiiqqd")
"""Cookie, bytes of counts, offset, digits, lowest, highest, ratio."""
LONGEST_NUMBER = 8
"""Bytes of one count: 56 bits, more than any count of requests."""

Counts = NDArray[np.int64]


def timed(layout: Layout, recording: Recording) -> Recording:
    """Return the recording with the response times of at most ``MOST_RUNS`` valid runs of each treatment.

    Experiments that search have none: each trial has its own load. RecordError if a log cannot be read.
    """
    chosen, room = _chosen(recording), MOST_READ_BYTES
    runs: list[Recorded] = []
    for each in recording.runs:
        path = layout.run(each.run.run) / FILE
        size = path.lstat().st_size if each.run.run in chosen and path.is_file() else 0
        if not 0 < size <= min(room, MOST_LOG_BYTES):
            runs.append(each)
            continue
        room -= size
        runs.append(replace(each, times=_of_file(path, within=layout.root)))
    return replace(recording, runs=tuple(runs))


def case_times(text: str) -> tuple[CaseTimes, ...]:
    """Return the quantiles of each case of a log; of a case that was measured again the last measurement counts.

    Quantiles with fewer than 100 responses beyond them are left out. ValueError if the text is no such log.
    """
    found: dict[str, CaseTimes] = {}
    for case, payloads in _cases(text):
        counts = _merged(payloads)
        total = int(counts.sum())
        if total:
            found[case.text] = CaseTimes(case, total, tuple(_quantiles(counts, total)))
        if len(found) > MOST_CASES:
            raise ValueError(f"it has more than {MOST_CASES} cases")
    return tuple(found.values())


def _chosen(recording: Recording) -> set[int]:
    """Return the numbers of the runs to read: all valid ones of a treatment, or that many evenly over them."""
    searching = {each.name for each in recording.plan.experiments if each.load.searches}
    groups: dict[tuple[str, str], list[int]] = {}
    for each in recording.runs:
        if each.run.status == "valid" and each.run.experiment not in searching:
            groups.setdefault((each.run.experiment, each.run.label), []).append(each.run.run)
    return {number for group in groups.values() for number in _evenly(group)}


def _evenly(numbers: Sequence[int]) -> Iterable[int]:
    """Return at most ``MOST_RUNS`` of these, the first and the last among them.

    >>> len(set(_evenly(range(100)))), min(_evenly(range(100))), max(_evenly(range(100)))
    (12, 0, 99)
    """
    if len(numbers) <= MOST_RUNS:
        return numbers
    return [numbers[place * (len(numbers) - 1) // (MOST_RUNS - 1)] for place in range(MOST_RUNS)]


def _of_file(path: Path, *, within: Path) -> tuple[CaseTimes, ...]:
    try:
        with open_plain(path, within=within) as file:
            text = file.read(MOST_LOG_BYTES + 1).decode("utf-8")
        return case_times(text)
    except (OSError, ValueError) as error:
        raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error


def _cases(text: str) -> Iterator[tuple[Case, list[str]]]:
    """Yield each case of a log with its histograms in base64."""
    case, payloads = Case(), list[str]()
    for line in text.split("\n"):
        if line.startswith(CASE):
            yield case, payloads
            case, payloads = _case(line), []
        elif line.startswith(TAG):
            payloads.append(line.rpartition(",")[2])
            if len(payloads) > MOST_HISTOGRAMS:
                raise ValueError(f"a case has more than {MOST_HISTOGRAMS:,} histograms")
    yield case, payloads


def _case(line: str) -> Case:
    fields = parsed(line.removeprefix(CASE).rstrip().removesuffix("]"))
    if not isinstance(fields, dict) or not all(map(is_scalar, fields.values())):
        raise ValueError("a case is not a table of single values")
    return Case(fields)


def _merged(payloads: Iterable[str]) -> Counts:
    """Return the counts of all histograms together; their places are those of 3 digits from 1 ns."""
    whole: Counts = np.zeros(0, dtype=np.int64)
    for payload in payloads:
        counts = _counts(payload)
        if len(counts) > len(whole):
            whole, counts = counts, whole
        whole[: len(counts)] += counts
    return whole


def _counts(payload: str) -> Counts:
    """Return the counts of one histogram by place; ValueError if it is not a whole histogram of 3 digits from 1 ns."""
    held = base64.b64decode(payload, validate=True)
    if len(held) < 8 or struct.unpack_from(">ii", held) != (COMPRESSED, len(held) - 8):
        raise ValueError("a histogram is not compressed in the second version of the format")
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(held[8:], MOST_COUNTS_BYTES)
    except zlib.error as error:
        raise ValueError(f"a histogram cannot be decompressed ({error})") from error
    if not stream.eof or len(content) < HEAD.size:
        raise ValueError("a histogram is not whole, or too large")
    cookie, length, offset, digits, lowest, _, _ = HEAD.unpack_from(content)
    if (cookie, length, offset, digits, lowest) != (PLAIN, len(content) - HEAD.size, 0, 3, 1):
        raise ValueError("a histogram is not one of 3 digits from 1 ns")
    return _places(_numbers(np.frombuffer(content, dtype=np.uint8, offset=HEAD.size)))


def _numbers(content: NDArray[np.uint8]) -> Counts:
    """Return the zigzag numbers of 7 bits a byte, the lowest first, whose last byte has no upper bit."""
    if not len(content):
        return np.zeros(0, dtype=np.int64)
    ends = np.flatnonzero(content < 0x80)
    starts = np.concatenate(([0], ends[:-1] + 1))
    if not len(ends) or ends[-1] != len(content) - 1 or (ends - starts).max() >= LONGEST_NUMBER:
        raise ValueError("a histogram has a number that does not end")
    place = np.arange(len(content)) - np.repeat(starts, ends - starts + 1)
    bits = (content & 0x7F).astype(np.int64) << (7 * place)
    coded = np.add.reduceat(bits, starts)
    return (coded >> 1) ^ -(coded & 1)


def _places(numbers: Counts) -> Counts:
    """Return a count for each place; a negative number is as many places without any."""
    lengths = np.where(numbers < 0, -numbers, 1)
    if numbers.max(initial=0) > MOST_RESPONSES or max(lengths.max(initial=0), lengths.sum()) > MOST_PLACES:
        raise ValueError("a histogram counts more than there can be")
    return np.repeat(np.maximum(numbers, 0), lengths)


HALF = 1024
"""Places of each power of two from the second on; the first has twice as many (3 digits)."""


def _quantiles(counts: Counts, total: int) -> Iterator[tuple[float, float]]:
    """Yield each share of responses that took longer, with the time in ns, as HdrHistogram counts them."""
    summed = np.cumsum(counts)
    for share in SHARES_BEYOND:
        if share * total >= BEYOND:
            yield share, _highest(int(np.searchsorted(summed, np.ceil((1 - share) * total - 1e-6))))


def _highest(place: int) -> float:
    """Return the highest time in ns that is counted at a place.

    >>> _highest(5), _highest(2047), _highest(2048)
    (5.0, 2047.0, 2049.0)
    """
    power = max(0, place // HALF - 1)
    return float(((place - power * HALF + 1) << power) - 1)
