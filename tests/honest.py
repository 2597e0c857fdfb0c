"""Plans and runs as `headtohead run` would make them: the study's figures, the drawn order, the error of each look."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.record import Recorded
from headtohead.plan.blocks import chance, randomized
from headtohead.plan.interim_analyses import alpha_per_look


def honest(plan: Plan) -> tuple[bytes, Plan]:
    """Return the study that a plan is of, and the plan with everything as it follows from that study."""
    lines = ["format = 1", f"title = {json.dumps(plan.title)}", f"seed = {plan.seed}", *_limit(plan.within_min)]
    for each in plan.experiments:
        lines += ["[[experiment]]", f'name = "{each.name}"', f"question = {json.dumps(each.question)}"]
        lines += [f'workload = "{each.workload}"', f"matters = {each.matters}", f"looks = {list(each.looks)}"]
        lines += [*_limit(each.within_min), f"share_driver = {json.dumps(each.share_driver)}"]
        lines += ["[experiment.factors]", f"subject = {json.dumps(list({one.subject for one in each.treatments}))}"]
    study = "".join(f"{line}\n" for line in lines).encode()
    experiments = tuple(_drawn(each, seed=plan.seed) for each in plan.experiments)
    return study, replace(plan, experiments=experiments, study_sha256=hashlib.sha256(study).hexdigest())


def _limit(minutes: float | None) -> list[str]:
    return [] if minutes is None else [f"within_min = {minutes}"]


def _drawn(each: PlannedExperiment, *, seed: int) -> PlannedExperiment:
    labels = [one.label for one in each.treatments]
    levels = tuple(level / max(1, len(each.comparisons)) for level in alpha_per_look(each.looks))
    return replace(
        each,
        runs=randomized(labels, each.cases, blocks=each.looks[-1], rng=chance(seed, each.name)),
        comparisons=tuple(replace(one, alpha=levels) for one in each.comparisons),
    )


def in_order(plan: Plan, runs: Sequence[Recorded]) -> list[Recorded]:
    """Return the runs of the plan's experiments at their places in it, numbered and dated one after the other."""
    places = {(one.name, each.block, each.treatment): each.place for one in plan.experiments for each in one.runs}
    order = [each.name for each in plan.experiments]
    own = [each for each in runs if each.run.experiment in order]
    placed = [(places[each.run.experiment, each.run.block, each.run.label], each) for each in own]
    placed.sort(key=lambda pair: (order.index(pair[1].run.experiment), pair[1].run.block, pair[1].run.attempt, pair[0]))
    times = sorted(each.run.started_at for each in own)
    return [
        replace(each, run=replace(each.run, run=number, place=place, started_at=times[number - 1]))
        for number, (place, each) in enumerate(placed, start=1)
    ]
