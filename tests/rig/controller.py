"""A controller with a run on a host of the rig, for the tests that kill it: it prints the run's id and waits."""

import json
import sys
from pathlib import Path

from headtohead.hosts.paths import run_dir
from headtohead.hosts.software.programs import PROBE
from headtohead.hosts.ssh.open import ssh_host
from headtohead.hosts.ssh.session import Session
from headtohead.hosts.supervise.client import Setup, Supervisor
from tests.rig.leftovers import start_stubborn


def main(name: str, ssh: list[str], log: Path) -> None:
    with ssh_host(name, name, ssh=ssh) as host, Session(host, study="kills", since="now", user="tests") as session:
        run_id = session.owner.run_id(7)
        probe = host.place.cache / "remote" / host.agent.checksum / PROBE
        setup = Setup(probe, run_id, run_dir(run_id), log, user="nobody", harness_pids=session.harness_pids)
        with Supervisor(host, setup, end_run=host.end_run) as run:
            run.hello()
            start_stubborn(run, setup.run_dir)
            sys.stdout.write(f"{run_id}\n")
            sys.stdout.flush()
            run.wait("server", within_s=600)


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), Path(sys.argv[3]))
