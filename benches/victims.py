"""The studies that the bench of kills strikes: five kinds, each small."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benches.kept_runs import Victim
from tests.end_to_end.command import argv, environment

KINDS: Mapping[str, tuple[str, str, str, float]] = {
    "floor": ('"noop"', "static-page", "connections = [5]\nwarm_up_s = 0.1\nmeasure_s = 0.4\n", 4.0),
    "web": ('"nginx"', "static-page", "connections = [5]\nwarm_up_s = 0.1\nmeasure_s = 0.4\n", 5.0),
    "database": (
        '"mariadb"',
        "forum-read",
        "connections = [2]\nwarm_up_s = 0.1\nmeasure_s = 0.4\n",
        8.0,
    ),
    "nfs": ('"nfs-ganesha"', "nfs-stream", "processes = [2]\nsize_mib = 16\nblock_kib = 256\n", 8.0),
    "samba": ('"samba"', "smb-server", "clients = [2]\nseconds = 2\n", 8.0),
}
"""A subject, its workload, a short load, and within how many seconds it is struck."""
STUDY = """format = 1
title = "To be killed: {kind}"
seed = {seed}

[[experiment]]
name = "{kind}"
question = "Is anything lost or left?"
workload = "{workload}"
looks = [{blocks}]

[experiment.factors]
subject = [{{ name = {subject}, label = "A" }}, {{ name = {subject}, label = "B" }}]
cpus = [1]

[experiment.load]
{load}"""
BLOCKS = 6


@dataclass
class Local(Victim):
    """A study of this machine, with a cache of its lane."""

    cache: Path

    @property
    def command(self) -> list[str]:
        """The command that starts or resumes it."""
        return argv("run", self.study, "--results", self.results, hurried=True)

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of that command: a cache, and with it a lock, of its lane."""
        return environment(lane=self.cache)


def victim(kind: str, folder: Path, seed: int, *, blocks: int = BLOCKS) -> Local:
    """Return a new study of that kind, written into a folder."""
    subject, workload, load, _ = KINDS[kind]
    study = folder / f"{kind}-{seed}.toml"
    study.write_text(STUDY.format(kind=kind, seed=seed, subject=subject, workload=workload, load=load, blocks=blocks))
    return Local(kind, study, folder / f"{kind}-{seed}", folder / "cache")
