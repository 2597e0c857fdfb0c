"""The command, whose gates let every case begin at once; what this machine does meanwhile discards no run.

Races warm up for a short time only.

With ``H2H_LANE`` it keeps its cache and its only lock in that folder, so that it may run next to others. It then
removes nothing that others left, so that a bench sees that, its data sets are small, and races have two blocks.

With ``H2H_LENIENT`` no rule about the machine excludes a run, in the analysis either, so that a study may have a
verdict next to anything, and races have as many blocks as a verdict needs: for tests of what follows from a verdict.
"""

import os
import signal

from headtohead.cli.main import INTERRUPTED, main

if __name__ == "__main__":
    # As `headtohead` itself does: importing takes most of a second, and Ctrl-C may come meanwhile.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from tests.end_to_end.haste import hasten

    hasten()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
