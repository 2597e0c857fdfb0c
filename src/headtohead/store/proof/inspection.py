"""Check the files of a results folder against its seal, and those of each run against its run.json."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.model.proof import Flaw, Proof
from headtohead.model.record import Run
from headtohead.store.convert import REMEDY
from headtohead.store.layout import Layout
from headtohead.store.proof.seal import FIRST, LATER, Seal, links, read_seal, sum_of_file
from headtohead.store.untrusted.bounds import check_summed

NEEDED = ("study.toml", "plan.json", "hosts.json")
READ = frozenset({"records.jsonl", "readings.csv", "configuration.tsv"})
"""The files of a run that are read: of a run without a seal, others may be there that its run.json does not list."""
DIFFERS = "is not what was recorded: its SHA-256 differs"
MISSING = "is missing"


@dataclass
class Inspection:
    """What was found of one folder so far. ``numbers`` are the runs that are there."""

    layout: Layout
    numbers: Sequence[int]
    seal: Seal | None = None
    flaws: list[Flaw] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    """Files written after the last seal, by an interrupted session."""
    ahead: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Sums that were taken already, and sizes, by path; see ``store/run/read_ahead.py``."""
    _before: dict[str, str] = field(default_factory=dict)
    """The link before each run that may be there."""
    _excluded: set[str] = field(default_factory=set)
    _summed: int = 0
    """The bytes of which sums were taken."""

    def __post_init__(self) -> None:
        """Check everything but the content of the runs."""
        self.seal = read_seal(self.layout)
        if self.seal is not None:
            self._check_files(self.seal)
            self._check_chain(self.seal)
            self._check_names(self.seal)

    def admits(self, number: int) -> bool:
        """Return whether a run's run.json is the one that was sealed, if there is a seal; it may then be parsed."""
        name = self.layout.run(number).name
        if self.seal is None or name in self._excluded:
            return self.seal is None
        sealed = self.seal.runs.get(name)
        if sealed is None or sealed == self._sum(f"runs/{name}/run.json"):
            return True
        self.exclude(f"runs/{name}/run.json", DIFFERS, experiment="")
        return False

    def proves(self, run: Run) -> bool:
        """Return whether the files of a run are the ones that its run.json lists, and it is in its place."""
        folder = f"runs/{self.layout.run(run.run).name}"
        found = next(self._wrong(run, folder), None)
        if found is not None:
            self.exclude(found[0], found[1], experiment=run.experiment)
        return found is None

    def exclude(self, where: str, says: str, *, experiment: str) -> None:
        """Note a flaw for which a run is left out."""
        self.flaws.append(Flaw(where, says, experiment, excluded=True))

    def proof(self) -> Proof:
        """Return what was found; each flaw once."""
        after = () if self.seal is None else tuple(self.after)
        return Proof(self.seal.digest if self.seal else "", tuple(dict.fromkeys(self.flaws)), after)

    def _check_files(self, seal: Seal) -> None:
        for name in NEEDED:
            if name not in seal.files:
                self.flaws.append(Flaw("seal.json", f"has no sum of {name}"))
        for name in (*FIRST, *LATER):
            there = os.path.lexists(self.layout.root / name)
            if name in seal.files:
                says = MISSING if not there else DIFFERS if self._sum(name) != seal.files[name] else ""
            else:
                says = "is not in the seal" if there and (name in FIRST or seal.ended) else ""
                self.after += [name] if there and not says else []
            if says:
                self.flaws.append(Flaw(name, says))

    def _check_chain(self, seal: Seal) -> None:
        made = links(seal)
        self._before = dict(zip(seal.runs, made, strict=False))
        if made[-1] != seal.head or list(seal.runs) != sorted(seal.runs, key=lambda each: each.zfill(9)):
            says = "has a chain that does not end in its head: files were changed, or runs added, removed or reordered"
            self.flaws.append(Flaw("seal.json", says))

    def _check_names(self, seal: Seal) -> None:
        there = {self.layout.run(number).name: number for number in self.numbers}
        self.flaws += [Flaw(f"runs/{name}", MISSING) for name in seal.runs if name not in there]
        new = [name for name in there if name not in seal.runs]
        last = max((int(name) for name in seal.runs if name.isdigit()), default=0)
        if new and not seal.ended and [there[name] for name in new] == [last + 1]:
            self._before[new[0]] = seal.head
            self.after.append(f"runs/{new[0]}")
            return
        for name in new:
            self._excluded.add(name)
            self.exclude(f"runs/{name}", "is not in the seal", experiment="")

    def _wrong(self, run: Run, folder: str) -> Iterator[tuple[str, str]]:
        """Yield each file of a run that is not what its run.json lists, and what is wrong with it."""
        before = self._before.get(folder.partition("/")[2], "")
        if self.seal is None and run.follows:
            self.flaws.append(Flaw("seal.json", MISSING))
        elif run.follows != before:
            yield f"{folder}/run.json", "does not follow the run before it: it was copied, moved or replaced"
        there = dict.fromkeys(_there(self.layout.root / folder))
        for name, listed in run.files.items():
            path = f"{folder}/{name}"
            if leads_out(name):
                yield f"{folder}/run.json", f"lists {name[:80]!r}, which is not a file of the run"
            elif name not in there and not os.path.lexists(self.layout.root / path):
                yield path, MISSING
            elif self._sum(path) != listed:
                yield path, DIFFERS
        for name in there:
            if name not in run.files and name != "run.json" and (run.follows or name in READ):
                yield f"{folder}/{name}", "was added: run.json does not list it"

    def _sum(self, name: str) -> str:
        path = self.layout.root / name
        try:
            taken, held = self.ahead.get(name) or ("", path.lstat().st_size)
            self._summed += held
            check_summed(held, together=self._summed, where=path)
            return taken or sum_of_file(path, within=self.layout.root)
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error


def emptied(layout: Layout) -> bool:
    """Return whether all runs of a folder were removed, and nothing else in it: measuring them again mixes nothing."""
    if layout.runs.is_dir() and any(not each.name.startswith(".") for each in layout.runs.iterdir()):
        return False
    found = Inspection(layout, ())
    gone = {Flaw(f"runs/{name}", MISSING) for name in (found.seal.runs if found.seal else ())}
    return bool(gone) and set(found.flaws) == gone


def leads_out(name: str) -> bool:
    """Return whether a name that a run.json lists is not one of a file in the run's folder."""
    return name.startswith("/") or not set(name.split("/")).isdisjoint({"", ".", ".."})


def _there(folder: Path) -> Iterator[str]:
    """Yield the names of the files of a run, and of those in the folders in it."""
    with os.scandir(folder) as entries:
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                with os.scandir(each.path) as inner:
                    yield from (f"{each.name}/{one.name}" for one in inner)
            else:
                yield each.name
