"""The visitors and their times: clients with their programs, and the rhythm of days and weeks."""

from random import Random
from typing import NamedTuple

from draws import draw, ranked, running_sums, zipf_sums

from accesslog.draws import low, word

AGENTS = 240
CRAWLERS, CRAWLING = 24, 4
"""Clients that come often, and how many of 100 visits are theirs."""
BEGIN = 1_067_817_600
"""2003-11-03 00:00 UTC, a Monday."""
DAYS, HOUR_S = 28, 3600
HOURS = (30, 22, 16, 12, 10, 11, 15, 24, 40, 58, 70, 76, 78, 80, 84, 86, 85, 82, 80, 82, 84, 78, 62, 44)
WEEKDAYS = (104, 108, 108, 106, 96, 66, 70)
"""How busy the hours of a day and the days of a week are, from Monday on."""


class Visitor(NamedTuple):
    """A client and its program, also as the bytes that checksums see."""

    client: str
    agent: str
    client_bytes: bytes
    agent_bytes: bytes


class Visitors:
    """All clients. Some come often; each has one program, drawn by Zipf's law."""

    def __init__(self, rng: Random, *, count: int) -> None:
        self._rng = rng
        agents, sums = _agents(rng), zipf_sums(AGENTS)
        addresses = dict[str, None]()
        while len(addresses) < count:
            addresses[f"10.{draw(rng, 256)}.{draw(rng, 256)}.{1 + draw(rng, 254)}"] = None
        drawn = ((client, agents[ranked(rng, sums)]) for client in addresses)
        self._all = [Visitor(client, agent, client.encode(), agent.encode()) for client, agent in drawn]

    def some(self, count: int) -> list[Visitor]:
        """Return the visitors at a time; a client may be among them more than once."""
        rng, clients = self._rng, self._all
        return [
            clients[low(rng, CRAWLERS) if draw(rng, 100) < CRAWLING else low(rng, len(clients))] for _ in range(count)
        ]


def _agents(rng: Random) -> list[str]:
    """Return the different programs of people and crawlers."""
    makers, systems = [word(rng).capitalize() for _ in range(12)], [word(rng).capitalize() for _ in range(8)]
    agents = dict[str, None]()
    while len(agents) < AGENTS:
        maker, other, system = makers[low(rng, 12)], makers[draw(rng, 12)], systems[low(rng, 8)]
        version = f"{1 + draw(rng, 7)}.{draw(rng, 10)}"
        named = f"{maker}/{version} ({system} {draw(rng, 6)}.1; {other} {1 + draw(rng, 6)}.{draw(rng, 3)})"
        plugged = f"{named} {word(rng).capitalize()}/{draw(rng, 3000)}"
        agents[(named, plugged, f"{maker}/{version}")[low(rng, 3)]] = None
    return list(agents)


def hours(rows: int) -> list[tuple[int, int]]:
    """Return the beginning of every hour, in seconds since 1970, and the number of rows of the log in it."""
    sums = running_sums([day * hour for week in range(DAYS // 7) for day in WEEKDAYS for hour in HOURS])
    ends = [rows * each // sums[-1] for each in sums]
    return [
        (BEGIN + place * HOUR_S, end - begin) for place, (begin, end) in enumerate(zip((0, *ends), ends, strict=False))
    ]
