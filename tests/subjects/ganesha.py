"""NFS-Ganesha in a network of its own, as the subject starts it, and the client beside it: both as an ordinary user."""

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SUBJECT = Path(__file__).parents[2] / "subjects" / "nfs-ganesha"
ADDRESS = "192.0.2.1"
NETWORK = f'ip link set lo up && ip addr add {ADDRESS}/30 dev lo && exec "$@"'
"""What a shell does in the new network before it becomes the program that it was given."""
READY_WITHIN_S = 20.0
ENDS_WITHIN_S = 120.0


def lacks() -> str:
    """Return what a test with a server lacks here; empty where nothing."""
    wanted = {"ganesha.nfsd": "nfs-ganesha", "gcc": "gcc", "setpriv": "util-linux", "ip": "iproute2"}
    missing = [package for program, package in wanted.items() if not shutil.which(program)]
    missing += [] if Path("/usr/include/nfsc/libnfs.h").exists() else ["libnfs-dev"]
    return ", ".join(missing) or ("" if os.geteuid() == 0 and all(_user()) else "root, and the user headtohead")


def build(out: Path) -> None:
    """Build the client and the library as the subject does; beside them what starts the server.

    The checkout itself may be nobody else's to read.
    """
    subprocess.run(["make", "--silent", "--jobs=2", f"--directory={SUBJECT}", f"OUT={out}"], check=True)
    shutil.copy(SUBJECT / "serve.sh", out)


@dataclass(frozen=True)
class Served:
    """A server at work; ``build`` holds the programs, ``run`` its directory."""

    process: subprocess.Popen[bytes]
    build: Path
    run: Path

    @property
    def files(self) -> list[str]:
        """The names in the exported directory."""
        return sorted(each.name for each in (self.run / "export").iterdir())

    def argv(self, *words: str) -> list[str]:
        """Return what starts the client in the server's network, with these words beside the server's."""
        user, group = _user()
        enter = ["nsenter", f"--net=/proc/{self.process.pid}/ns/net", "setpriv", f"--reuid={user}", f"--regid={group}"]
        own = [str(self.build / "nfs-stream"), "--server", ADDRESS, "--export", str(self.run / "export")]
        return [*enter, "--clear-groups", *own, *words]

    def ask(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the client to its end."""
        return subprocess.run(self.argv(*words), capture_output=True, text=True, check=False, timeout=ENDS_WITHIN_S)

    def case(self, operation: str, *, processes: int, size_mib: int, more: Sequence[str] = ()) -> list[str]:
        """Return the client's words for one case."""
        cases = self.run / "cases"
        cases.write_text(f"operation={operation},processes={processes}\n")
        words = {"cases": cases, "operation": operation, "processes": processes, "size-mib": size_mib, "block-kib": 256}
        return [part for name, value in words.items() for part in (f"--{name}", str(value))] + [*more]


@contextmanager
def served(build_dir: Path, run: Path) -> Iterator[Served]:
    """Start the server of the subject on a directory that is the ordinary user's, wait for it, and end it."""
    user, group = _user()
    run.chmod(0o755)
    os.chown(run, int(user), int(group))
    conf = (SUBJECT / "ganesha.conf.in").read_text().replace("@run@", str(run))
    (run / "ganesha.conf").write_text(conf)
    serve = ["sh", str(build_dir / "serve.sh"), str(run), str(build_dir / "private.so")]
    become = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", *serve]
    argv = ["unshare", "--net", "sh", "-c", NETWORK, "sh", *become]
    with (run / "said").open("wb") as said, subprocess.Popen(argv, stdout=said, stderr=said) as process:
        found = Served(process, build_dir, run)
        try:
            _wait(found)
            yield found
        finally:
            process.kill()


def _wait(found: Served) -> None:
    until = time.monotonic() + READY_WITHIN_S
    while found.ask("--only", "mount").returncode != 0:
        assert found.process.poll() is None, (found.run / "said").read_text()
        assert time.monotonic() < until, "the server is not ready"
        time.sleep(0.05)


def _user() -> tuple[str, str]:
    try:
        found = pwd.getpwnam("headtohead")
    except KeyError:
        return "", ""
    return str(found.pw_uid), str(found.pw_gid)
