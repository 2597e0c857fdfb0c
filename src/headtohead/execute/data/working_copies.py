"""Copies of prepared data: the cache keeps pristine copies, and runs work on copies of them."""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.execute.data.copy_remove_evict_folders import copy_for, remove_on
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.supervise_process_of_run import SupervisedRun, new_run
from headtohead.hosts.files.there import FilesThere
from headtohead.hosts.paths import run_dir
from headtohead.model.errors import HostError


@dataclass
class Copies:
    """The working copies of one study: one per pristine copy, used by all runs.

    They are next to the pristine copies. They belong to a supervised run that lasts from the first copy to ``close``,
    so none outlives its study. A copy that was taken but not given back comes from an unclean stop, and is made again.
    ``runs`` has the numbers of the runs that have used a copy since it was made.
    """

    environment: Environment
    made: dict[Path, Path] = field(default_factory=dict)
    taken: set[Path] = field(default_factory=set)
    runs: dict[Path, list[int]] = field(default_factory=dict)
    _keeper: SupervisedRun | None = None
    _folders: set[Path] = field(default_factory=set)
    _held: ExitStack = field(default_factory=ExitStack)

    def close(self) -> None:
        """Remove all copies."""
        self.made.clear()
        self.taken.clear()
        self.runs.clear()
        self._keeper = None
        self._folders.clear()
        self._held.close()

    def take(self, pristine: Path, *, run: int | None = None) -> Path:
        """Return the working copy of a pristine copy; make it if there is none in good order.

        For a run, copies are made again if what would remove them has been killed.
        """
        if run is not None and self._is_keeper_dead():
            with suppress(HostError):  # the keeper died, as is known
                self.close()
        if not self.holds(pristine):
            working = self._folder(pristine) / pristine.name
            remove_on(self.environment, working)
            self.made.pop(pristine, None)
            self.runs.pop(pristine, None)
            copy_for(self.environment, pristine, working, what=f"a working copy of {pristine.name}")
            self.made[pristine] = working
        self.taken.add(pristine)
        self.runs.setdefault(pristine, []).extend(() if run is None else (run,))
        return self.made[pristine]

    def holds(self, pristine: Path) -> bool:
        """Return whether a pristine copy has a working copy in good order."""
        return pristine in self.made and pristine not in self.taken

    def give_back(self, pristine: Path) -> None:
        """Record that the server on a working copy has stopped cleanly."""
        self.taken.discard(pristine)

    def in_order(self) -> Iterator[Path]:
        """Yield the pristine copies whose servers have all stopped cleanly."""
        yield from (pristine for pristine in self.made if pristine not in self.taken)

    def _is_keeper_dead(self) -> bool:
        try:
            if self._keeper is not None:
                self._keeper.supervisor.hello()
        except HostError:
            return True
        return False

    def _folder(self, pristine: Path) -> Path:
        if self._keeper is None:
            self._keeper = self._held.enter_context(new_run(self.environment))
        folder = folder_beside(pristine, self._keeper)
        if folder not in self._folders:
            self._folders.add(folder)
            self._keeper.supervisor.own(folder)
            if isinstance(self.environment.files, FilesThere):
                self.environment.files.make_folder(folder, whose="shared", user=self.environment.user)
            else:
                folder.mkdir(parents=True)
        return folder


def folder_beside(pristine: Path, supervised: SupervisedRun) -> Path:
    """Return a folder next to a pristine copy for a supervised run's files; leftover sweeps know its name."""
    return pristine.parent / run_dir(supervised.id).name
