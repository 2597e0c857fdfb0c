"""What comparing ten thousand systems takes: ``make bench-compare``.

The folders are made once, by ``benches.make_systems``, and kept under build/benches. Then the whole command is timed,
from start to end: ``headtohead compare DIR --write table.csv``, which reads 30,000 files and writes a line for each
system and workload. Its memory is that of all its processes together, looked at many times a second. Figures of systems
drawn from the seed are worked out once more from their files and held against the table: no time counts without a right
answer.
"""

import argparse
import csv
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from scipy import stats

from benches.bench_search import say
from benches.make_systems import RUNS, SEED, SYSTEMS, WORKLOADS, Asked, make
from benches.meter import BenchError

MOST_S, MOST_BYTES = 10.0, 2 * 1024**3
"""The bars, for 10,000 systems x 20 workloads x 10 runs."""
LOOK_EVERY_S = 0.02
CHECKED = 25
"""So many lines of the table are worked out once more."""
PLACE = Path("build/benches")
FIRST = "2026-11-20-s00001"
Key = tuple[str, str]


@dataclass(frozen=True)
class Took:
    """What a whole command took."""

    wall_s: float
    peak_bytes: int
    cpu_s: float


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; 0 when both bars are kept."""
    words = argparse.ArgumentParser(prog="bench_compare", description=(__doc__ or "").splitlines()[0])
    for name, value in (("systems", SYSTEMS), ("workloads", WORKLOADS), ("runs", RUNS), ("seed", SEED)):
        words.add_argument(f"--{name}", type=int, default=value, metavar="N")
    words.add_argument("--times", type=int, default=3, metavar="N", help="how often; the median counts")
    told = words.parse_args(argv)
    asked = Asked(told.systems, told.workloads, told.runs, told.seed)
    try:
        return _bench(asked, times=told.times)
    except BenchError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1


def _bench(asked: Asked, *, times: int) -> int:
    folder = _made(asked)
    table, text = PLACE / "table.csv", PLACE / "table.txt"
    words = ["compare", str(folder), "--write", str(table)]
    took = []
    for _ in range(times):
        table.unlink(missing_ok=True)
        took.append(timed(words, text=text))
    lines = _lines(table)
    _check(lines, folder, asked)
    wall_s = statistics.median(each.wall_s for each in took)
    peak_bytes = max(each.peak_bytes for each in took)
    say(f"{asked.systems:,} systems x {asked.workloads} workloads x {asked.runs} runs, {len(lines):,} lines written")
    each_s = ", ".join(f"{each.wall_s:.1f}" for each in took)
    say(f"  whole command   {wall_s:6.1f} s    at most {MOST_S:.0f} s   ({each_s})")
    say(f"  its CPU time    {statistics.median(each.cpu_s for each in took):6.1f} s    on {os.cpu_count()} CPUs")
    say(f"  peak memory     {peak_bytes / 2**30:6.2f} GiB  at most {MOST_BYTES / 2**30:.0f} GiB, of all processes")
    say(f"  {CHECKED} lines worked out once more: equal")
    return 0 if wall_s <= MOST_S and peak_bytes <= MOST_BYTES else 1


def _made(asked: Asked) -> Path:
    """Return the folder of folders, made before or now."""
    folder = PLACE / f"systems-{asked.systems}x{asked.workloads}x{asked.runs}-{asked.seed}"
    if not folder.is_dir():
        sys.stderr.write(f"Making {asked.systems:,} results folders (about a minute for 10,000) ...\n")
        partial = folder.with_name(f".{folder.name}")
        shutil.rmtree(partial, ignore_errors=True)
        make(partial, asked)
        partial.rename(folder)
    return folder


def timed(words: Sequence[str], *, text: Path) -> Took:
    """Return what a command of headtohead takes; its standard output goes to ``text``."""
    argv = [sys.executable, "-m", "headtohead", *words]
    peak = 0
    with text.open("wb") as out:
        started = time.monotonic()
        with subprocess.Popen(argv, stdout=out) as command:
            while (ended := os.waitid(os.P_PID, command.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)) is None:
                peak = max(peak, _resident(command.pid))
                time.sleep(LOOK_EVERY_S)
            wall_s = time.monotonic() - started
            _, _, usage = os.wait4(command.pid, 0)
            command.returncode = ended.si_status
    if ended.si_status != 0:
        raise BenchError(f"the command ended with {ended.si_status}; see {text}")
    return Took(wall_s, max(peak, usage.ru_maxrss * 1024), usage.ru_utime + usage.ru_stime)


def _resident(pid: int) -> int:
    """Return the memory of a process and its children in bytes; what a fork shares counts once for each."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        held = [Path(f"/proc/{each}/statm").read_text("ascii").split()[1] for each in (str(pid), *children)]
    except OSError:
        return 0
    return sum(map(int, held)) * os.sysconf("SC_PAGE_SIZE")


def _lines(table: Path) -> Mapping[Key, Mapping[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return {(each["system"], each["experiment"]): each for each in csv.DictReader(file)}


def _check(lines: Mapping[Key, Mapping[str, str]], folder: Path, asked: Asked) -> None:
    """Raise BenchError where a line is missing, or tells something else than the files of its system."""
    rng = Random(asked.seed)
    tests = [f"workload-{number:02d}" for number in range(1, asked.workloads + 1)]
    names = sorted(each.name for each in folder.iterdir())
    missing = [(name, test) for name in names for test in tests if (name, test) not in lines]
    if missing:
        raise BenchError(f"the table lacks {len(missing):,} lines, the first of {missing[0]}")
    ratios = sum(bool(line["ratio"]) for (_, test), line in lines.items() if test == tests[0])
    for _ in range(CHECKED):
        name, test = rng.choice(names[1:]), rng.choice(tests[:-1])
        told = [float(lines[name, test][each]) for each in ("ratio", "ratio_low", "ratio_high")]
        for mine, theirs in zip(_ratio(folder / FIRST, folder / name, test=test, share=ratios), told, strict=True):
            if not math.isclose(mine, theirs, rel_tol=1e-6):
                raise BenchError(f"{name} in {test}: the table has {theirs}, its files give {mine}")


def _ratio(baseline: Path, other: Path, *, test: str, share: int) -> tuple[float, float, float]:
    """Return the ratio of two systems with its ends, by scipy, from their measurements.

    As ``share`` ratios hold together, the degrees of freedom are those of the system that has fewer runs.
    """
    logs = [_logs(each / "measurements.csv", test=test) for each in (other, baseline)]
    center = statistics.fmean(logs[0]) - statistics.fmean(logs[1])
    error = math.hypot(*(float(stats.sem(each)) for each in logs))
    low, high = stats.t.interval(1 - 0.05 / share, min(map(len, logs)) - 1, loc=center, scale=error)
    return math.exp(center), math.exp(float(low)), math.exp(float(high))


def _logs(table: Path, *, test: str) -> list[float]:
    with table.open(encoding="utf-8", newline="") as file:
        return [math.log(float(each["value"])) for each in csv.DictReader(file) if each["experiment"] == test]


if __name__ == "__main__":
    sys.exit(main())
