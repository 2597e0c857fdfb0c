"""Machines that were recorded: each one text file, ``=== path`` before the content of each of its files."""

from collections.abc import Mapping
from pathlib import Path

from headtohead.hosts.kernel_files import Tree
from headtohead.model.machine.host import Fact, HostFacts

TREES = Path(__file__).parent / "trees"
IPROUTE2 = {"ip": "", "tc": "", "unshare": ""}
"""What a machine says on which network namespaces can be made and joined."""


def unpack(name: str, folder: Path, *, root: bool = True, said: Mapping[str, str] | None = None) -> Tree:
    """Unpack a machine below a folder; ``said`` is what each program prints, by its name, beside those of iproute2."""
    for entry in (TREES / f"{name}.txt").read_text().split("=== ")[1:]:
        path, _, text = entry.partition("\n")
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    answers = {**IPROUTE2, **(said or {})}
    return Tree(folder, root, lambda argv: answers.get(argv[0]), lambda _: None, lambda _: None)


def fact(facts: HostFacts, name: str) -> Fact:
    """Return the one fact of that name, its group before it: ``cpu: model``."""
    (found,) = [each for each in facts.facts if f"{each.group}: {each.name}" == name]
    return found
