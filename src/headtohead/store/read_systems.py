"""Many results folders, with as little of each as ``compare`` needs: plan.json, hosts.json and measurements.csv.

Ten thousand folders are read in seconds: a plan that many share is parsed once, a fact that many share is kept once,
and only the primary values of measurements.csv are read.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from headtohead.model.analysis.systems import ArmKey, Broken, SystemResults
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.harmless_text import harmless
from headtohead.model.plan import Plan
from headtohead.store.convert import MOST_DOCUMENT_BYTES, REMEDY, from_json
from headtohead.store.layout import Layout
from headtohead.store.machine_records import read_spreads
from headtohead.store.measurements import block_values, case_values, primary_values
from headtohead.store.proof.seal import sum_of
from headtohead.store.shared_facts import facts_of
from headtohead.store.untrusted.bounds import check_plan
from headtohead.store.untrusted.plain_files import read_plain

FILES = ("plan.json", "hosts.json", "measurements.csv")
PLANS_KEPT = 64
"""Plans differ by what the machines can give; a fleet has a few kinds of them."""


class _Seal(msgspec.Struct, gc=False):
    files: dict[str, str]


_SEAL: Final = msgspec.json.Decoder(_Seal)


@dataclass(frozen=True)
class Folder:
    """A results folder to compare, its name among the others, and the machine that it is a session of, if named.

    ``by_case`` reads the values of each case too, and ``by_block`` those of each block, which takes longer.
    """

    name: str
    path: Path
    machine: str | None = None
    by_case: bool = False
    by_block: bool = False


@dataclass(frozen=True)
class _Planned:
    plan: Plan
    primaries: Mapping[str, str]
    arms: frozenset[ArmKey]


def folders(named: Sequence[Path]) -> list[Folder]:
    """Return the named results folders, each named itself or by a folder that holds many, in order.

    A folder without plan.json represents the results folders in it, by name; other files, hidden folders and links
    are skipped. WordsError for a folder named twice, RecordError for one without results. Two folders of one name get
    the name of their parent in front, and a number if that is equal too.
    """
    found = [path for each in named for path in _within(each)]
    parents: dict[Path, Path] = {}
    real = [_real(each, parents) for each in found]
    if len(set(real)) < len(real):
        raise WordsError("compare", why="A results folder is named twice.", remedy="Name different folders.")
    names = [each.name for each in real]
    often = Counter(names)
    names = [f"{path.parent.name}/{name}" if often[name] > 1 else name for name, path in zip(names, real, strict=True)]
    return [Folder(name, path) for name, path in zip(_apart(map(_printable, names)), found, strict=True)]


def sessions(named: Sequence[Path]) -> list[Folder]:
    """Return the results folders of several machines: each named folder is a machine, what it holds its sessions.

    A named results folder is the one session of a machine. Errors are those of ``folders``.
    """
    found = folders(named)
    counts = [sum(1 for _ in _within(each)) for each in named]
    machines = _apart(_printable(each.resolve().name) for each in named)
    owners = [name for name, count in zip(machines, counts, strict=True) for _ in range(count)]
    return [replace(each, machine=owner) for each, owner in zip(found, owners, strict=True)]


def system(folder: Folder) -> SystemResults:
    """Return the content of a results folder; RecordError names the file that is missing or wrong."""
    layout = Layout(folder.path)
    try:
        plan, hosts = (
            read_plain(each, within=folder.path, most=MOST_DOCUMENT_BYTES) for each in (layout.plan, layout.hosts)
        )
        table = read_plain(layout.measurements, within=folder.path)
        planned = _planned(plan)
        text = harmless(table.decode())
        values = primary_values(text, planned.primaries, where=layout.measurements)
        cases = case_values(text, where=layout.measurements) if folder.by_case else {}
        blocks = block_values(text, planned.primaries, where=layout.measurements) if folder.by_block else {}
    except FileNotFoundError as error:
        missing = [name for name in FILES if not (folder.path / name).is_file()]
        why = f"it holds no {', no '.join(missing)}." if missing else f"{error}."
        remedy = "Name a results folder that is finished; `headtohead report` writes its measurements.csv again."
        raise RecordError(f"{folder.path} cannot be compared", why=why, remedy=remedy) from error
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{folder.path} cannot be read", why=f"{error}.", remedy=REMEDY) from error
    for experiment, label in values.keys() - planned.arms:
        why = f"its {label[:80]!r} of {experiment[:80]!r} is not in plan.json."
        raise RecordError(f"{layout.measurements} does not belong here", why=why, remedy=REMEDY)
    ask_noise_heeded(planned.plan, folder.path)
    facts, spreads = facts_of(hosts, where=layout.hosts), read_spreads(folder.path)
    sealed = _is_sealed(layout, plan=plan, hosts=hosts, table=table)
    return SystemResults(
        folder.name,
        planned.plan,
        facts,
        values,
        cases=cases,
        sealed=sealed,
        spreads=spreads,
        machine=folder.machine,
        blocks=blocks,
    )


def ask_noise_heeded(plan: Plan, folder: Path) -> None:
    """Raise RecordError for results that noise was tolerated in: nothing may be compared with them."""
    if plan.tolerates_noise:
        raise RecordError(
            f"{folder} decides nothing",
            why="it was measured with --tolerate-noise, so its runs count whatever disturbed them.",
            remedy="Measure again without --tolerate-noise, or leave this folder out.",
        )


def _is_sealed(layout: Layout, *, plan: bytes, hosts: bytes, table: bytes) -> bool:
    """Return whether a folder has a seal; RecordError if one of these files is not what was sealed."""
    try:
        seal = _SEAL.decode(read_plain(layout.seal, within=layout.root, most=MOST_DOCUMENT_BYTES))
    except FileNotFoundError:
        return False
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError(f"{layout.seal} cannot be read", why=f"{str(error)[:200]}.", remedy=REMEDY) from error
    sums = {layout.plan: _sum_of_plan(plan), layout.hosts: sum_of(hosts), layout.measurements: sum_of(table)}
    for path, computed in sums.items():
        if seal.files.get(path.name) != computed:
            why = "its SHA-256 is not the one in seal.json: it was changed, or its study was interrupted."
            remedy = "Copy the folder again from where it was made, or let `headtohead verify` say what is wrong in it."
            raise RecordError(f"{path} is not what was recorded", why=why, remedy=remedy)
    return True


_sum_of_plan = lru_cache(maxsize=PLANS_KEPT)(sum_of)


def systems(chosen: Iterable[Folder]) -> list[SystemResults | Broken]:
    """Return the content of each folder, or why it cannot be read: a broken one does not stop the others."""
    found: list[SystemResults | Broken] = []
    for each in chosen:
        try:
            found.append(system(each))
        except RecordError as error:
            found.append(Broken(each.name, f"{error.what}: {error.why}"))
    return found


def _within(path: Path) -> Iterator[Path]:
    if Layout(path).plan.is_file():
        yield path
        return
    children = sorted(os.scandir(path), key=lambda each: each.name) if path.is_dir() else []
    own = [each for each in children if not each.name.startswith(".") and each.is_dir(follow_symlinks=False)]
    held = [path / each.name for each in own if any(os.path.lexists(f"{each.path}/{file}") for file in FILES)]
    if not held:
        raise RecordError(
            f"{path} is not a results folder",
            why="it holds no plan.json, nor does a folder in it.",
            remedy="Name a folder that `headtohead run` made, as results/2026-11-20-first, or one that holds many.",
        )
    yield from held


def _real(path: Path, parents: dict[Path, Path]) -> Path:
    """Return the real path of a folder; a parent that many share is resolved once."""
    if path.is_symlink() or path.name in ("", ".."):
        return path.resolve()
    if path.parent not in parents:
        parents[path.parent] = path.parent.resolve()
    return parents[path.parent] / path.name


def _printable(name: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in name)


def _apart(names: Iterable[str]) -> Iterator[str]:
    """Yield the names, the second of equal ones with a number that no other has."""
    seen: set[str] = set()
    for name in names:
        number, other = 1, name
        while other in seen:
            number += 1
            other = f"{name} ({number})"
        seen.add(other)
        yield other


@lru_cache(maxsize=PLANS_KEPT)
def _planned(text: bytes) -> _Planned:
    """Return a plan with the keys of its measurements; folders of machines of one kind hold the same bytes."""
    plan = from_json(text.decode(), Plan, where=Path("plan.json"))
    check_plan(plan, where=Path("plan.json"))
    return _Planned(
        plan=plan,
        primaries={each.name: each.primary.name for each in plan.experiments},
        arms=frozenset(ArmKey(each.name, arm.label) for each in plan.experiments for arm in each.treatments),
    )
