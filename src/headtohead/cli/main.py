"""The start and the end of `headtohead`, where Ctrl-C may come too: to import the commands takes most of a second."""

import os
import signal
import sys
import warnings
from types import FrameType

NOTHING_LEFT = "Interrupted; nothing was left behind."
INTERRUPTED = 130
"""The exit status of Ctrl-C: 128 and the number of its signal, as shells have it."""


def main() -> None:
    """Run the command line; docs/how-to/compare-my-service.md lists its exit statuses."""
    if interruptible := signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # our matrices are small: its threads would only wait
    from headtohead.cli.app import run  # noqa: PLC0415

    if not sys.warnoptions:
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy's, about numbers that no machine has
        warnings.simplefilter("ignore", UserWarning)  # matplotlib's, about an axis for them
    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run()
    finally:
        if interruptible:  # all is done, and Python would print a trace of what it does as it ends
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """End at once: nothing was begun, and an exception in the middle of an import would be reported as its failure."""
    os.write(sys.stderr.fileno(), f"{NOTHING_LEFT}\n".encode())
    os._exit(INTERRUPTED)
