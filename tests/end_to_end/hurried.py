"""The command, whose gates let every case begin at once; what this machine does meanwhile discards no run.

Races warm up for a short time only.

With ``H2H_LANE`` it keeps its cache and its only lock in that folder, so that it may run next to others. It then
removes nothing that others left, so that a bench sees that, and its data sets are small.

With ``H2H_LENIENT`` no rule about the machine excludes a run, in the analysis either, so that a study may have a
verdict next to anything: for tests of what follows from a verdict.
"""

import contextlib
import os
import signal
from contextlib import nullcontext
from functools import partial

from headtohead.cli.main import INTERRUPTED

OF_THE_MACHINE = ("FOREIGN_CPU", "FOREIGN_APART", "STEAL", "DRIVER_DELAY", "DRIVER_FULL", "DRIVER_SHARED")


if __name__ == "__main__":
    # As `headtohead` itself does: importing takes most of a second, and Ctrl-C may come meanwhile.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from pathlib import Path

    from headtohead.hosts import paths

    LANE = Path(os.environ["H2H_LANE"]) if "H2H_LANE" in os.environ else None
    if LANE is not None:
        vars(paths)["cache_dir"] = lambda: LANE  # before others import it
    if "H2H_LENIENT" in os.environ:
        from dataclasses import replace

        from headtohead.model import rules

        vars(rules).update({each: replace(getattr(rules, each), limit=1e9) for each in OF_THE_MACHINE})
    from headtohead.cli import machines, this_machine, wiring
    from headtohead.cli.commands import run
    from headtohead.cli.commands.contract import rules_of_content
    from headtohead.cli.main import main
    from headtohead.cli.race import options
    from headtohead.describe.race.race import RaceLoad
    from tests.contract.bench import environment, small

    vars(this_machine)["environment_here"], run.run_rules = lambda **_: environment(), rules_of_content
    vars(options)["RaceLoad"] = partial(RaceLoad, warm_up_s=0.1)
    if LANE is not None:
        vars(this_machine)["measuring_alone"] = lambda **_: contextlib.nullcontext()  # its lock is the lane's
        vars(machines)["sweep"] = tuple
        vars(this_machine)["measuring_alone"] = lambda **_: nullcontext()
        vars(run)["read_question"] = lambda path, **more: small(wiring.read_question(path, **more))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
