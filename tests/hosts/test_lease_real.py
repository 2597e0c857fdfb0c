"""A run ends when the headtohead that began it is frozen, though all its pipes stay open."""

import math
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headtohead.hosts import paths
from headtohead.hosts.software.programs import PROBE, find_program
from tests.rig.leftovers import eventually, of_run

CONTROLLER = """
import sys
from pathlib import Path
from headtohead.hosts import paths
from headtohead.hosts.local import LocalHost
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.setup import Setup
from headtohead.hosts.supervise.messages import Command, Limits

program, log, user = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] or None
run_id = paths.this_owner().run_id(4242)
setup = Setup(program, run_id, paths.run_dir(run_id), log, user=user, lease_s=2.0)
with Supervisor(LocalHost(), setup) as run:
    run.hello()
    run.group("subject", Limits())
    out = setup.run_dir / "out"
    run.start("sleep", Command("subject", ("/bin/sleep", "600"), setup.run_dir, out, out))
    print(run_id, flush=True)
    run.wait("sleep", within_s=600)
"""
LEASE_S, SEEN_WITHIN_S, ENDED_WITHIN_S = 2.0, 3.0, 60.0
ATTEMPTS = 5
"""Next to other tests the program may wait for a CPU before it sees that its lease has ended: one attempt is enough."""
pytestmark = pytest.mark.real


def test_a_run_outlives_its_lease_while_the_controller_beats_and_not_once_it_is_frozen(tmp_path: Path) -> None:
    for attempt in range(ATTEMPTS):
        silent_s = silence_that_ended(tmp_path / f"log-{attempt}")
        assert silent_s >= LEASE_S
        if silent_s < SEEN_WITHIN_S:
            return
    pytest.fail(f"in {ATTEMPTS} of {ATTEMPTS} attempts it was seen after {SEEN_WITHIN_S:g} s or more")


def silence_that_ended(log: Path) -> float:
    """Return after how many seconds of silence of a frozen controller the program ended its run; nothing is left.

    Infinity if it ended before the controller was frozen.
    """
    user = "nobody" if os.geteuid() == 0 else ""
    argv = (sys.executable, "-c", CONTROLLER, str(find_program(PROBE)), str(log), user)
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as controller:
        try:
            assert controller.stdout is not None
            run_id = controller.stdout.readline().strip()
            time.sleep(3)
            if not of_run(run_id):  # the controller was kept from its CPU for longer than its lease
                assert "Nothing was heard from headtohead for" in log.read_text()
                return math.inf
            assert len(of_run(run_id)) == 1
            controller.send_signal(signal.SIGSTOP)
            assert eventually(
                lambda: not of_run(run_id) and not paths.run_dir(run_id).exists(), within_s=ENDED_WITHIN_S
            )
            said = re.search(r"Nothing was heard from headtohead for ([\d.]+) s", log.read_text())
            assert said is not None
            return float(said[1])
        finally:
            controller.kill()
