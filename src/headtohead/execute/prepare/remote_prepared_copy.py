"""A prepared copy on another machine: made there once, kept in its cache, and taken from the programs' user.

The record of how it was made stays on our machine: it holds the password of the data.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from headtohead.execute.data.disk_space import check_room
from headtohead.execute.data.working_copies import folder_beside
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.prepare.prepared_data_record import CopyRecord, read_copy_record, write_copy_record
from headtohead.execute.supervise_process_of_run import SupervisedRun, new_run
from headtohead.hosts.files.there import FilesThere

RECORDS = "prepared-there"
"""The folder of our cache with the records, one folder for each machine."""


def copy_there(
    environment: Environment, kept: Path, *, wanted: int, password: str, load: Callable[[SupervisedRun, Path], float]
) -> CopyRecord:
    """Return how the copy ``kept`` of a machine was made; make it now unless the machine has it unchanged.

    ``load`` makes the data in a folder, and returns how long that took. A new copy gets ``password``, and must have
    room for ``wanted`` bytes.
    """
    files, there = environment.files, environment.elsewhere
    assert isinstance(files, FilesThere)
    assert there is not None
    record = environment.at_home.cache / RECORDS / there.label / kept.name
    made = read_copy_record(record)
    if made is not None and files.checksum(kept) == made.sha256:
        return made
    files.remove(kept)
    check_room(files.free_bytes(environment.cache), wanted, what=f"the copy {kept.name}", where=there.label)
    with new_run(environment, drivers=[*environment.drivers][:1]) as supervised:
        partial = folder_beside(kept, supervised)
        supervised.supervisor.own(partial)
        files.make_folder(partial, whose="theirs", user=environment.user)
        load_s = load(supervised, partial)
        files.take(partial, kept)
    made_at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    made = CopyRecord(files.checksum(kept) or "", round(load_s, 3), made_at, password)
    record.parent.mkdir(parents=True, exist_ok=True)
    write_copy_record(record, made)
    return made
