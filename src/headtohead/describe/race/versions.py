"""The race of two recorded versions of one server or program, from the files that the results of their races keep."""

import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.describe.race.content import STUDY, seed_of
from headtohead.describe.race.race import WORKLOAD
from headtohead.describe.toml.written import table_text
from headtohead.model.errors import RecordError

REMEDY = "Race the two versions by `headtohead race`."
MOST_LETTERS = 50
_NOT_A_RACE = (AttributeError, LookupError, TypeError, ValueError)
"""What reading the files raises if they are not those of a race."""


@dataclass(frozen=True)
class KeptRace:
    """The files of a race by their path, and when its runs began, in seconds since 1970."""

    files: Mapping[str, bytes]
    began_s: float


def race_of_versions(before: KeptRace, after: KeptRace, subject: str) -> Mapping[str, bytes]:
    """Return the files of a race of both versions of a subject, under the load of the later one.

    Raises RecordError if there is none: its reason is why.
    """
    if not (before.files and after.files):
        raise _refused("only results of `headtohead race` keep what is needed to race again")
    try:
        tables = [tomllib.loads(each.files[f"subjects/{subject}/subject.toml"].decode()) for each in (before, after)]
        commands = [_command(each) for each in tables]
        study = tomllib.loads(after.files[STUDY].decode())
        names = [f"{subject[:MOST_LETTERS]}-{when}" for when in ("before", "after")]
        files = {f"subjects/{name}/subject.toml": _named(each, name) for name, each in zip(names, tables, strict=True)}
        files |= {name: content for name, content in after.files.items() if name.startswith(f"workloads/{WORKLOAD}/")}
        files[STUDY] = _study(study, names, seed=seed_of(files))
    except _NOT_A_RACE as error:
        raise _refused(f"their content is not that of a race ({type(error).__name__}: {str(error)[:100]})") from error
    if commands[0] == commands[1]:
        argv, directory = commands[0]
        raise _refused(f"both were started by one command ({shlex.join(argv)} in {directory}), so one of them is gone")
    for (argv, directory), kept in zip(commands, (before, after), strict=True):
        _ask_unchanged(argv, directory, since_s=kept.began_s)
    return files


def _command(subject: Mapping[str, Any]) -> tuple[Sequence[str], str]:
    """Return what starts a version, and where."""
    if "attach" in subject.get("start", {}):
        raise _refused("servers that already ran (--url) cannot be started again")
    part = subject["start"] if "start" in subject else subject["batch"]
    argv = [str(each) for each in part["argv"]]
    return (argv[argv.index("--") + 1 :] if "batch" in subject else argv), str(part["directory"])


def _ask_unchanged(argv: Sequence[str], directory: str, *, since_s: float) -> None:
    """Raise RecordError unless the program, and each file that the command names, is there as it was measured."""
    changed_s = {word: _changed_s(Path(directory, word)) for word in argv}
    if changed_s[argv[0]] is None:
        raise _refused(f"{argv[0]} is not there any more")
    for word, at_s in changed_s.items():
        if at_s is not None and at_s > since_s:
            raise _refused(f"{Path(directory, word)} was changed after it was measured")


def _changed_s(path: Path) -> float | None:
    """Return when a file was last changed; None if there is no such file."""
    try:
        return path.stat().st_mtime if path.is_file() else None
    except (OSError, ValueError):  # a word of a command need not be the path of a file
        return None


def _named(subject: Mapping[str, Any], name: str) -> bytes:
    renamed = {**subject, "name": name, "title": name}
    top = table_text("", {key: each for key, each in renamed.items() if not isinstance(each, Mapping)})
    tables = (table_text(f"[{key}]", each) for key, each in renamed.items() if isinstance(each, Mapping))
    return "\n".join((top, *tables)).encode()


def _study(study: Mapping[str, Any], names: Sequence[str], *, seed: int) -> bytes:
    (experiment,) = study["experiment"]
    top = {key: each for key, each in study.items() if key != "experiment"}
    top |= {"title": f"{names[1]} against {names[0]}", "seed": seed}
    asked = {key: each for key, each in experiment.items() if not isinstance(each, Mapping)}
    asked |= {"question": f"Does the later version differ: {names[0]} or {names[1]}?"}
    factors = {**experiment["factors"], "subject": list(names)}
    tables = (("", top), ("[[experiment]]", asked), ("[experiment.factors]", factors))
    return "\n".join(table_text(header, rows) for header, rows in tables).encode()


def _refused(why: str) -> RecordError:
    return RecordError("The two versions cannot be raced again", why=why, remedy=REMEDY)
