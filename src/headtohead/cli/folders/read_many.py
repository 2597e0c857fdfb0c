"""Reading many results folders, with one process per CPU."""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context

from headtohead.cli.folders.facts_and_prices import stated_of
from headtohead.model.analysis.systems import Broken, SystemResults
from headtohead.model.errors import HostError, RecordError, WordsError
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.store.given_facts import SYSTEM
from headtohead.store.read_systems import Folder, systems

LEAST_FOLDERS = 100
"""Below this number of folders for each process, starting one takes longer than it saves."""
MOST_PROCESSES = 8


def read_many(chosen: Sequence[Folder]) -> tuple[list[SystemResults], list[Broken]]:
    """Return the results of the folders, in their order, and the folders that cannot be read."""
    processes = min(len(os.sched_getaffinity(0)), len(chosen) // LEAST_FOLDERS, MOST_PROCESSES)
    results = _read(chosen) if processes < 2 else _shared_out(chosen, processes)
    broken = [each for each in results if isinstance(each, Broken)]
    return [each for each in results if isinstance(each, SystemResults)], broken


def _shared_out(chosen: Sequence[Folder], processes: int) -> list[SystemResults | Broken]:
    """Divide the folders among processes, with one reply from each: what many folders share is then sent once."""
    shares = [chosen[start::processes] for start in range(processes)]
    try:
        with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
            parts = list(pool.map(_read, shares))
    except BrokenProcessPool as error:
        raise HostError(
            "The results folders could not be read",
            why="A process that read some of them was ended from outside.",
            remedy="Check that there is enough memory, or compare fewer at once.",
        ) from error
    results: list[SystemResults | Broken] = [part for share in parts for part in share]
    for start, part in enumerate(parts):
        results[start::processes] = part
    return results


def _read(chosen: Sequence[Folder]) -> list[SystemResults | Broken]:
    return [_with_given(result, folder) for result, folder in zip(systems(chosen), chosen, strict=True)]


def _with_given(result: SystemResults | Broken, folder: Folder) -> SystemResults | Broken:
    """Return the results of a folder with the price and power of its system.toml, if it has one."""
    if isinstance(result, Broken) or not os.path.lexists(folder.path / SYSTEM):
        return result
    facts = tuple(Fact(*key, value, unit, "hosts.json") for key, (value, unit) in result.facts.items())
    try:
        system = stated_of(folder.path, (HostFacts(folder.name, facts),)).system
    except (RecordError, WordsError) as error:
        return Broken(folder.name, f"{error.what}: {error.why}")
    return replace(result, price=system.price, power=system.power) if system else result
