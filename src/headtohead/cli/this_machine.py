"""The environment of runs on this machine, and the right to measure here."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from headtohead.cli.wiring import say
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.hosts.cache_locks import measuring
from headtohead.hosts.local import LocalHost
from headtohead.hosts.machine_lock import measuring_alone
from headtohead.hosts.paths import cache_dir, lock_path
from headtohead.hosts.software import subjects_user
from headtohead.hosts.software.programs import OURS, find_program, install_programs
from headtohead.model.rules import GATE, PATIENT_S


def environment_here(*, patient: bool = False) -> Environment:
    """Return the environment of a study here: our programs, runnable by every user, and the subjects' user.

    With ``patient``, each case waits long for quiet.
    """
    host, cache = LocalHost(), cache_dir()
    programs = tuple(find_program(name) for name in OURS)
    user = subjects_user.ensure_user(host, show=say)
    gate = replace(GATE, within_s=PATIENT_S) if patient else GATE
    return Environment(host, install_programs(programs, cache=cache), cache, user, gate=gate)


@contextlib.contextmanager
def measuring_here(study: str, *, since: str, wait: bool) -> Iterator[None]:
    """Hold the locks of our cache and of this machine; BusyError names the holder, unless we are to ``wait``."""
    waiting = say if wait else None
    with measuring(lock_path(cache_dir()), study=study, since=since, waiting=waiting), measuring_alone(waiting=waiting):
        yield
