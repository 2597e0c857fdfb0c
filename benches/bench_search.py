"""How right a search for the capacity is, and what it costs: ``make bench-search``.

A token bucket on CPU 0 answers exactly R requests a second, R drawn from the seed between 500 and 20,000; the load
generator on CPU 1 tries the rates that the search chooses, in the open loop. Printed: each search's error, whether its
interval covers R, its trials; the Autobench ladder (19 even steps up to twice a first guess, up to the first failure)
stands beside some of them.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from benches.meter import BenchError, pinned
from benches.stand import LOAD, Server, known, need_cpus
from headtohead.analyze.capacity.next_trial import next_trial
from headtohead.analyze.capacity.objective import passes
from headtohead.analyze.capacity.search_result import search_of
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Metric, Summary
from headtohead.model.record import LoadRecord
from headtohead.model.study.trials import Trial, late_after_ns
from headtohead.model.study.workload import Load
from headtohead.store.run.records import record

SEED = 20261120
LOWEST_PER_S, HIGHEST_PER_S = 500.0, 20_000.0
OBJECTIVE = {"response_time_p99_ns": 1_000_000_000.0, "error_share": 0.005}
"""Too long to bind: with a shorter limit the capacity is below the rate of the bucket (ADR 27, ``bench-verdicts``)."""
ASKED = Load("open", {}, {"rate_per_s": "search"}, warm_up_s=1.0, measure_s=2.0, objective=OBJECTIVE)
GRACE_S = 30.0

STEPS = tuple(range(20, 201, 10))
"""Autobench's ladder, 19 even steps, in percent of a first guess."""
GUESSES = (0.6, 1.6)
"""The first guess lies between these shares of the capacity: whoever sets up a ladder does not know it."""


@dataclass(frozen=True)
class Outcome:
    """What one search came to against a capacity that is known."""

    true_per_s: float
    capacity_per_s: float
    covers: bool
    trials: int
    seconds: float

    @property
    def error(self) -> float:
        """Return the estimate's relative error."""
        return self.capacity_per_s / self.true_per_s - 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; 0 when all bars are kept."""
    words = argparse.ArgumentParser(prog="bench_search", description=(__doc__ or "").splitlines()[0])
    words.add_argument("--searches", type=int, default=50, help="how many capacities are searched for (default 50)")
    words.add_argument(
        "--ladders", type=int, default=4, help="beside how many of them the ladder is climbed (default 4)"
    )
    words.add_argument("--seed", type=int, default=SEED)
    asked = words.parse_args(argv)
    try:
        need_cpus()
        outcomes, ladders = _all(asked.searches, ladders=asked.ladders, rng=Random(asked.seed))
    except BenchError as error:
        sys.stderr.write(f"bench-search: {error}\n")
        return 2
    return _told(outcomes, ladders)


def _all(searches: int, *, ladders: int, rng: Random) -> tuple[list[Outcome], list[float]]:
    outcomes, climbed = [], []
    say("    known      found   error  covers  trials  seconds   ladder")
    for number in range(searches):
        rate = math.exp(rng.uniform(math.log(LOWEST_PER_S), math.log(HIGHEST_PER_S)))
        guess = rate * rng.uniform(*GUESSES)
        with known("bucket", "--rate", f"{rate:.3f}") as server:
            outcome = search(server, rate)
            step = climb(server, guess) / rate - 1 if number < ladders else None
        outcomes.append(outcome)
        climbed += [] if step is None else [step]
        say(
            f"{outcome.true_per_s:9.1f}  {outcome.capacity_per_s:9.1f}  {100 * outcome.error:+5.1f} %"
            f"  {'yes' if outcome.covers else 'NO ':>6}  {outcome.trials:6d}  {outcome.seconds:7.1f}"
            f"  {'' if step is None else f'{100 * step:+6.1f} %'}"
        )
    return outcomes, climbed


def _told(outcomes: Sequence[Outcome], ladders: Sequence[float]) -> int:
    """Print what all searches come to beside the bars; 0 when every bar is kept."""
    count = len(outcomes)
    near = sum(abs(each.error) <= 0.05 for each in outcomes)
    covering = sum(each.covers for each in outcomes)
    trials = statistics.fmean(each.trials for each in outcomes)
    rms = math.sqrt(statistics.fmean(each.error**2 for each in outcomes))
    bars = (near >= 0.92 * count, covering >= 0.92 * count, trials <= 11)
    say(f"within 5 %:       {near} of {count} (46 of 50 are asked){_kept(bars[0])}")
    say(f"interval covers:  {covering} of {count} (46 of 50 are asked){_kept(bars[1])}")
    say(f"mean trials:      {trials:.1f}, the probe included (at most 11 are asked){_kept(bars[2])}")
    say(f"error:            {100 * rms:.1f} % (root mean square)")
    if ladders:
        of_ladders = math.sqrt(statistics.fmean(each**2 for each in ladders))
        say(f"ladder's error:   {100 * of_ladders:.1f} % (root mean square of {len(ladders)})")
    return 0 if all(bars) else 1


def say(line: str) -> None:
    """Write one line at once: a bench of 20 minutes shows how far it is."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _kept(bar: bool) -> str:
    return "" if bar else "  NOT KEPT"


def search(server: Server, true_per_s: float) -> Outcome:
    """Walk one whole search against a server of known capacity."""
    experiment, records, seconds = planned(), list[LoadRecord](), 0.0
    treatment = experiment.treatments[0]
    while (trial := next_trial(experiment, treatment, records, [])) is not None and trial.drains:
        records.append(drive(server, trial, seed=len(records) + round(true_per_s)))
        seconds += trial.warm_up_s + trial.measure_s
    found = search_of(records, ASKED)
    if found is None or found.capacity_per_s is None or found.interval is None:
        raise BenchError(
            f"no rate held against a server of {true_per_s:.0f}/s. Run h2h-load by hand against h2h-known."
        )
    covers = found.interval.low <= true_per_s <= found.interval.high
    return Outcome(true_per_s, found.capacity_per_s, covers, len(records), seconds)


def climb(server: Server, guess_per_s: float) -> float:
    """Return the last step of Autobench's ladder before the first that does not hold; 0 where the first fails."""
    held = 0.0
    for number, step in enumerate(STEPS):
        rate = guess_per_s * step / 100
        trial = Trial(Case({"rate_per_s": rate}), "open", 0.5, max(2.0, 2000 / rate), drains=True)
        if not passes(drive(server, trial, seed=number + 1), OBJECTIVE):
            break
        held = rate
    return held


def drive(server: Server, trial: Trial, *, seed: int) -> LoadRecord:
    """Run one trial with the load generator on CPU 1 and return its record."""
    asked = ("--connections", str(trial.case["connections"])) if trial.loop == "closed" else _rate(trial)
    argv = [
        *(str(LOAD), "http", *asked, "--seed", str(seed), "--case", json.dumps(dict(trial.case)), "--json", "-"),
        *("--warm-up", f"{round(trial.warm_up_s * 1000)}ms", "--duration", f"{round(trial.measure_s * 1000)}ms"),
        f"{server.url}/",
    ]
    within_s = trial.warm_up_s + trial.measure_s + GRACE_S
    with pinned(1):
        done = subprocess.run(argv, capture_output=True, text=True, timeout=within_s, check=False)
    if done.returncode != 0:
        raise BenchError(f"h2h-load ended with {done.returncode}: {done.stderr.strip()}")
    told = record(json.loads(done.stdout))
    if not isinstance(told, LoadRecord):
        raise BenchError("h2h-load printed no load record. Build it again: make setup.")
    return told


def _rate(trial: Trial) -> tuple[str, ...]:
    late_ns = late_after_ns(OBJECTIVE)
    late = () if late_ns is None else ("--late-after", f"{late_ns / 1e6:g}ms")
    return ("--rate", f"{trial.case['rate_per_s']}", *late)


def planned(objective: Mapping[str, float] = OBJECTIVE) -> PlannedExperiment:
    """Return an experiment of one treatment that searches, as far as a search needs one."""
    capacity = Metric("capacity_per_s", "capacity", "1/s", "higher", ("carries more", "carries less"), "search")
    primary = Summary(capacity.name, capacity.name, "geometric-mean", {})
    bucket = Treatment("bucket", "bucket", {}, {}, (0,), (1,), None, floor=False)
    return PlannedExperiment(
        name="bench-search",
        question="Is the capacity found?",
        workload="bucket",
        workload_version=1,
        workload_title="A token bucket",
        asks="http/static-v1",
        same_test="",
        data=None,
        load=replace(ASKED, objective=objective),
        primary=primary,
        summaries=(primary,),
        metrics={capacity.name: capacity},
        compare=None,
        matters=1.03,
        looks=(6,),
        within_min=None,
        share_driver=False,
        cases=(WHOLE_RUN,),
        treatments=(bucket,),
        comparisons=(),
        runs=(),
        run_s={},
    )


if __name__ == "__main__":
    sys.exit(main())
