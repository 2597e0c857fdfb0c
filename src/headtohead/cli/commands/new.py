"""`headtohead new KIND NAME`: the files of a subject, a workload or a study of your own, ready to be changed."""

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from headtohead.cli.wiring import home_with
from headtohead.describe.race.content import write_files
from headtohead.describe.skeletons import KINDS, Kind, skeleton
from headtohead.model.errors import WordsError


class NewKind(Enum):
    """What can be written anew."""

    SUBJECT = "subject"
    WORKLOAD = "workload"
    STUDY = "study"


_NAMES = re.compile(r"[a-z0-9-]{1,60}")


def command(
    kind: Annotated[NewKind, typer.Argument(metavar="KIND", help="subject, workload or study.")],
    name: Annotated[str, typer.Argument(help="Its name: small letters, digits and hyphens.")],
    *,
    into: Annotated[Path, typer.Option(metavar="DIR", help="The folder that gets the files.")] = Path(),
) -> None:
    """Write a subject, a workload or a study of your own.

    It works as it is; its comments state what each word means. Print what to type next.
    """
    (chosen,) = (each for each in KINDS if each == kind.value)
    if not _NAMES.fullmatch(name):
        raise WordsError(
            f"{name} is not a name",
            why="A name has small letters, digits and hyphens, at most 60.",
            remedy="Change it.",
        )
    files = skeleton(chosen, name)
    home = home_with()
    ours: Mapping[Kind, Mapping[str, Path]] = {"subject": home.known_subjects(), "workload": home.known_workloads()}
    taken = [str(into / each) for each in files if (into / each).exists()]
    if name in ours.get(chosen, ()):
        taken.append(str(ours[chosen][name]))
    if taken:
        raise WordsError(f"{name} exists", why=f"{taken[0]} has this name.", remedy="Choose another name.")
    write_files(files, into)
    print("".join(f"{into / each}\n" for each in files), end="")
    lacks = [each for each, known in ours.items() if name not in known and not (into / f"{each}s" / name).is_dir()]
    for line in _next(chosen, name, into=into, lacks=lacks):
        print(f"Next: {line}", file=sys.stderr)


def _next(kind: Kind, name: str, *, into: Path, lacks: Sequence[Kind]) -> Sequence[str]:
    """Return the commands to type next; a study first needs the subject and the workload of its name that it lacks."""

    def where(option: str) -> str:
        return "" if into == Path() else f" {option} {shlex.quote(str(into))}"

    if kind != "study":
        return [f"headtohead test-content{where('--content')}"]
    news = [f"headtohead new {each} {name}{where('--into')}" for each in lacks]
    return [*news, f"headtohead check {shlex.quote(str(into / f'{name}.toml'))}"]
