"""One machine of the rig: a process tree with a network, a host name, mounts, and an accounting group of its own.

Process ids are those of the host, so that every sweep, here or there, sees which owner lives.
"""

import contextlib
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from headtohead.hosts import processes
from headtohead.hosts.paths import PREFIX, PROC

STARTED_WITHIN_S = 60.0
ENDED_WITHIN_S = 60.0
STEP_WITHIN_S = 60.0
CONTROLLERS = ("cpu", "cpuacct", "memory", "pids")
GROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 100_000
"""The kernel's default period of a CPU quota."""
# Words: the machine's folder, its name, its program, then its groups. A group is joined before its namespace is made.
JOIN = """
set -e
base=$1 name=$2 program=$3; shift 3
for group; do echo $$ > "$group/cgroup.procs"; done
hostname "$name"
exec unshare --cgroup sh -c "$MOUNT" sh "$base" "$program" "$@"
"""
MOUNT = """
set -e
base=$1 program=$2; shift 2
mount --rbind /sys/fs/cgroup "$base/groups"
mount -t sysfs sysfs /sys
mount --rbind "$base/groups" /sys/fs/cgroup
for group; do
    controller=${group#/sys/fs/cgroup/}
    mount --bind "$group" "/sys/fs/cgroup/${controller%%/*}"
done
mount -t tmpfs tmpfs /run
mkdir /run/sshd /run/rig
mount --bind "$base" /run/rig
mkdir -p /var/cache/headtohead
mount --bind "$base/cache" /var/cache/headtohead
touch "$base/ready"
if [ "$program" = sshd ]; then
    mount --bind "$base/tmp" /var/tmp
    # What the login shell of this machine's root starts is nothing of the rig's.
    [ ! -e ~root/.bashrc ] || mount --bind /dev/null ~root/.bashrc
    exec /usr/sbin/sshd -D -E /run/rig/sshd.log -f /run/rig/sshd_config
fi
mount --bind "$base/ssh_config" /etc/ssh/ssh_config
exec sleep infinity
"""


class Machine:
    """A machine that was started; ``pid`` is its first process, whose namespaces are the machine's."""

    def __init__(
        self, name: str, *, base: Path, rig_id: str, program: str, cpus: str, quota: float | None = None
    ) -> None:
        """Start it: ``program`` is ``sshd``, or ``sleep`` for the place from which the others are reached.

        All of it together gets at most ``quota`` CPUs.
        """
        self.name = name
        self.base = base
        self.groups = [GROUPS / each / f"{PREFIX}{rig_id}-{name}" for each in CONTROLLERS if (GROUPS / each).is_dir()]
        for group in self.groups:
            group.mkdir()
            if quota is not None and group.is_relative_to(GROUPS / "cpu"):
                (group / "cpu.cfs_quota_us").write_text(f"{round(quota * PERIOD_US)}")
        if quota is not None:  # a slower machine does not see why: its own group is inside of the limited one
            for group in self.groups:
                (group / "inside").mkdir()
        joined = [group if quota is None else group / "inside" for group in self.groups]
        # The kernel ends the first process when the rig's own does, however that ends.
        argv = ("setpriv", "--pdeathsig", "KILL", "taskset", "--cpu-list", cpus, "unshare", "--net", "--mount", "--uts")
        script = ("sh", "-c", JOIN, "sh", str(base), name, program, *map(str, joined))
        with (base / "log").open("ab") as log:
            self._process = subprocess.Popen(
                (*argv, *script),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd="/",
                env={"MOUNT": MOUNT, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def await_start(self) -> None:
        deadline = time.monotonic() + STARTED_WITHIN_S
        while not (self.base / "ready").exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} did not start: {(self.base / 'log').read_text(errors='replace')}")
            time.sleep(0.01)

    def enter(self, *argv: str, mounts: bool = True, at: Path = Path("/")) -> tuple[str, ...]:
        """Return the command that runs a program in the machine; without ``mounts`` it sees the files of the host."""
        inside = (f"--mount=/proc/{self.pid}/ns/mnt", f"--uts=/proc/{self.pid}/ns/uts") if mounts else ()
        return ("nsenter", f"--wd={at}", f"--net=/proc/{self.pid}/ns/net", *inside, "--", *argv)

    def run(self, *argv: str) -> str:
        return run(self.enter(*argv))

    def members(self) -> frozenset[int]:
        """Return the processes of the machine: those in its network."""
        own = _network(self.pid)
        return frozenset(pid for pid in processes.all_pids(PROC) if own is not None and _network(pid) == own)

    def kill(self) -> None:
        """Kill all processes of the machine, as a power cut would."""
        own = _network(self.pid)
        processes.end_all(lambda pid: own is not None and _network(pid) == own, proc=PROC)

    def close(self) -> None:
        """End the machine and remove its groups."""
        self.kill()
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)
        self._process.wait(ENDED_WITHIN_S)
        for group in self.groups:
            _remove(group)


def run(argv: Sequence[str]) -> str:
    done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=STEP_WITHIN_S)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(argv)} failed: {done.stderr.strip()}")
    return done.stdout


def _network(pid: int) -> str | None:
    try:
        return str((PROC / str(pid) / "ns" / "net").readlink())
    except OSError:
        return None


def _remove(group: Path) -> None:
    deadline = time.monotonic() + ENDED_WITHIN_S
    while group.exists() and time.monotonic() < deadline:
        for each in (*sorted(group.rglob("*/"), reverse=True), group):
            with contextlib.suppress(OSError):
                each.rmdir()
        time.sleep(0.01)
