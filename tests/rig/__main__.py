"""`make rig`: build a rig and open a shell at its desk; the rig is gone when the shell ends."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.rig.build import MOST_DRIVERS, MOST_SERVERS, rig, why_no_rig


def main() -> int:
    words = argparse.ArgumentParser(prog="make rig", description=__doc__)
    words.add_argument("--servers", type=int, default=2, choices=range(1, MOST_SERVERS + 1))
    words.add_argument("--drivers", type=int, default=2, choices=range(MOST_DRIVERS + 1))
    words.add_argument("--cpus", action="append", default=[], metavar="NAME=LIST", help="the CPUs of a machine")
    words.add_argument("--quota", action="append", default=[], metavar="NAME=CPUS", help="the most CPUs of a machine")
    words.add_argument("command", nargs="*", help="run this at the desk instead of a shell")
    given = words.parse_args()
    why = why_no_rig()
    if why:
        print(f"No rig can be built here: {why}.", file=sys.stderr)  # noqa: T201
        return 2
    cpus = dict(each.split("=", 1) for each in given.cpus)
    quotas = {name: float(most) for name, most in (each.split("=", 1) for each in given.quota)}
    with rig(servers=given.servers, drivers=given.drivers, cpus=cpus, quotas=quotas) as made:
        print(  # noqa: T201
            f"The bench file is {made.bench_file}; `ssh server1` reaches a machine. Leave the shell to remove the rig."
        )
        command = given.command or [os.environ.get("SHELL", "/bin/sh")]
        argv = made.desk.enter(*command, at=Path.cwd())
        return subprocess.run(argv, check=False, env={**os.environ, "BENCH": str(made.bench_file)}).returncode


if __name__ == "__main__":
    sys.exit(main())
