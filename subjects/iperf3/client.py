"""Let iperf3 stream for one case, and record when it ended.

    client.py OPERATION ADDRESS PORT STREAMS SECONDS OMIT_S

``write`` sends to the server; with ``read`` the server sends. The JSON of iperf3 is passed on; the error in it goes to
standard error too. The last line of standard error has the options, and the instant at which iperf3 ended, in ns on
CLOCK_MONOTONIC.
"""

import json
import subprocess
import sys
import time
from collections.abc import Sequence

WAYS = {"write": [], "read": ["--reverse"]}


def main(arguments: Sequence[str]) -> int:
    """Stream; return 1 if iperf3 failed."""
    operation, address, port, streams, seconds, omit_s = arguments
    argv = ["iperf3", "--client", address, "--port", port, "--json", *WAYS[operation]]
    argv += ["--parallel", streams, "--time", seconds, "--omit", omit_s]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False)
    ended_ns = time.monotonic_ns()
    print(done.stdout, end="")
    if done.returncode != 0:
        print(_error(done.stdout), file=sys.stderr)
        return 1
    asked = {"operation": operation, "streams": int(streams), "seconds": float(seconds), "omit_s": float(omit_s)}
    print(json.dumps({**asked, "ended_ns": ended_ns}), file=sys.stderr)
    return 0


def _error(said: str) -> str:
    try:
        return str(json.loads(said)["error"])
    except (ValueError, KeyError, TypeError):
        return "iperf3 failed and did not say why"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
