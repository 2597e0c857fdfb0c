"""The environment of runs on this machine."""

from headtohead.cli.wiring import say
from headtohead.execute.sandbox import Environment
from headtohead.hosts.local import LocalHost
from headtohead.hosts.paths import cache_dir
from headtohead.hosts.software import account
from headtohead.hosts.software.programs import OURS, find_program, install_programs


def environment_here() -> Environment:
    """Return the environment of a study here: our programs, runnable by every user, and the subjects' user."""
    host, cache = LocalHost(), cache_dir()
    programs = tuple(find_program(name) for name in OURS)
    return Environment(host, install_programs(programs, cache=cache), cache, account.ensure_user(host, show=say))
