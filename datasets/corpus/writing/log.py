"""A log of requests, and what sorting it, adding it up and telling visits apart comes to."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from writing.draws import Ranked, draw, names, one_of

BEGINS_S = 1_000_000_000
PATHS, CLIENTS = 3000, 4000
KINDS = ("html", "html", "png", "css", "js", "txt")
STATUS = (200, 200, 200, 200, 200, 200, 304, 304, 404, 500)
FAILED = 400
"""Statuses from here on are errors."""
VISIT_S = 1800
"""A client that was silent for longer begins another visit."""


@dataclass(frozen=True)
class Line:
    """One request: who, when, what, and how it went."""

    client: str
    at_s: int
    path: str
    status: int
    length_bytes: int
    took_us: int

    def text(self) -> str:
        """Return the line as it is written, without its end."""
        return f"{self.client} {self.at_s} GET {self.path} {self.status} {self.length_bytes} {self.took_us}"


def log(rng: Random, *, lines: int) -> list[Line]:
    """Return so many requests, in the order of time."""
    words = names(rng, 400)
    paths = [f"/{one_of(rng, words)}/{one_of(rng, words)}-{number}.{one_of(rng, KINDS)}" for number in range(PATHS)]
    clients = [f"10.{draw(rng, 256)}.{number // 250}.{number % 250}" for number in range(CLIENTS)]
    asked, asking, at_s, made = Ranked(rng, paths), Ranked(rng, clients), BEGINS_S, []
    for _ in range(lines):
        at_s += draw(rng, 9)
        status = STATUS[draw(rng, len(STATUS))]
        length = 200 + draw(rng, 60000) if status == 200 else 0
        made.append(Line(asking.draw(), at_s, asked.draw(), status, length, 100 + draw(rng, 90000)))
    return made


def in_order(lines: list[Line]) -> str:
    """Return the lines by path, the longest answers of each first, equal ones by the whole line."""
    ordered = sorted(lines, key=lambda each: (each.path, -each.length_bytes, each.text()))
    return "".join(f"{each.text()}\n" for each in ordered)


def sums(lines: list[Line]) -> str:
    """Return requests, bytes, errors and the longest time of each path, folder and kind of file, in their order."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for each in lines:
        folder, kind = each.path.split("/")[1], each.path.rpartition(".")[2]
        for what in (each.path, f"folder {folder}", f"kind {kind}"):
            of = found[what]
            of[0] += 1
            of[1] += each.length_bytes
            of[2] += each.status >= FAILED
            of[3] = max(of[3], each.took_us)
    return "".join(f"{what} {' '.join(map(str, of))}\n" for what, of in sorted(found.items()))


def visits(lines: list[Line]) -> str:
    """Return requests, visits, different paths and the median time (the upper one) of each client, in their order."""
    of: dict[str, list[Line]] = defaultdict(list)
    for each in lines:
        of[each.client].append(each)
    told = []
    for client, own in sorted(of.items()):
        begun = 1 + sum(later.at_s - one.at_s > VISIT_S for one, later in pairwise(own))
        times = sorted(each.took_us for each in own)
        told.append(f"{client} {len(own)} {begun} {len({each.path for each in own})} {times[len(own) // 2]}\n")
    return "".join(told)
