"""The programs that tell of memory, ours, in C and of others: how each is run, and how its figures are read."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benches.meter import BenchError
from benches.stand import BUILT, ROOT

MEMORY = ROOT / "target/release/h2h-memory"
FLAGS = ("-std=c17", "-O3", "-march=native", "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", "-Werror")
LEAST_BYTES = 512 << 20
CACHES = Path("/sys/devices/system/cpu/cpu1/cache")
CPUINFO = Path("/proc/cpuinfo")
VECTORS = {"avx512f": "_avx512", "avx": "_avx", "sse2": "_sse"}
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
SIZES = (16 << 10, 256 << 10, 4 << 20, 512 << 20)
"""Well inside the caches of their level, and in memory: at the edge of one, either program may lie in it by chance."""
OPERATIONS = ("copy", "scale", "add", "triad")
LIKWID = {"copy": "copy", "triad": "stream"}
"""What likwid-bench calls operations of STREAM; its own triad is another."""
SPARE_S = 60.0
STRESS_S = 8
"""In less than this stress-ng tells no rate where last caches are 300 MiB: it fills its arrays within the time."""

Figures = Mapping[str, float]


@dataclass(frozen=True)
class Program:
    """What is run once a round, and how its figures are read."""

    name: str
    argv: Sequence[str]
    read: Callable[[str], Figures]


def array_bytes() -> int:
    """Return how large the three arrays are together: beyond the last cache of CPU 1, as h2h-memory chooses it."""
    sizes = [each.read_text().strip() for each in CACHES.glob("index*/size")]
    last = max((int(each[:-1]) * UNITS[each[-1]] for each in sizes if each[-1:] in UNITS), default=0)
    return max(LEAST_BYTES, 4 * last)


def compiled(name: str) -> Path:
    """Compile a C program of this folder; ``BenchError`` where that fails."""
    if shutil.which("gcc") is None:
        raise BenchError("gcc is not installed. Install it (Debian: apt-get install gcc libc6-dev).")
    BUILT.mkdir(parents=True, exist_ok=True)
    made = BUILT / name
    argv = ["gcc", *FLAGS, "-o", str(made), str(ROOT / "benches" / f"{name}.c")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"{name}.c does not compile: {done.stderr[-500:]}. Run it by hand: {' '.join(argv)}")
    return made


def bandwidths(text: str) -> Figures:
    """Read the records of ``h2h-memory bandwidth``."""
    found = {}
    for record in records(text):
        case = record["case"]
        found[f"{case['operation']} {case['stores']}"] = record["metrics"]["memory_bandwidth_bytes_per_s"]
    return found


def latencies(text: str) -> Figures:
    """Read the records of ``h2h-memory latency``."""
    return {size_name(each["case"]["size_bytes"]): each["metrics"]["load_latency_ns"] for each in records(text)}


def records(text: str) -> Iterator[Mapping[str, Mapping[str, float]]]:
    """Yield batch records whose answers are right; ``BenchError`` for another."""
    for line in text.splitlines():
        record = json.loads(line)
        if record["answer"] != "right":
            raise BenchError(f"h2h-memory answers {record['answer']!r}. Run it by hand.")
        yield record


def streamed(text: str) -> Figures:
    """Read what ``memory_stream`` printed: an operation and its bytes per second."""
    found = {name: float(value) for name, value in (line.split() for line in text.splitlines())}
    return {f"{name} {stores}": found[name] for name in OPERATIONS for stores in ("ordinary", "non-temporal")}


def chased(size_bytes: int, text: str) -> Figures:
    """Read what ``memory_chase`` printed: the time of a load, in ns."""
    return {size_name(size_bytes): float(text)}


def stressed(text: str) -> Figures:
    """Read what stress-ng says of all four operations together."""
    match = re.search(r"memory rate: ([\d.]+) MB read/sec, ([\d.]+) MB write/sec", text)
    if match is None:
        raise BenchError(f"stress-ng printed no memory rate: {text[-300:]!r}. Its version may print it otherwise.")
    return {"all ordinary": (float(match[1]) + float(match[2])) * 1e6}


def likwid(operation: str, text: str) -> Figures:
    """Read the rate of one kernel of likwid-bench, which counts bytes as STREAM does."""
    match = re.search(r"^MByte/s:\s+([\d.]+)", text, re.MULTILINE)
    if match is None:
        raise BenchError(f"likwid-bench printed no MByte/s: {text[-300:]!r}. Its version may print it otherwise.")
    return {f"{operation} ordinary": float(match[1]) * 1e6}


def size_name(size_bytes: float) -> str:
    """Return a size as the table names it."""
    kib = int(size_bytes) >> 10
    return f"load in {kib} KiB" if kib < 1024 else f"load in {kib >> 10} MiB"


def groups(run: Path, *, seconds: float) -> list[list[Program]]:
    """Return all programs that are there; those of one group tell the same figures, and run one after the other."""
    (run / "bandwidth").write_text(
        "".join(f"operation={name},stores={how}\n" for name in OPERATIONS for how in ("ordinary", "non-temporal"))
    )
    told = ["--seconds", f"{seconds:g}", "--cases"]
    size = ["--size", str(array_bytes()), "--no-plateau"]
    streams = [
        Program("ours", [str(MEMORY), "bandwidth", *size, *told, str(run / "bandwidth")], bandwidths),
        Program("C", [str(compiled("memory_stream")), str(array_bytes()), f"{seconds:g}"], streamed),
        *others(),
    ]
    return [streams, *(list(chases(run, each, seconds=seconds)) for each in SIZES)]


def chases(run: Path, size: int, *, seconds: float) -> Iterator[Program]:
    """Yield our chain of loads over so many bytes, and the one in C."""
    cases = run / f"latency-{size}"
    cases.write_text(f"pages=small,size_bytes={size}\n")
    yield Program("ours", [str(MEMORY), "latency", "--seconds", f"{seconds:g}", "--cases", str(cases)], latencies)
    yield Program("C", [str(compiled("memory_chase")), str(size), f"{seconds:g}"], partial(chased, size))


def others() -> Iterator[Program]:
    """Yield the programs of others that are installed: on CPU 1, arrays as large as ours."""
    stress, bench = shutil.which("stress-ng"), shutil.which("likwid-bench")
    if stress:
        words = ["--stream", "1", "--timeout", f"{STRESS_S}s", "--metrics-brief", "--log-file"]
        yield Program("stress-ng", [stress, *words, "/dev/stdout"], stressed)
    if bench:
        flags = set(CPUINFO.read_text().split())
        widest = next((kind for flag, kind in VECTORS.items() if flag in flags), "")
        for operation, kernel in LIKWID.items():
            work = ["-t", f"{kernel}{widest}", "-s", "1", "-w", f"S0:{array_bytes() // 1_000_000}MB:1"]
            yield Program("likwid-bench", [bench, *work], partial(likwid, operation))
