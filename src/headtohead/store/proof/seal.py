"""The seal of a results folder (``seal.json``): the sums of its files, and a chain over its runs in their order.

A link of the chain is the SHA-256 of the link before it, the name of the run's folder, and the sum of its run.json,
which holds the sums of the run's other files. The first link is made of the study, the plan, the machines and the noise
floor. So one value, the head, pins all of them. It has no key: whoever changes a file may compute it anew (ADR 20).
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.store.convert import REMEDY, read_document, to_json
from headtohead.store.durable import whole
from headtohead.store.layout import Layout
from headtohead.store.untrusted.plain_files import MIB, open_plain

FIRST = ("study.toml", "plan.json", "hosts.json", "noise.json", "sessions.json")
"""What is fixed before the first run; a folder may lack the last two."""
STAYS = ("excluded.json", "more.json")
"""What the session writes between runs."""
LATER = (*STAYS, "end.json")
"""What the session writes after its runs."""
DIGEST_LETTERS = 16
"""Of the digest: enough to distinguish folders, short enough to print."""


@dataclass(frozen=True)
class Seal:
    """The sums of files by name, those of the runs' run.json by folder in the order of the chain, and its last link."""

    files: Mapping[str, str]
    runs: Mapping[str, str]
    head: str

    @property
    def digest(self) -> str:
        """Return a short value that changes with the question, the plan, the machines, each run and how it ended."""
        parts = [self.head, *(f"{name} {self.files[name]}" for name in LATER if name in self.files)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:DIGEST_LETTERS]

    @property
    def ended(self) -> bool:
        """Whether the study was finished when this was written."""
        return "end.json" in self.files


def sum_of(content: bytes) -> str:
    """Return the sum of a file's bytes, as it is written in files."""
    return "sha256:" + hashlib.sha256(content).hexdigest()


def sum_of_file(path: Path, *, within: Path) -> str:
    """Return the sum of a file; OSError if it is a link below ``within``, or not a plain file."""
    total = hashlib.sha256()
    with open_plain(path, within=within) as file:
        while part := file.read(MIB):
            total.update(part)
    return "sha256:" + total.hexdigest()


def first_link(files: Mapping[str, str]) -> str:
    """Return the link before the first run."""
    return sum_of("\n".join(f"{name} {files[name]}" for name in FIRST if name in files).encode())


def next_link(link: str, *, run: str, its_sum: str) -> str:
    """Return the link of a run, whose run.json has the sum ``its_sum``, after another link."""
    return sum_of(f"{link}\n{run} {its_sum}".encode())


def links(seal: Seal) -> list[str]:
    """Return the link before each run of the seal, and the last one, computed anew."""
    made = [first_link(seal.files)]
    for run, its_sum in seal.runs.items():
        made.append(next_link(made[-1], run=run, its_sum=its_sum))
    return made


def read_seal(layout: Layout) -> Seal | None:
    """Return the seal of a results folder; None if it has none, RecordError if it is not valid."""
    if not layout.seal.is_symlink() and not layout.seal.exists():
        return None
    return read_document(layout.seal, Seal, within=layout.root)


def head_of(layout: Layout) -> str:
    """Return the last link of a results folder; empty if it has no seal."""
    found = read_seal(layout)
    return found.head if found else ""


def begin(layout: Layout, *, plan: bytes) -> None:
    """Seal a new results folder, whose plan.json will be written next."""
    there = {name: _sum(layout, name) for name in FIRST if name != layout.plan.name and (layout.root / name).exists()}
    files = {**there, layout.plan.name: sum_of(plan)}
    whole(layout.seal, to_json(Seal(files, {}, first_link(files))))


def add_run(layout: Layout, number: int) -> None:
    """Continue the chain with a run that was kept; a folder without a seal stays without."""
    found = read_seal(layout)
    if found is not None:
        name = layout.run(number).name
        its_sum = _sum(layout, f"runs/{name}/run.json")
        head = next_link(found.head, run=name, its_sum=its_sum)
        kept = {each: text for each, text in found.files.items() if each in (*FIRST, *STAYS)}
        whole(layout.seal, to_json(Seal(kept, {**found.runs, name: its_sum}, head)))


def keep(layout: Layout, *names: str) -> None:
    """Seal files of the folder as they are now; a folder without a seal stays without."""
    found = read_seal(layout)
    if found is not None:
        files = {**found.files, **{name: _sum(layout, name) for name in names}}
        whole(layout.seal, to_json(replace(found, files=files)))


def reopen(layout: Layout, after: Iterable[str]) -> None:
    """Prepare a folder to be continued: forget how it ended, and seal what was written ``after`` the last seal."""
    for name in after:
        if name.startswith("runs/"):
            add_run(layout, int(name.removeprefix("runs/")))
    found = read_seal(layout)
    if found is not None:
        files = {name: its_sum for name, its_sum in found.files.items() if name in FIRST}
        files |= {name: _sum(layout, name) for name in STAYS if (layout.root / name).exists()}
        if files != found.files:
            whole(layout.seal, to_json(replace(found, files=files)))


def restart(layout: Layout) -> int:
    """Begin the chain anew in a folder whose runs were all removed; return how many the old chain had."""
    found = read_seal(layout)
    if found is None or not found.runs:
        return 0
    for name in LATER:
        (layout.root / name).unlink(missing_ok=True)
    files = {name: its_sum for name, its_sum in found.files.items() if name in FIRST}
    whole(layout.seal, to_json(Seal(files, {}, first_link(files))))
    return len(found.runs)


def _sum(layout: Layout, name: str) -> str:
    path = layout.root / name
    try:
        return sum_of_file(path, within=layout.root)
    except OSError as error:
        raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error
