"""Is anything lost, doubled or left when a study is killed? ``make bench-kills``.

Studies of five kinds (a floor, web pages, a database, NFS and Samba) are started as a user starts them, and struck at
random moments: headtohead by KILL, INT, TERM or HUP, or the supervise of the run that is under way by KILL. After each
the machine must be as before within 15 s: no process, listening port, control group or folder. At the end each study is
resumed: no completed run is lost and none is there twice. Exit 1 if anything is not so.

The gates let every case begin at once: a noisy machine would spend the time waiting. ``--lanes N`` strikes N studies
side by side, each lane with a cache and a lock of its own: most of a study's time is spent waiting. A lane removes
nothing that another one left. Its short form is ``tests/end_to_end/test_killed.py``.

After Ctrl-C or SIGTERM each lane ends its study. Only then is their folder removed, however often the signal comes.
"""

import argparse
import contextlib
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benches.kept_runs import Tally, compare, finish
from benches.ports import listening_of
from benches.victims import KINDS, Local, victim
from headtohead.cli.main import INTERRUPTED
from tests.contract.leftovers import left_behind, nothing

GONE_WITHIN_S = 15.0
STARTS_WITHIN_S, GOES_ON_S = 120.0, 12.0
"""Until the first run; how long a study whose supervise was killed may go on before it is interrupted."""
LANE_SEEDS = 1_000_000
"""The seeds of two lanes differ by this."""
SUPERVISE, MISSED = "supervise -9", "missed"
"""Missed: there was no supervise yet, or the study had ended."""
DURING = " in a run"
SIGNALS = ("KILL", "KILL", "KILL", "INT", "INT", "TERM", "HUP")
LATE = (*(f"{each}{DURING}" for each in SIGNALS), SUPERVISE)
"""Blows whose time counts from the first run on: on a busy machine all others would meet the start."""
BLOWS = (*SIGNALS, *LATE[:-1], *[SUPERVISE] * 4)
"""Signals twice, from the start and from the first run on; supervise -9 two times in nine."""
ONLY = {"all": BLOWS, "signals": (*SIGNALS, *LATE[:-1]), "supervise": (SUPERVISE,)}


def strike(one: Local, blow: str, after_s: float, tally: Tally, *, stop: threading.Event) -> None:
    """Start or resume the study, strike it after a while, and look at what is left.

    If the bench is to stop meanwhile, the study is interrupted at once, and nothing is noted.
    """
    before = listening_of()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            ["env", "--default-signal=INT,HUP", *one.command],
            stdout=said,
            stderr=said,
            env=one.environment,
            start_new_session=True,
        )
        if blow in LATE:
            _await_supervise(process, stop)
        if stop.wait(after_s):
            end(process)
            return
        met, in_time = _hit(process, blow)
        began_s = time.monotonic()
        owner, ports = f"{process.pid}-", listening_of() - before
        left = _left(one, owner, ports)
        while left and time.monotonic() - began_s < GONE_WITHIN_S:
            time.sleep(0.1)
            left = _left(one, owner, ports)
        if not in_time:
            tally.wrong.append(f"{one.kind}, {blow} after {after_s:.2f} s: had not ended {GONE_WITHIN_S:.0f} s later")
        if left:
            tally.wrong.append(f"{one.kind}, {blow} after {after_s:.2f} s: left {left}; load {os.getloadavg()[0]:.0f}")
        tally.slowest_s = max(tally.slowest_s, time.monotonic() - began_s)
        said.seek(0)
        text = said.read()
        if "Traceback" in text:
            tally.wrong.append(f"{one.kind}, {blow} after {after_s:.2f} s: {text[text.index('Traceback') :][-3000:]}")
    compare(one, blow, tally)
    tally.blows[one.kind, blow.removesuffix(DURING) if met else MISSED] += 1


def _await_supervise(process: "subprocess.Popen[bytes]", stop: threading.Event) -> None:
    """Wait for the supervise of the first run, however long a busy machine takes to start one."""
    until_s = time.monotonic() + STARTS_WITHIN_S
    while not (
        stop.is_set() or process.poll() is not None or time.monotonic() > until_s or any(supervises(process.pid))
    ):
        time.sleep(0.1)


def _left(one: Local, owner: str, ports: set[str]) -> str:
    """Return in words what a killed headtohead left behind; empty if it left nothing.

    Of the ports, those that are no longer listened on, or are another owner's, are taken out for good.
    """
    found = left_behind(owner, cache=one.cache)
    ports &= listening_of(owner) if ports else set()
    return "" if found == nothing() and not ports else f"{found} {ports}"


def _hit(process: "subprocess.Popen[bytes]", blow: str) -> tuple[bool, bool]:
    """Strike it, and wait until it has ended; return whether there was something to strike, and if it ended in time."""
    met = False
    if blow == SUPERVISE:
        for pid in supervises(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                met = True
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GOES_ON_S)
            return met, True
        return met, end(process)
    if process.poll() is None:
        process.send_signal(signal.Signals[f"SIG{blow.removesuffix(DURING)}"])
        met = True
    return met, _await_end(process)


def end(process: "subprocess.Popen[bytes]") -> bool:
    """Interrupt a study, and wait until it has ended; return whether it ended in time. If not, it is killed."""
    process.send_signal(signal.SIGINT)
    return _await_end(process)


def _await_end(process: "subprocess.Popen[bytes]") -> bool:
    try:
        process.wait(GONE_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False
    return True


def supervises(owner: int) -> Iterator[int]:
    """Yield the supervises that a process has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if words[1:3] == [b"supervise", b"--id"] and words[3].startswith(b"%d-" % owner):
                yield int(folder.name)


def kill(
    rounds: int, asked: argparse.Namespace, seed: int, folder: Path, *, until_s: float, stop: threading.Event
) -> Tally:
    """Strike that many times, or until that instant, or a stop; return what was seen. The cache is made before."""
    rng, tally = random.Random(seed), Tally()
    for kind in asked.kinds:
        finish(victim(kind, folder, seed - 1, blocks=1), tally, stop=stop)
    victims: dict[str, Local] = {}
    for number in range(rounds):
        if stop.is_set() or time.monotonic() > until_s:
            break
        kind, known = rng.choice(asked.kinds), len(tally.wrong)
        one = victims.get(kind) or victim(kind, folder, seed + number)
        victims[kind] = one
        strike(one, rng.choice(asked.only), rng.uniform(0.1, KINDS[kind][3]), tally, stop=stop)
        if one.ended:
            finish(one, tally, stop=stop)
            del victims[kind]
        sys.stderr.write(f"{folder.name}: {number + 1} of {rounds}, {len(tally.wrong)} wrong\n")
        for each in tally.wrong[known:]:
            sys.stderr.write(f"{each}\n")
    for one in victims.values():
        finish(one, tally, stop=stop)
    return tally


def _lane(asked: argparse.Namespace, place: Path, lane: int, stop: threading.Event) -> Tally:
    folder = place / f"lane-{lane}"
    folder.mkdir(mode=0o755)
    rounds = asked.rounds // asked.lanes + (lane < asked.rounds % asked.lanes)
    until_s = time.monotonic() + 60 * asked.minutes
    return kill(rounds, asked, asked.seed + LANE_SEEDS * lane, folder, until_s=until_s, stop=stop)


def main() -> int:
    """Strike; print the table and what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lanes", type=int, default=1, metavar="N")
    parser.add_argument("--minutes", type=float, default=math.inf, metavar="N", help="strike no longer than this")
    parser.add_argument("--only", choices=ONLY, default="all", help="blows of this kind alone")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    asked = parser.parse_args()
    asked.only = ONLY[asked.only]
    tally, stop = Tally(), threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())  # raised here, it would remove the folder in which the lanes work
    with (
        tempfile.TemporaryDirectory(prefix="bench-kills-", dir="/var/tmp") as place,
        ThreadPoolExecutor(asked.lanes) as pool,
    ):
        Path(place).chmod(0o711)  # subjects are not root, and their programs are in the cache
        for seen in pool.map(lambda lane: _lane(asked, Path(place), lane, stop), range(asked.lanes)):
            tally.add(seen)
    blows = sorted({blow for _, blow in tally.blows})
    sys.stdout.write("".join(f"{word:>14}" for word in ("", *blows)) + "\n")
    for kind in asked.kinds:
        sys.stdout.write(
            "".join(f"{word!s:>14}" for word in (kind, *(tally.blows[kind, blow] for blow in blows))) + "\n"
        )
    sys.stdout.write(f"slowest to leave nothing: {tally.slowest_s:.1f} s; wrong: {len(tally.wrong)}" + "\n")
    for each in tally.wrong:
        sys.stdout.write(each + "\n")
    if stop.is_set():
        sys.stdout.write("It was interrupted; each study was ended before its folder was removed.\n")
        return INTERRUPTED
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
