"""A controller with a run on a host of the rig, for the tests that kill it: it prints the run's id and waits."""

import json
import sys
from pathlib import Path

from headtohead.hosts.ssh.open_host import ssh_host
from headtohead.hosts.ssh.session import Session
from tests.rig.leftovers import start_stubborn, supervised


def main(name: str, ssh: list[str], log: Path) -> None:
    with ssh_host(name, name, ssh=ssh) as host, Session(host, study="kills", since="now", user="tests") as session:
        setup, supervisor = supervised(host, session, log)
        with supervisor as run:
            run.hello()
            start_stubborn(run, setup.run_dir)
            sys.stdout.write(f"{setup.run_id}\n")
            sys.stdout.flush()
            run.wait("server", within_s=600)


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), Path(sys.argv[3]))
