"""What a study of several machines finds on a rig, where the truth is known: ``make bench-rig``.

Equal servers must not differ; a server that is held to 0.8 CPU must be called slower, by that; two CPUs must be faster
than one; a server of a whole CPU must give twice the pages and queries of one that has half, asked by two drivers; six
drivers must find the capacity of a token bucket; and while a load runs, our control connections must stay below 1 % of
a CPU of each machine and 100 kbit/s. The progress of each study is shown, and for each part a line, kept or not. A part
that fails ends no other. ``--only PART`` repeats one. Exit 0 if all are kept.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benches.meter import BenchError
from benches.on_rig import HEAD, SERVERS, apart, measured, studied
from benches.rig_control import CPU_LIMIT, KBIT_LIMIT, control_while_loaded
from benches.stand import need_cpus
from tests.rig.build import why_no_rig

LOOKS = [6, 10]
FACTORS = '\n[experiment.factors]\nsubject = ["{subject}"]\nserver = "each"\ncpus = ["all"]\n'
PAGE = (
    HEAD
    + 'question = "Which serves more pages?"\nworkload = "small-page"\nlooks = {looks}\n'
    + FACTORS.replace("{subject}", "apache-httpd")
    + "\n[experiment.load]\nconnections = [10]\nwarm_up_s = 0.5\nmeasure_s = 3\n"
)
CONTROL = PAGE.replace("measure_s = 3", "measure_s = 10")
SIGNS = (
    HEAD
    + 'question = "Which signs more?"\nworkload = "rsa"\nprimary = "signs_per_s"\nlooks = {looks}\n'
    + FACTORS.replace("{subject}", "openssl")
    + '\n[experiment.load]\nkey = ["rsa2048"]\nprocesses = [{processes}]\nseconds = 2\n'
)
HELD, HELD_LOW, HELD_HIGH = 0.8, 0.78, 0.82
HALF, TWICE_LOW, TWICE_HIGH = 0.5, 1.8, 2.2
FORUM = (
    '\n[[experiment]]\nname = "forum"\nquestion = "Which answers more of a message board\'s queries?"\n'
    + 'workload = "forum-read"\nlooks = {looks}\n'
    + FACTORS.replace("{subject}", "mariadb")
    + "\n[experiment.load]\nconnections = [10]\nwarm_up_s = 0.5\nmeasure_s = 3\n"
)
CAPACITY_PER_S, WITHIN = 2000.0, 0.05
SEARCH = (
    HEAD
    + 'question = "What is the capacity?"\nworkload = "bucket-page"\nprimary = "capacity_per_s"\nlooks = [2]\n'
    + '\n[experiment.factors]\nsubject = ["bucket"]\ndrivers = "all"\ncpus = [1]\n'
    + '\n[experiment.load]\nrate_per_s = "search"\n'
    + "objective = {{ response_time_p99_ns = 1_000_000_000, error_share = 0.005 }}\n"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the parts; 0 if each found the truth."""
    words = argparse.ArgumentParser(prog="bench_rig", description=(__doc__ or "").splitlines()[0])
    words.add_argument("--only", choices=PARTS, action="append", help="carry out this part only (repeatable)")
    words.add_argument("--seed", type=int, default=20261124)
    words.add_argument("--kept", type=Path, help="a new folder for the results, with their report, of the part half")
    asked = words.parse_args(argv)
    try:
        need_cpus()
        need_rig()
    except BenchError as error:
        sys.stderr.write(f"bench-rig: {error}\n")
        return 2
    kept = [_carried_out(name, asked) for name in asked.only or PARTS]
    sys.stdout.write(f"bench-rig: {sum(kept)} of {len(kept)} parts kept\n")
    return 0 if all(kept) else 1


def _carried_out(name: str, asked: argparse.Namespace) -> bool:
    sys.stderr.write(f"bench-rig: part {name}\n")
    try:
        return PARTS[name](asked)
    except BenchError as error:
        return _told(name, str(error), kept=False)


def need_rig() -> None:
    """Raise ``BenchError`` unless a rig can be built."""
    why = why_no_rig()
    if why:
        raise BenchError(f"no rig can be built here: {why}.")


def equal(asked: argparse.Namespace) -> bool:
    """Compare two equal servers in three studies; after one winner, in two more, which must name none."""
    found = [_page(asked.seed + number) for number in range(3)]
    named = list(map(_verdict, found))
    if sum(map(_is_winner, named)) == 1:
        found += [_page(asked.seed + number) for number in (3, 4)]
        named = list(map(_verdict, found))[3:]
    return _told("equal", "; ".join(map(_ratio, found)), kept=not any(map(_is_winner, named)))


def held(asked: argparse.Namespace) -> bool:
    """Hold the second of two servers to 0.8 CPU."""
    quotas = {"server2": HELD}
    found = measured(_signs(asked.seed, processes=1), cpus=apart(SERVERS, 0), quotas=quotas)
    kept = _verdict(found) == "worse" and _meets(found, HELD_LOW, HELD_HIGH)
    return _told("held to 0.8 CPU", _ratio(found), kept=kept)


def two_cpus(asked: argparse.Namespace) -> bool:
    """Compare a server of one CPU with one of two. Without a third CPU there is none for a driver."""
    cpus = {"server1": "0", "server2": "0,1"}
    found = measured(_signs(asked.seed, processes='"all"'), cpus=cpus)
    return _told("1 CPU against 2", _ratio(found), kept=_verdict(found) == "better")


def half(asked: argparse.Namespace) -> bool:
    """Compare a server of half a CPU with one of a whole, on pages and on queries, asked by two drivers."""
    study = (PAGE + FORUM).format(seed=asked.seed, looks=LOOKS)
    found = studied(study, cpus=apart(SERVERS, 2), quotas={"server1": HALF}, kept=asked.kept)
    holds = [_verdict(each) == "better" and _meets(each, TWICE_LOW, TWICE_HIGH) for each in found]
    return _told("half a CPU against a whole", "; ".join(map(_ratio, found)), kept=len(holds) == 2 and all(holds))


def capacity(asked: argparse.Namespace) -> bool:
    """Search for the capacity of a token bucket with six drivers, in sessions of five calls."""
    found = measured(SEARCH.format(seed=asked.seed), cpus=apart(SERVERS[:1], 6), bucket_per_s=CAPACITY_PER_S)
    (treatment,) = found["treatments"]
    primary = treatment["primary"]
    if primary is None:
        raise BenchError(f"no search succeeded: {treatment['runs_failed']} runs failed.")
    error = primary["value"] / CAPACITY_PER_S - 1
    return _told("capacity", f"{primary['value']:.0f} of {CAPACITY_PER_S:.0f}, {error:+.1%}", kept=abs(error) <= WITHIN)


def control(asked: argparse.Namespace) -> bool:
    """Measure what our control connections take while a load runs."""
    found = control_while_loaded(CONTROL.format(seed=asked.seed, looks=[1]))
    worst = max(found.cpus.values())
    each = ", ".join(f"{name} {100 * used:.2f} %" for name, used in found.cpus.items())
    said = f"{found.kbit_per_s:.1f} kbit/s on all connections together; of a CPU: {each}; {found.seconds:.0f} s of load"
    return _told("control", said, kept=worst < CPU_LIMIT and found.kbit_per_s < KBIT_LIMIT)


def _page(seed: int) -> Mapping[str, Any]:
    return measured(PAGE.format(seed=seed, looks=LOOKS), cpus=apart(SERVERS, 1))


def _signs(seed: int, *, processes: int | str) -> str:
    return SIGNS.format(seed=seed, looks=LOOKS, processes=processes)


def _comparison(experiment: Mapping[str, Any]) -> Mapping[str, Any]:
    (found,) = experiment["comparisons"]
    if found["ratio"] is None or found["ratio"]["interval"] is None:
        raise BenchError(f"the study compared nothing: {found['because']}; {_discarded(experiment)}.")
    return dict(found)


def _verdict(experiment: Mapping[str, Any]) -> str:
    return str(_comparison(experiment)["verdict"])


def _interval(experiment: Mapping[str, Any]) -> tuple[float, float]:
    interval = _comparison(experiment)["ratio"]["interval"]
    return float(interval["low"]), float(interval["high"])


def _meets(experiment: Mapping[str, Any], lowest: float, highest: float) -> bool:
    low, high = _interval(experiment)
    return low <= highest and high >= lowest


def _ratio(experiment: Mapping[str, Any]) -> str:
    """Return verdict and ratio as they are printed."""
    low, high = _interval(experiment)
    value, blocks = _comparison(experiment)["ratio"]["value"], experiment["blocks_done"]
    return f"{_verdict(experiment)}, {value:.3f} ({low:.3f} to {high:.3f}), {blocks} blocks; {_discarded(experiment)}"


def _discarded(experiment: Mapping[str, Any]) -> str:
    """Return how many runs were discarded."""
    bad = sum(each["runs_invalid"] + each["runs_failed"] for each in experiment["treatments"])
    return f"{bad} of {bad + sum(each['runs_valid'] for each in experiment['treatments'])} runs discarded"


def _is_winner(verdict: str) -> bool:
    return verdict in ("better", "worse")


def _told(part: str, found: str, *, kept: bool) -> bool:
    sys.stdout.write(f"{part}: {found}  {'kept' if kept else 'NOT KEPT'}\n")
    sys.stdout.flush()
    return kept


PARTS: Mapping[str, Callable[[argparse.Namespace], bool]] = {
    "equal": equal,
    "held": held,
    "two-cpus": two_cpus,
    "half": half,
    "capacity": capacity,
    "control": control,
}


if __name__ == "__main__":
    sys.exit(main())
