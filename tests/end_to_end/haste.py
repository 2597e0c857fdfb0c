"""What puts a command in haste, as ``hurried.py`` describes it: changes of what was imported, in this process alone."""

import contextlib
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from headtohead.cli import app, machines, this_machine, wiring
from headtohead.cli.commands import run
from headtohead.cli.commands.contract import rules_of_content
from headtohead.cli.race import command, options
from headtohead.cli.wiring import Question
from headtohead.describe.race.race import RaceLoad
from headtohead.hosts import paths
from headtohead.model import rules
from tests.contract.bench import environment, small

OF_THE_MACHINE = ("FOREIGN_CPU", "FOREIGN_APART", "STEAL", "DRIVER_DELAY", "DRIVER_FULL", "DRIVER_SHARED")
FEW = 2
assert app.app, "all commands are imported: what is changed here is changed in all of them"


def hasten() -> None:
    """Put the command that this process becomes in haste, as the environment asks."""
    if "H2H_LENIENT" in os.environ:
        for each in OF_THE_MACHINE:
            object.__setattr__(getattr(rules, each), "limit", 1e9)  # in place: some have it by another name
    vars(this_machine)["environment_here"] = lambda **_: environment()
    vars(run)["run_rules"] = rules_of_content
    vars(options)["RaceLoad"] = partial(RaceLoad, warm_up_s=0.1)
    if "H2H_LANE" in os.environ:
        lane, usual = Path(os.environ["H2H_LANE"]), paths.cache_dir
        for module in [vars(each) for name, each in sys.modules.items() if name.startswith("headtohead.")]:
            if module.get("cache_dir") is usual:
                module["cache_dir"] = lambda: lane
        vars(this_machine)["measuring_alone"] = lambda **_: contextlib.nullcontext()  # its lock is the lane's
        vars(machines)["sweep"] = tuple
        vars(run)["read_question"] = lambda path, **more: small(_unpolled(wiring.read_question(path, **more)))
        vars(command)["read_question"] = lambda path, **more: _few(_unpolled(wiring.read_question(path, **more)))


def _few(race: Question) -> Question:
    """Return the same race of two blocks, which have no verdict; of those that a verdict needs if it is lenient."""
    if "H2H_LENIENT" in os.environ:
        return race
    experiments = tuple(replace(each, looks=(FEW,)) for each in race.study.experiments)
    return replace(race, study=replace(race.study, experiments=experiments))


def _unpolled(asked: Question) -> Question:
    """Return the same question with drivers that sleep while they wait: they leave the CPU to other tests."""
    of = asked.study.experiments
    loads = [each.load if each.load.loop == "batch" else replace(each.load, poll="sleep") for each in of]
    experiments = tuple(replace(each, load=load) for each, load in zip(of, loads, strict=True))
    return replace(asked, study=replace(asked.study, experiments=experiments))
