"""Results that others report, as a user writes them down: ``given.toml``."""

from pathlib import Path

from headtohead.describe.home import Home
from headtohead.describe.toml.document import read_written
from headtohead.describe.toml.inside import folders
from headtohead.describe.toml.typed import typed
from headtohead.describe.workload.workloads import FILE
from headtohead.model.external.given import Given

NAME = "given.toml"
"""What it is called in a results folder."""


def read_given(path: Path, *, home: Home, known: bool = True) -> tuple[Given, ...]:
    """Return the results in the file's order; raises WordsError where the file is wrong.

    Where they must be ``known``, also for a workload that is none of ours; not so in a results folder, which may be of
    another version.
    """
    written = read_written(path, "given", home=home)
    ours = folders(home.workloads, FILE)
    for number, table in enumerate(written.data["given"]):
        if known and table["workload"] not in ours:
            place = written.place.at(f"given[{number}]", "workload")
            raise place.unknown("workload", table["workload"], known=ours)
    return tuple(typed(table, Given) for table in written.data["given"])
