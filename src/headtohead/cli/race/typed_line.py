"""The options of a race as they are typed again: what the report's next step adds ``--more`` to."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from headtohead.cli.race.options import RaceOptions

USUAL = {"http": "1.1", "connections": "10", "cpus": "1", "measure": "3s", "matters": "3%"}
"""What an option has if it is left out; any other one is then empty."""
RESULTS = Path("results")


def options_typed(options: RaceOptions, *, differ: bool, results: Path, wait: bool = False) -> tuple[str, ...]:
    """Return the options of a race, without those at their usual value, and without ``--save`` and ``--more``.

    A saved race exists already, so that line would be refused.
    """
    flags = (*("--differ",) * differ, *("--wait",) * wait)
    folder = () if results == RESULTS else ("--results", str(results))
    return (*_of_race(options), *flags, *folder)


def _of_race(options: RaceOptions) -> Iterator[str]:
    for each in fields(options):
        name, value = f"--{each.name}", getattr(options, each.name)
        if value is True:
            yield name
        elif isinstance(value, tuple):
            for one in value:
                yield from (name, str(one))
        elif value not in (None, False) and value != USUAL.get(each.name):
            yield from (name, f"{value:g}" if isinstance(value, float) and value < 1e5 else str(value))
