"""A subject's build on another machine: made there by its own compilers, and kept in its cache."""

from collections.abc import Callable
from pathlib import Path

from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.supervise_process_of_run import SupervisedRun, new_run
from headtohead.hosts.files.there import FilesThere
from headtohead.hosts.paths import run_dir


def build_there(
    environment: Environment, source: Path, kept: Path, *, make: Callable[[SupervisedRun, Path, Path], None]
) -> Path:
    """Return the folder there of a build; build it unless the machine's cache has it, complete and unchanged.

    ``make`` runs the build in a supervised run, from a copy of ``source`` into a folder. No other study uses the cache
    meanwhile: ours holds the lock of the machine.
    """
    files = environment.files
    assert isinstance(files, FilesThere)
    if files.is_kept(kept):
        return kept
    with new_run(environment) as supervised:
        copied, out = supervised.copy(source, "source"), supervised.folder("build")
        make(supervised, copied, out)
        partial = kept.parent / run_dir(supervised.id).name
        supervised.supervisor.own(partial)
        files.keep(out, kept, partial=partial, user=environment.user)
    return kept
