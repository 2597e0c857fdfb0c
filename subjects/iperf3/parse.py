"""Turn the output of client.py and iperf3 3 for a case into a batch record.

    parse.py STDOUT STDERR LINK

The bytes are those that the receiving end read in the measured time, without the warm-up. They are right if the test
was the requested one, both ends report the same streams, and no figure is impossible: more than was sent, or faster
than LINK ("1gbit", or "unshaped").
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

NS_PER_S = 1_000_000_000
IN_FLIGHT_BYTES = 64 * 1024 * 1024
"""What the socket buffers of a stream may hold when the measured time begins, and when it ends."""
OFF_S, OFF_SHARE = 0.1, 0.02
"""How far the receiver's own time may be from the requested time."""
OVER_SHARE = 1.02
"""How far above the link's rate bytes may arrive: buffers are not empty when the measured time begins."""
BITS_PER_S = {"mbit": 1_000_000, "gbit": 1_000_000_000}

Said = Mapping[str, Any]


def complaints(said: Said, asked: Said, link: str) -> Iterator[str]:
    """Yield what is wrong with the figures."""
    test, end = said["start"]["test_start"], said["end"]
    received, sent = end["sum_received"], end["sum_sent"]
    read = asked["operation"] == "read"
    told = (test["protocol"], test["num_streams"], test["duration"], test["omit"], bool(test["reverse"]))
    if told != ("TCP", asked["streams"], asked["seconds"], asked["omit_s"], read):
        yield "iperf3 did another test than was asked for"
    each = [stream["receiver"]["bytes"] for stream in end["streams"]]
    if len(each) != asked["streams"] or sum(each) != received["bytes"]:
        yield "its streams do not add up"
    if not all(count > 0 for count in each):
        yield "nothing was received by a stream"
    if abs(received["seconds"] - asked["seconds"]) > OFF_S + OFF_SHARE * asked["seconds"]:
        yield f"it was measured for {received['seconds']:.2f} s, not {asked['seconds']:g}"
    if abs(received["bytes"] - sent["bytes"]) > IN_FLIGHT_BYTES * asked["streams"]:
        yield f"{sent['bytes']} bytes were sent and {received['bytes']} received"
    most = bits_per_s(link)
    if most is not None and 8 * received["bytes"] > OVER_SHARE * most * received["seconds"]:
        yield f"{received['bytes']} bytes are more than a link of {link} carries"


def bits_per_s(link: str) -> float | None:
    """Return the rate of a link, or None if it is not shaped."""
    return None if link == "unshaped" else float(link[:-4]) * BITS_PER_S[link[-4:]]


def record(said: Said, asked: Said, link: str) -> dict[str, object]:
    """Return the batch record of a case."""
    received, sent = said["end"]["sum_received"], said["end"]["sum_sent"]
    elapsed_ns = round(NS_PER_S * received["seconds"])
    return {
        "format": 1,
        "record": "batch",
        "case": {"operation": asked["operation"], "streams": asked["streams"]},
        "work": received["bytes"],
        "work_in": "bytes",
        "elapsed_ns": elapsed_ns,
        "answer": "; ".join(complaints(said, asked, link)) or "right",
        "metrics": {"retransmits": sent["retransmits"]} if "retransmits" in sent else {},
        "from_ns": asked["ended_ns"] - elapsed_ns,
        "to_ns": asked["ended_ns"],
    }


def main(arguments: Sequence[str]) -> int:
    """Print the record of a case; 1 if there is none."""
    stdout, stderr, link = arguments
    try:
        said = json.loads(Path(stdout).read_text(encoding="utf-8", errors="replace"))
        asked = json.loads(Path(stderr).read_text(encoding="utf-8", errors="replace").splitlines()[-1])
        made = record(said, asked, link)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        print(f"parse.py: no figures ({type(error).__name__}: {error})", file=sys.stderr)
        return 1
    print(json.dumps(made))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
