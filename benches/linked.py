"""Where programs are run by hand: network namespaces joined as supervise joins its own, files in memory."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from mmap import MADV_DONTNEED, MAP_ANONYMOUS, MAP_PRIVATE, PAGESIZE, mmap
from pathlib import Path

from benches.meter import BenchError

SERVER, CLIENT = "192.0.2.1", "192.0.2.2"
DEVICE = "h2h0"
MEMORY = Path("/sys/fs/cgroup/memory")
REPORTED = 2 * 1024**2


@dataclass(frozen=True)
class Linked:
    """The names of the two namespaces."""

    server: str
    client: str

    def at(self, end: str, cpu: int, argv: Sequence[str]) -> list[str]:
        """Return the command line that runs a program at one end, on one CPU."""
        return ["nsenter", f"--net=/run/netns/{end}", "taskset", "--cpu-list", str(cpu), *argv]


@contextmanager
def linked(rate_mbit: int | None) -> Iterator[Linked]:
    """Give two namespaces that vanish afterwards; ``BenchError`` where they cannot be made."""
    names = [f"h2h-hand-{os.getpid()}-{rate_mbit or 0}-{each}" for each in ("server", "client")]
    with ExitStack() as made:
        for name in names:
            _run("ip", "netns", "add", name)
            made.callback(_run, "ip", "netns", "delete", name)
        pair = ("type", "veth", "peer", "name", DEVICE, "netns", names[1])
        _run("ip", "-netns", names[0], "link", "add", DEVICE, *pair)
        for name, address in zip(names, (SERVER, CLIENT), strict=True):
            _set_up(name, address, rate_mbit=rate_mbit)
        yield Linked(*names)


def _set_up(name: str, address: str, *, rate_mbit: int | None) -> None:
    inside = ("ip", "-netns", name)
    _run(*inside, "link", "set", "lo", "up")
    _run(*inside, "addr", "add", f"{address}/30", "dev", DEVICE, "noprefixroute")
    if rate_mbit is not None:
        bucket = ("rate", f"{rate_mbit}mbit", "burst", "256kb", "latency", "20ms")
        _run("tc", "-netns", name, "qdisc", "add", "dev", DEVICE, "root", "tbf", *bucket)
    _run(*inside, "link", "set", DEVICE, "up")
    _run(*inside, "route", "add", "192.0.2.0/30", "dev", DEVICE, "src", address, "congctl", "cubic")


def in_mounts_of_its_own(module: str) -> None:
    """Begin this program anew where its mounts are seen by nobody else; nothing where it is there already.

    ``BenchError`` where that cannot be had.
    """
    if Path("/proc/self/ns/mnt").readlink() != Path(f"/proc/{os.getppid()}/ns/mnt").readlink():
        return
    argv = ["unshare", "--mount", "--propagation", "private", sys.executable, "-m", module, *sys.argv[1:]]
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        raise BenchError(f"unshare cannot be run ({error}). It takes root, and util-linux.") from error


def files_in_memory(folder: Path, *, size_gib: int) -> None:
    """Let files under a folder lie in memory until this program and those it starts have ended."""
    _run("mount", "-t", "tmpfs", "-o", f"size={size_gib}g,mode=1777", "h2h-hand", str(folder))


@contextmanager
def memory_kept(gib: int) -> Iterator[None]:
    """Keep a hypervisor from taking memory back that is free between measurements: the first touch of it is dear.

    A guest reports free blocks of 2 MiB at least. One page of each is held here, so that the rest of it, once touched,
    stays in smaller pieces, which the kernel gives out before it breaks larger ones.
    """
    with mmap(-1, gib << 30, flags=MAP_PRIVATE | MAP_ANONYMOUS) as held:
        for at in range(0, len(held), PAGESIZE):
            held[at] = 1
        for at in range(0, len(held), REPORTED):
            held.madvise(MADV_DONTNEED, at + PAGESIZE, REPORTED - PAGESIZE)
        yield


@contextmanager
def own_memory_group() -> Iterator[None]:
    """Account what is started inside to a memory group of its own, as a run does: a nested one slows sockets.

    Nothing happens where there is no such group to be had.
    """
    before = next((line for line in Path("/proc/self/cgroup").read_text().splitlines() if ":memory:" in line), "")
    home, own = MEMORY / before.rpartition(":")[2].lstrip("/"), MEMORY / f"h2h-hand-{os.getpid()}"
    if not before or not os.access(MEMORY, os.W_OK):
        yield
        return
    own.mkdir()
    try:
        (own / "cgroup.procs").write_text(str(os.getpid()))
        yield
    finally:
        (home / "cgroup.procs").write_text(str(os.getpid()))
        own.rmdir()


def _run(*argv: str) -> None:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"{' '.join(argv)} failed: {done.stderr.strip()}. It takes root, and iproute2.")
