"""Is a slowdown that was put there found, and how soon? ``make bench-planted``.

Two real studies of OpenSSL on one CPU against itself, the second treatment held to 90 % and to 97 % of that CPU by a
quota of the kernel: by how much it is slower is known beforehand. The CPU time that both had is printed next to it.
Runs are short: what else uses the host of a virtual machine does so for seconds, and then slows both treatments alike.
Exit 0: each is called slower, its interval holds the share planted, the tenth within 3 minutes, the 3 % by the look
that the minimum detectable effect of its first blocks promised; 1: something is not so. Of studies on a machine like
the one promised to, 8 in 10 keep the last.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches.meter import BenchError
from benches.quota import home
from benches.stand import folder, need_cpus
from headtohead.plan.forecast.duration import detectable
from headtohead.plan.interim_analyses import alpha_per_look

LOOKS = (6, 10, 16, 24, 36, 54, 80)
TENTH, FEW = 0.90, 0.97
TENTH_WITHIN_S = 180.0
STUDY = """format = 1
title  = "A slowdown of {percent} percent put there on purpose"
seed   = {seed}

[[experiment]]
name     = "planted"
question = "Is a CPU cut to {share:.0%} seen as what it is?"
workload = "rsa"
primary  = "signs_per_s"
matters  = 1.01
looks    = {looks}

[experiment.factors]
subject   = ["openssl"]
cpus      = [1]
cpu_quota = [1.0, {share}]

[experiment.load]
key       = ["rsa2048"]
processes = [1]
seconds   = 1
"""


@dataclass(frozen=True)
class Found:
    """What a study said of the share that was planted, and how long the whole of it took."""

    planted: float
    had: float
    """The CPU time that the second treatment had, as a share of the first one's."""
    verdict: str
    ratio: float
    low: float
    high: float
    blocks: int
    promised: int | None
    """The first look whose minimum detectable effect, by the spread of the first blocks, is the planted one or less."""
    took_s: float

    @property
    def promised_s(self) -> float | None:
        """How long the blocks up to the promised look take, as these did."""
        return None if self.promised is None else self.took_s / self.blocks * self.promised

    def kept(self) -> bool:
        """Tell whether it was found as it should be."""
        right = self.verdict == "worse" and self.low <= self.planted <= self.high
        if self.planted == TENTH:
            return right and self.took_s <= TENTH_WITHIN_S
        return right and self.promised is not None and self.blocks <= self.promised


def main(argv: Sequence[str] | None = None) -> int:
    """Run both studies; 0 where both are found as they should be."""
    words = argparse.ArgumentParser(prog="bench_planted", description=(__doc__ or "").splitlines()[0])
    words.add_argument("--seed", type=int, default=20261122)
    asked = words.parse_args(argv)
    try:
        need_cpus()
        need_quota()
        found = [study(share, seed=asked.seed) for share in (TENTH, FEW)]
    except BenchError as error:
        sys.stderr.write(f"bench-planted: {error}\n")
        return 2
    for each in found:
        sys.stdout.write(told(each))
    return 0 if all(each.kept() for each in found) else 1


def need_quota() -> None:
    """Raise ``BenchError`` unless a quota can be set."""
    if home() is None:
        raise BenchError("no CPU quota can be set here: run as root where cgroups have the cpu controller.")


def study(share: float, *, seed: int) -> Found:
    """Carry out a study in which the second treatment has this share of the first one's CPU."""
    with folder() as run:
        words = run / "planted.toml"
        text = STUDY.format(share=share, percent=round(100 * (1 - share)), seed=seed, looks=list(LOOKS))
        words.write_text(text, encoding="utf-8")
        began_s = time.monotonic()
        analysis = carried_out(words, run / "results")
        took_s = time.monotonic() - began_s
    (comparison,) = analysis["experiments"][0]["comparisons"]
    ratio = comparison["ratio"]
    if ratio is None or ratio["interval"] is None:
        raise BenchError(f"the study compared nothing: {comparison['because']}.")
    return Found(
        planted=share,
        had=had(analysis["experiments"][0]["treatments"]),
        verdict=comparison["verdict"],
        ratio=ratio["value"],
        low=ratio["interval"]["low"],
        high=ratio["interval"]["high"],
        blocks=int(comparison["look"] or ratio["n"]),
        promised=promised(comparison["blocks"][: LOOKS[0]], planted=share),
        took_s=took_s,
    )


def had(treatments: Sequence[Mapping[str, Any]]) -> float:
    """Return the CPU time of the treatment with less of it as a share of the other's; ``BenchError`` if not known."""
    busy = sorted((each["card"] or {}).get("subject_cpus_busy") or 0.0 for each in treatments)
    if len(busy) != 2 or not busy[0]:
        raise BenchError("the CPU time of the treatments is not known.")
    return float(busy[0] / busy[1])


def carried_out(study: Path, results: Path) -> Mapping[str, Any]:
    """Return the analysis of a study that ``headtohead run`` carried out; its progress is seen meanwhile."""
    argv = [sys.executable, "-m", "headtohead", "run", str(study), "--results", str(results), "--json"]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False)
    if not done.stdout:
        raise BenchError(f"headtohead ended with {done.returncode}; what it said stands above.")
    analysis: Mapping[str, Any] = json.loads(done.stdout)
    return analysis


def promised(ratios: Sequence[float], *, planted: float) -> int | None:
    """Return the first look that promises to show the planted share in 8 of 10 studies of this spread."""
    spread = statistics.stdev(map(math.log, ratios))
    for look, alpha in zip(LOOKS, alpha_per_look(LOOKS), strict=True):
        if (detectable(look, spread=spread, alpha=alpha) or math.inf) <= 1 / planted:
            return look
    return None


def told(found: Found) -> str:
    """Return what was found as lines of text."""
    promise = "promised by no look: the machine is too noisy for it"
    if found.promised is not None and found.promised_s is not None:
        promise = f"promised by block {found.promised}, after about {found.promised_s:.0f} s"
    return (
        f"planted {found.planted:.2f}, had {found.had:.4f}: {found.verdict}, ratio {found.ratio:.4f} "
        f"[{found.low:.4f}, {found.high:.4f}], after {found.blocks} blocks and {found.took_s:.0f} s; {promise}: "
        f"{'kept' if found.kept() else 'NOT KEPT'}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
