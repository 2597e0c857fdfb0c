"""Does a busy process on an unused CPU spoil runs, or name winners? ``make bench-foreign``.

A server is measured against itself; on a machine of two CPUs, where server and driver have both, it is a batch program.
Meanwhile a program keeps an unused CPU busy during every other block. The runs of either state are replayed as
comparisons, as ``headtohead noise`` does. A hypervisor takes CPU time only while it is used, so "by steal" is shown
apart: those are lost to the host below, not to the busy process. "Before ADR 22" is the share of runs that would not
count if CPU of other processes were judged over the whole machine. Exit 1 if clearly more runs are discarded for
another reason than steal next to the busy process, or if more winners are named than chance explains.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from benches.bench_search import say
from headtohead.analyze.findings.judge_run import judge
from headtohead.analyze.noise_floor import LEAST_RUNS, replay
from headtohead.model.errors import HeadToHeadError
from headtohead.model.record import Recorded, Recording
from headtohead.store import read
from tests.end_to_end.command import argv, environment

STUDY = """format = 1
title = "One subject against itself, with a busy process elsewhere"
seed = 20261124

[[experiment]]
name = "itself"
question = "Does work on an unused CPU look like a winner?"
looks = [BLOCKS]
"""
SERVED = """workload = "static-page"

[experiment.factors]
subject = [{ name = "nginx", label = "A" }, { name = "nginx", label = "B" }]
cpus = [1]

[experiment.load]
connections = [10]
warm_up_s = 0.3
measure_s = 1
"""
BATCH = """workload = "rsa"
primary = "signs_per_s"

[experiment.factors]
subject = [{ name = "openssl", label = "A" }, { name = "openssl", label = "B" }]
cpus = [1]

[experiment.load]
key = ["rsa2048"]
operation = ["sign"]
processes = [1]
seconds = 1
"""
SERVER_DRIVER_AND_HOG = 3
"""CPUs, one for each."""
BLOCKS = 70
"""About 7 minutes; each state needs 40 valid runs."""
MOST_S = 3600
LOOK_EVERY_S = 0.05
COMPARISONS = 1000
SWITCHES = "switches.jsonl"
MORE_DISCARDED = 0.05
"""By this share more runs may be discarded next to the busy process: of 70 runs, three."""
HOG = "import os, sys, time\nos.sched_setaffinity(0, {int(sys.argv[1])})\nend = time.monotonic() + float(sys.argv[2])\n"
HOG += "while time.monotonic() < end: pass\n"


@dataclass(frozen=True)
class Switch:
    """When the busy process was let go on, or stopped."""

    at_s: float
    on: bool


def main(argv_: Sequence[str] | None = None) -> int:
    """Run the bench; 0 when the busy process changed nothing."""
    words = argparse.ArgumentParser(prog="bench_foreign", description=(__doc__ or "").splitlines()[0])
    words.add_argument("--blocks", type=int, default=BLOCKS, metavar="N")
    words.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the results there; judge those that it has")
    asked = words.parse_args(argv_)
    with tempfile.TemporaryDirectory(prefix="bench-foreign-") as place:
        kept = asked.keep or Path(place)
        if not (kept / SWITCHES).exists():
            kept.mkdir(parents=True, exist_ok=True)
            _measured(kept, asked.blocks)
        return _compared(*_read(kept))


def _read(place: Path) -> tuple[Recording, list[Switch]]:
    """Return the results of a study and when its busy process was switched."""
    (folder,) = (each.parent for each in place.glob("results/*/plan.json"))
    return read.recording(folder), [Switch(**json.loads(line)) for line in (place / SWITCHES).read_text().splitlines()]


def _measured(place: Path, blocks: int) -> None:
    """Carry out the study, with the busy process on during every other block; each switch is written down at once."""
    study, results = place / "foreign.toml", place / "results"
    work = SERVED if len(os.sched_getaffinity(0)) >= SERVER_DRIVER_AND_HOG else BATCH
    study.write_text(STUDY.replace("BLOCKS", str(blocks)) + work)
    with subprocess.Popen(argv("run", study, "--results", results), env=environment(), stdout=sys.stderr) as command:
        try:
            folder = _begun(results, command)
            unused = _unused(folder)
            os.sched_setaffinity(0, {unused})  # to look takes CPU time too
            with _hog(unused) as hog, (place / SWITCHES).open("a") as written:
                for each in _switched(folder, command, hog):
                    print(json.dumps(asdict(each)), file=written, flush=True)
        finally:
            command.send_signal(signal.SIGINT)


def _begun(results: Path, command: "subprocess.Popen[bytes]") -> Path:
    """Return the results folder, once it has a plan."""
    while command.poll() is None:
        for plan in results.glob("*/plan.json"):
            return plan.parent
        time.sleep(LOOK_EVERY_S)
    sys.exit("error: the study did not begin; see above")


def _unused(folder: Path) -> int:
    """Return the last CPU that neither server nor driver has."""
    arm = json.loads((folder / "plan.json").read_text())["experiments"][0]["treatments"][0]
    return max(os.sched_getaffinity(0) - {*arm["cpus"], *arm["driver_cpus"]})


@contextmanager
def _hog(cpu: int) -> Iterator["subprocess.Popen[bytes]"]:
    say(f"The busy process has CPU {cpu}.")
    with subprocess.Popen([sys.executable, "-c", HOG, str(cpu), str(MOST_S)]) as hog:
        try:
            yield hog
        finally:
            hog.kill()


def _switched(folder: Path, command: "subprocess.Popen[bytes]", hog: "subprocess.Popen[bytes]") -> Iterator[Switch]:
    """Let the busy process go on while the number of finished blocks is odd; yield each switch."""
    on = True
    while command.poll() is None:
        wanted = len(list(folder.glob("runs/[0-9]*"))) // 2 % 2 == 1
        if wanted != on:
            on = wanted
            hog.send_signal(signal.SIGCONT if on else signal.SIGSTOP)
            yield Switch(time.time(), on)
        time.sleep(LOOK_EVERY_S)


def _state(recorded: Recorded, switches: Sequence[Switch]) -> bool | None:
    """Return whether the busy process was on during a whole run, off (False), or changed meanwhile (None)."""
    began_s = datetime.fromisoformat(recorded.run.started_at).timestamp()
    measured = [each for each in recorded.run.phases if each.name == "measure"]
    if not measured:
        return None
    from_s, to_s = began_s + measured[0].from_ns / 1e9, began_s + measured[-1].to_ns / 1e9
    before = [each.on for each in switches if each.at_s <= from_s]
    changed = any(from_s < each.at_s < to_s for each in switches)
    return before[-1] if before and not changed else None


def _compared(recording: Recording, switches: Sequence[Switch]) -> int:
    """Print the table; return 1 if the busy process changed the share of runs that count, or the winners."""
    say("busy process   runs   discarded   by steal   before ADR 22   false winners (at most by chance)")
    others, good = {}, True
    for on in (False, True):
        own = tuple(each for each in recording.runs if _state(each, switches) is on)
        discarded = _share([each.run.status == "valid" for each in own])
        steal = _share([not _by_steal_alone(each) for each in own])
        others[on] = discarded - steal
        before = _share([_judged_over_the_machine(recording, each) for each in own])
        line = f"{'on' if on else 'off':12} {len(own):6} {discarded:11.0%} {steal:10.0%} {before:15.0%}"
        try:
            floor = replay(replace(recording, runs=own), comparisons=COMPARISONS)
        except HeadToHeadError as error:
            say(f"{line}   not shown: {error.why} (at least {LEAST_RUNS} valid runs)")
            good = False
            continue
        say(f"{line}   {floor.false_winners} of {floor.comparisons} ({floor.most_by_chance})")
        good &= floor.false_winners <= (floor.most_by_chance or 0)
    return 0 if good and others[True] <= others[False] + MORE_DISCARDED else 1


def _by_steal_alone(one: Recorded) -> bool:
    """Return whether a run does not count, and that only as the hypervisor took CPU time away."""
    reasons = one.run.reasons
    return one.run.status != "valid" and bool(reasons) and all(each.startswith("steal:") for each in reasons)


def _judged_over_the_machine(recording: Recording, one: Recorded) -> bool:
    """Return whether a run would count if no CPU were known to be apart."""
    (experiment,) = recording.plan.experiments
    arms = tuple(replace(each, apart=None) for each in experiment.treatments)
    return judge(one, replace(experiment, treatments=arms)).status == "valid"


def _share(counts: Sequence[bool]) -> float:
    """Return the share of runs that do not count."""
    return 1 - sum(counts) / len(counts) if counts else float("nan")


if __name__ == "__main__":
    sys.exit(main())
