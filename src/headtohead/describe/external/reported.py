"""Results that others report, which a user writes in ``given.toml``."""

from pathlib import Path

from headtohead.describe.home import Home
from headtohead.describe.toml.document import read_toml
from headtohead.describe.toml.typed import typed
from headtohead.model.external.reported import Given

NAME = "given.toml"
"""The name of the file in a results folder."""


def read_given(path: Path, *, home: Home, known: bool = True) -> tuple[Given, ...]:
    """Return the results in the file's order; raises WordsError if the file is wrong.

    With ``known``, also raises WordsError for a workload that is not in this repository. A results folder may come from
    another version, so its workloads need not be known.
    """
    written = read_toml(path, "given", home=home)
    ours = home.known_workloads()
    for number, table in enumerate(written.data["given"]):
        if known and table["workload"] not in ours:
            place = written.place.at(f"given[{number}]", "workload")
            raise place.unknown("workload", table["workload"], known=ours)
    return tuple(typed(table, Given) for table in written.data["given"])
