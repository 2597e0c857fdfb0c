"""The kernel's files of a host, recorded there and unpacked here, for the readers of facts.

What a host sends is data: a path that leads out of its folder is refused, and links are kept as text.
"""

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from headtohead.hosts.facts.memory import EDAC
from headtohead.hosts.facts.network import NICS
from headtohead.hosts.facts.power import ZONES
from headtohead.hosts.facts.software import CONTAINER_MARKS, RELEASE_FILES
from headtohead.hosts.facts.sysctls import DEFAULTS, path_of
from headtohead.hosts.kernel_files import PROGRAM_WITHIN_S, Tree
from headtohead.hosts.own_folder import own_folder
from headtohead.hosts.ssh.host import SshHost
from headtohead.model.errors import HostError

COUNTERS = ("proc/stat", "proc/*/stat")
"""What the load is computed from, in two readings."""
CPU = "sys/devices/system/cpu"
NODE = "sys/devices/system/node"
FILES = (
    *(f"proc/{name}" for name in ("cpuinfo", "meminfo", "cmdline", "loadavg", "uptime", "vmstat", "net/sockstat")),
    *(f"proc/self/{name}" for name in ("mounts", "mountinfo", "limits", "status")),
    *("proc/*/comm", "proc/pressure/cpu", "proc/sys/kernel/osrelease", "proc/sys/kernel/version"),
    *("proc/sys/kernel/random/boot_id", "proc/sys/net/ipv4/tcp_available_ulp", "proc/sys/vm/nr_*hugepages"),
    *("proc/sys/abi/vsyscall32", *RELEASE_FILES, *CONTAINER_MARKS),
    *(path_of(each.name).removeprefix("/") for each in DEFAULTS),
    *(f"{CPU}/{name}" for name in ("online", "offline", "isolated", "nohz_full", "smt/control", "cpufreq/boost")),
    *(f"{CPU}/{name}" for name in ("intel_pstate/no_turbo", "cpuidle/current_driver", "vulnerabilities/*")),
    *(f"{CPU}/cpu*/topology/{name}" for name in ("physical_package_id", "thread_siblings_list")),
    *(f"{CPU}/cpu*/cache/index*/{name}" for name in ("level", "type", "size", "shared_cpu_list")),
    *(f"{CPU}/cpu*/cpufreq/*", f"{CPU}/cpu*/thermal_throttle/core_throttle_count"),
    *(f"{NODE}/has_memory", f"{NODE}/node*/meminfo", f"{NODE}/node*/distance", f"{NODE}/node*/cpulist"),
    *(f"{EDAC}/mc*/*_count", f"{EDAC}/mc*/mc_name", f"{EDAC}/mc*/dimm*/*"),
    *(f"{NICS}/*/{name}" for name in ("mtu", "speed", "device", "device/driver", "queues/rx-*")),
    *(f"sys/block/*/{name}" for name in ("device", "device/model", "size", "queue/scheduler", "queue/rotational")),
    *("sys/block/*/queue/write_cache", "sys/class/dmi/id/*", "sys/firmware/devicetree/base/model"),
    *("sys/devices/system/clocksource/clocksource0/*_clocksource", "sys/kernel/mm/transparent_hugepage/*"),
    *("sys/class/hwmon/hwmon*/temp*_input", "sys/class/thermal/thermal_zone*/temp", "sys/hypervisor/type"),
    *("sys/bus/virtio/devices/*/device", "sys/bus/virtio/devices/*/features", f"{ZONES}/intel-rapl:*/*"),
    "sys/fs/cgroup/cgroup.controllers",
)
PRESENT = ("proc/self/numa_maps", "proc/sys/abi")
"""What is looked for and not read."""


@dataclass
class Recorder:
    """Records files of a host below a folder here. ``links`` and ``refused`` are by path."""

    host: SshHost
    folder: Path
    links: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    counted_at_s: float = 0.0
    took_s: float = 0.0

    def record(self, patterns: Sequence[str]) -> None:
        """Record what matches, in place of what was recorded of it before."""
        began = time.monotonic()
        answer = self.host.agent.order("record", {"patterns": [f"/{each}" for each in patterns]})
        self.took_s = time.monotonic() - began
        self.counted_at_s = began + self.took_s / 2
        for name, text in _texts(answer, "files").items():
            path = self.folder / _inside(self.host.label, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        folders = answer.get("folders")
        for name in folders if isinstance(folders, list) else ():
            (self.folder / _inside(self.host.label, str(name))).mkdir(parents=True, exist_ok=True)
        for kind, known in (("links", self.links), ("refused", self.refused)):
            known.update({_inside(self.host.label, name): text for name, text in _texts(answer, kind).items()})

    def pause(self, seconds: float) -> None:
        """Record the counters again, that time after the last recording."""
        time.sleep(max(0.0, self.counted_at_s + seconds - self.took_s / 2 - time.monotonic()))
        for each in self.folder.glob("proc/[0-9]*/stat"):
            each.unlink()  # of a process that may have ended
        self.record(COUNTERS)


@dataclass(frozen=True)
class RecordedTree(Tree):
    """A host's files, as they were recorded; counters of energy are read anew each time."""

    recorder: Recorder | None = None

    def text(self, path: str) -> str | None:
        """Return a file's text without its last newline, None if it could not be read."""
        if self.recorder is not None and path.startswith(ZONES):
            self.recorder.record((path,))
        return super().text(path)

    def is_there(self, path: str) -> bool:
        """Return whether there is such a file or folder."""
        known = self.recorder
        return super().is_there(path) or (known is not None and (path in known.links or path in known.refused))

    def is_writable(self, path: str) -> bool:
        """Return whether we may write there, on the host."""
        return self.said(("test", "-w", f"/{path}")) is not None

    def link_name(self, path: str) -> str | None:
        """Return the last part of a link's target, None if there is no link."""
        target = self.recorder.links.get(path) if self.recorder is not None else None
        return PurePosixPath(target).name if target else None

    def why_not(self, path: str) -> str:
        """Return why a file shows nothing."""
        why = self.recorder.refused.get(path) if self.recorder is not None else None
        return f"/{path}: {why}" if why else super().why_not(path)


@contextlib.contextmanager
def recorded_tree(host: SshHost, more: Sequence[str] = ()) -> Iterator[RecordedTree]:
    """Record a host's files for ``read_facts`` and ``read_machine``, and ``more``; all is removed afterwards."""

    def said(argv: Sequence[str]) -> str | None:
        try:
            return host.run(argv, within_s=PROGRAM_WITHIN_S)
        except HostError:
            return None

    def firmware(interface: str) -> str | None:
        lines = (said(("ethtool", "-i", interface)) or "").splitlines()
        found = [line.partition(":")[2].strip() for line in lines if line.startswith("firmware-version:")]
        return found[0] or None if found else None

    with own_folder() as folder:
        recorder = Recorder(host, folder)
        recorder.record((*FILES, *more))
        for path in PRESENT:
            if said(("test", "-e", f"/{path}")) is not None:
                recorder.links.setdefault(path, path)
        # The counters last: the time to their second reading counts from now.
        recorder.record(COUNTERS)
        yield RecordedTree(folder, host.place.root, said, firmware, recorder.pause, recorder)


def _inside(label: str, name: str) -> str:
    """Return a path relative to the root; HostError for one that leads elsewhere."""
    path = PurePosixPath(name)
    if not path.is_absolute() or ".." in path.parts or "\0" in name or len(path.parts) < 2:
        raise HostError(
            f"The host {label} sent a file that was not requested",
            why=f"Its path is {name[:80]!r}.",
            remedy="Find out what runs on that host in place of our program.",
        )
    return os.fspath(path.relative_to("/"))


def _texts(answer: Mapping[str, object], key: str) -> dict[str, str]:
    found = answer.get(key)
    return {str(name): str(text) for name, text in found.items()} if isinstance(found, dict) else {}
