"""The command, whose gates let every case begin at once; what this machine does meanwhile discards no run."""

import os
import signal

INTERRUPTED = 130

if __name__ == "__main__":
    # As `headtohead` itself does: importing takes most of a second, and Ctrl-C may come meanwhile.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from headtohead.cli import here
    from headtohead.cli.commands import run
    from headtohead.cli.main import main
    from tests.contract.bench import environment, rules

    here.environment_here, run.run_rules = environment, rules
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
