"""How soon a response is there at a low load: ``h2h-load``, which polls, next to the bare polling loop."""

import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benches.costs import SPARE_S
from benches.meter import Bench
from benches.stand import BARE, LOAD, Server

RATE_PER_S, CONNECTIONS = 1000, 100
AT_MOST = 1.1
"""Our median response time, as a share of the bare polling loop's, is at most this."""


@dataclass(frozen=True)
class Medians:
    """Median response times of both in each round, in ns, from the intended instant to the last byte."""

    group: str
    ours_ns: tuple[float, ...]
    bare_ns: tuple[float, ...]
    quiet: bool

    @property
    def ratio(self) -> float:
        """Ours to the loop's: the median of the rounds' own ratios."""
        return statistics.median(ours / bare for ours, bare in zip(self.ours_ns, self.bare_ns, strict=True))

    @property
    def keeps(self) -> bool:
        """Whether the bar is met."""
        return self.ratio <= AT_MOST

    @property
    def text(self) -> str:
        """Both medians, their ratio and the bar, as a line."""
        ours, bare = (statistics.median(each) / 1000 for each in (self.ours_ns, self.bare_ns))
        loud = "" if self.quiet else " (disturbed: measure again on a quiet machine)"
        return (
            f"{self.group}, {RATE_PER_S}/s Poisson: median response time {ours:.1f} us, the bare polling loop's"
            f" {bare:.1f} us, ratio {self.ratio:.3f}; at most {AT_MOST:g}: {'met' if self.keeps else 'MISSED'}{loud}"
        )


def medians(server: Server, *, group: str, mix: Path, bench: Bench, rounds: Sequence[int], seconds: int) -> Medians:
    """Measure both once in each of the rounds, whose numbers are the seeds of order and arrivals."""
    found: dict[str, list[float]] = {"ours": [], "bare": []}
    quiet = True
    for number in rounds:
        words = {
            "ours": [
                *(str(LOAD), "http", "--rate", str(RATE_PER_S), "--connections", str(CONNECTIONS), "--poll", "busy"),
                *("--warm-up", "0s", "--duration", f"{seconds}s", "--seed", str(number)),
                *("--mix", str(mix), "--json", "-", server.url),
            ],
            "bare": [
                *(str(BARE), str(server.port), "/article.html", str(CONNECTIONS), str(seconds)),
                *(str(RATE_PER_S), str(number)),
            ],
        }
        for name in Random(number).sample(list(words), k=2):
            spent = bench.measure(words[name], within_s=seconds + SPARE_S)
            quiet &= spent.quiet
            found[name].append(float(json.loads(spent.output)["response_time_p50_ns"]))
            sys.stderr.write(f"round {number}: {name}, {group}: {found[name][-1] / 1000:.1f} us\n")
    return Medians(group, tuple(found["ours"]), tuple(found["bare"]), quiet)
