"""What the machine does to a run, for real: gates wait for quiet, and cases measured beside a hog are discarded."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.analyze.findings import judge
from headtohead.cli.commands.run import run_rules
from headtohead.cli.this_machine import environment_here
from headtohead.cli.wiring import Question
from headtohead.execute.context.study_context import StudyContext
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.run.walk_cases_repeat_excluded import AGAIN
from headtohead.model.record import Recorded
from headtohead.model.rules import GATE, GateRule
from tests.contract.bench import pairs, question, run_on, study_text
from tests.contract.homes import HOME
from tests.contract.leftovers import left_by_us, nothing

PAIR = {str(each): each for each in pairs(HOME)}["noop under static-page"]
SOON = replace(GATE, within_s=0.4)

pytestmark = pytest.mark.real


@contextmanager
def hogs(cpus: tuple[int, ...]) -> Iterator[None]:
    """Keep some CPUs busy."""
    spin = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"
    both = [subprocess.Popen((sys.executable, "-c", spin, str(cpu))) for cpu in cpus]
    try:
        yield
    finally:
        for each in both:
            each.kill()
            each.wait()


def study(folder: Path, *, connections: list[int]) -> Question:
    """Return a study of one run of some cases."""
    text = study_text(PAIR, polls=True).replace("[experiment.load]", f"[experiment.load]\nconnections = {connections}")
    return question(text, folder)


def run(asked: Question, folder: Path, *, gate: GateRule) -> Recorded:
    """Return a run by all rules."""
    environment = replace(environment_here(), gate=gate)
    return run_on(StudyContext(environment, asked.study, asked.home.known_datasets(), run_rules()), asked, folder)


def test_a_case_waits_until_others_are_below_the_limit_for_so_long(tmp_path: Path) -> None:
    lenient = replace(GATE, below_cpus=float(os.cpu_count() or 1) + 1)

    gates = run(study(tmp_path, connections=[2]), tmp_path, gate=lenient).run.gates

    assert [each["quiet"] for each in gates] == [True]
    assert lenient.for_s <= float(str(gates[0]["waited_s"])) < lenient.within_s
    assert Environment.gate == GateRule(below_cpus=0.05, for_s=0.3, within_s=15.0)


@pytest.mark.alone  # its hogs take the CPUs that other tests are on
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a CPU each for subject and driver is needed")
def test_beside_a_hog_gates_give_up_and_cases_are_discarded_walked_again_and_the_run_is_invalid(tmp_path: Path) -> None:
    asked = study(tmp_path, connections=[2, 4])
    (treatment,) = asked.plan(asked.machine()).experiments[0].treatments
    with hogs((*treatment.cpus, *treatment.driver_cpus)):
        recorded = run(asked, tmp_path, gate=SOON)

    assert recorded.run.status == "invalid"
    assert {each.partition(":")[0] for each in recorded.run.reasons} >= {"foreign-cpu", "client-limited"}
    gates = recorded.run.gates
    assert len(gates) == 2 * (1 + AGAIN)
    assert [each["quiet"] for each in gates] == [False] * len(gates)
    assert all(float(str(each["foreign_cpus"])) > SOON.below_cpus for each in gates)
    assert all(float(str(each["waited_s"])) >= SOON.within_s for each in gates)
    again = (tmp_path / "results/runs/0001/logs/walked-again.jsonl").read_text().splitlines()
    assert sorted(json.loads(each)["case"]["connections"] for each in again) == [2] * AGAIN + [4] * AGAIN
    (tolerant,) = asked.plan(asked.machine()).tolerating_noise().experiments
    fresh = replace(recorded, run=replace(recorded.run, status="valid", reasons=()))
    assert judge(fresh, tolerant).status == "valid"
    assert left_by_us() == nothing()
