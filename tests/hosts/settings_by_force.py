"""Changes settings of a network of its own, ends runs in several ways, and prints what they were and are.

Run with ``unshare --net``: the network of the machine keeps its settings.
"""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path

from headtohead.hosts import paths
from headtohead.hosts.local import LocalHost
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.remove_leftovers import Places, end_run
from headtohead.hosts.supervise.restore_settings import held
from headtohead.hosts.supervise.setup import Setup
from headtohead.model.errors import HostError

Levels = dict[str, tuple[str, str]]
"""By the name of a sysctl, what is found and the level that a run sets."""
RESTORED_WITHIN_S = 15.0


def file_of(name: str) -> Path:
    """Return the file of a sysctl."""
    return Path("/proc/sys") / name.replace(".", "/")


def changed(setup: Setup, way: str, levels: Levels) -> dict[str, str]:
    """Change the settings in a run that ends in that way; return what they were during the run."""
    with Supervisor(LocalHost(), setup, end_run=lambda _: None) as run:
        run.hello()
        run.settings({f"sysctl.{name}": level for name, (_, level) in levels.items()})
        seen = {name: held(file_of(name)) for name in levels}
        if way == "failure":
            run.settings({"sysctl.vm.swappiness": "61"})
        elif way == "ctrl-c":
            os.kill(os.getpid(), signal.SIGINT)
        elif way == "owner killed":
            os.kill(os.getpid(), signal.SIGKILL)
        elif way == "supervise killed":
            os.kill(_supervise_of(setup.run_id), signal.SIGKILL)
    return seen


def _supervise_of(run_id: str) -> int:
    found = [pid for pid in Path("/proc").glob("[0-9]*/cmdline") if run_id.encode() in _bytes(pid)]
    return next(int(each.parent.name) for each in found if int(each.parent.name) != os.getpid())


def _bytes(path: Path) -> bytes:
    with contextlib.suppress(OSError):
        return path.read_bytes()
    return b""


def in_child(setup: Setup, way: str, levels: Levels, *, supervise_too_after_s: float | None) -> None:
    """Let a child change the settings, and wait for its end; with a time, kill it and its supervise then."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(HostError):
            changed(setup, way, levels)
        os._exit(0)
    if supervise_too_after_s is not None:
        time.sleep(supervise_too_after_s)
        with contextlib.suppress(StopIteration, ProcessLookupError):
            os.kill(_supervise_of(setup.run_id), signal.SIGKILL)
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def ended(folder: Path, program: Path, user: str | None, way: str, levels: Levels) -> dict[str, object]:
    """Return what the settings were during a run that ended in that way, what they are, and any journal left."""
    run_id = paths.this_owner().run_id(time.monotonic_ns())
    journals = folder / "journals"
    setup = Setup(program, run_id, paths.run_dir(run_id), folder / "log", user=user, journals=journals)
    for name, (found, _) in levels.items():
        file_of(name).write_text(found)
    seen: dict[str, str] = {}
    if way == "owner killed":
        in_child(setup, way, levels, supervise_too_after_s=None)
        deadline = time.monotonic() + RESTORED_WITHIN_S
        while time.monotonic() < deadline and paths.run_dir(run_id).exists():
            time.sleep(0.02)
    elif way.startswith("both killed after"):
        in_child(setup, "success", levels, supervise_too_after_s=float(way.split()[3]))
    else:
        with contextlib.suppress(HostError, KeyboardInterrupt):
            seen = changed(setup, way, levels)
    if "killed" in way:
        end_run(run_id, Places(journals=journals))
    left = [each.name for each in journals.iterdir() if each.name != "lock"] if journals.is_dir() else []
    return {"seen": seen, "held": {name: held(file_of(name)) for name in levels}, "left": left}


def main() -> None:
    """Take the program, a folder, the user, levels and ways from the command line; print what came of each way."""
    program, folder, user = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] or None
    levels: Levels = {name: (found, level) for name, (found, level) in json.loads(sys.argv[4]).items()}
    sys.stdout.write(json.dumps({way: ended(folder, program, user, way, levels) for way in sys.argv[5:]}))


main()
