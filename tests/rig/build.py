"""The rig: machines on one switch, all of it gone when its process ends."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path

from headtohead.hosts.paths import run_dir, this_owner
from headtohead.hosts.supervise.remove_leftovers import sweep
from tests.end_to_end.command import environment
from tests.end_to_end.warm import Warm
from tests.rig.machine import GROUPS, STEP_WITHIN_S, Machine, run

MOST_SERVERS, MOST_DRIVERS = 2, 6
DESK, SWITCH = "desk", "switch"
NETWORK = "192.0.2"
SHAPE = ("tbf", "rate", "1gbit", "burst", "256k", "latency", "20ms")
"""A gigabit switch port; the same token bucket as a run's own link (docs/reference/supervise.md)."""
NEEDED = ("sshd", "ssh", "ssh-keygen", "ip", "tc", "nsenter", "unshare", "setpriv", "taskset", "hostname")
SERVER_CONFIG = """
ListenAddress 0.0.0.0
Port 22
HostKey /run/rig/host_key
AuthorizedKeysFile /run/rig/authorized_keys
AuthenticationMethods publickey
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
UseDNS no
LoginGraceTime 30
PrintMotd no
PidFile none
"""
CLIENT_CONFIG = """
Host {name}
    HostName {address}
    User root
    IdentityFile {top}/key
    IdentitiesOnly yes
    UserKnownHostsFile {top}/known_hosts
    GlobalKnownHostsFile /dev/null
"""
NUMBERS = count(1)


def why_no_rig() -> str | None:
    """Return why no rig can be built here; None if it can."""
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    missing = [name for name in NEEDED if shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") is None]
    if missing:
        return f"{', '.join(missing)} is not installed (packages openssh-server, openssh-client, iproute2, util-linux)"
    tried = subprocess.run(
        ("unshare", "--net", "--mount", "--uts", "ip", "link", "add", "h2h0", "type", "veth", "peer", "name", "h2h1"),
        check=False,
        capture_output=True,
        timeout=STEP_WITHIN_S,
    )
    return None if tried.returncode == 0 else "the kernel makes no network namespace with a veth pair here"


@dataclass(frozen=True)
class Shares:
    """What each machine gets of this one, by its name."""

    cpus: Mapping[str, str]
    quotas: Mapping[str, float]


@dataclass
class Rig:
    """The machines by name. ``desk`` is the place from which they are reached; it has no sshd."""

    folder: Path
    desk: Machine
    machines: dict[str, Machine] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)

    @property
    def ssh_config(self) -> Path:
        return self.folder / "ssh_config"

    @property
    def ssh(self) -> tuple[str, ...]:
        """The SSH client at the desk, for a program that is not there."""
        return (*self.desk.enter("ssh", mounts=False), "-F", str(self.ssh_config))

    @property
    def bench_file(self) -> Path:
        """The bench file of these machines."""
        return self.folder / "lab.toml"

    @property
    def bench(self) -> str:
        """What is in it."""
        tables = (
            f'[{"server" if name.startswith("server") else "driver"}.{name}]\nssh = "{name}"\naddress = "{address}"\n'
            for name, address in self.addresses.items()
        )
        return "format = 1\n\n" + "\n".join(tables)

    def python(self, *words: str | Path) -> tuple[str, ...]:
        """Return the command that runs Python at the desk, in our root folder."""
        return self.desk.enter(sys.executable, *map(str, words), at=Path(__file__).parents[2])

    @cached_property
    def warm(self) -> Warm:
        """What commands at the desk are forked from."""
        return Warm(environment(), self.desk.enter(at=Path(__file__).parents[2]))

    def cable(self, name: str, *, plugged: bool) -> None:
        """Plug a machine's cable in, or pull it."""
        run(self.machines[name].enter("ip", "link", "set", "eth0", "up" if plugged else "down"))


@contextlib.contextmanager
def rig(
    *,
    servers: int = 1,
    drivers: int = 1,
    cpus: Mapping[str, str] | None = None,
    quotas: Mapping[str, float] | None = None,
) -> Iterator[Rig]:
    """Build a rig; afterwards nothing of it is left. What a killed one left is removed first.

    ``cpus`` are the CPUs of each machine by name (default: all that we may use). ``quotas`` are the most CPUs that a
    machine gets at a time; ValueError without cgroups v1.
    """
    if quotas and not (GROUPS / "cpu").is_dir():
        raise ValueError("A quota needs cgroups v1.")
    if not (1 <= servers <= MOST_SERVERS and 0 <= drivers <= MOST_DRIVERS):
        raise ValueError(f"A rig has 1 to {MOST_SERVERS} servers and at most {MOST_DRIVERS} drivers.")
    sweep()
    rig_id = this_owner().run_id(next(NUMBERS) * 1000)
    folder = run_dir(rig_id)
    folder.mkdir(mode=0o700)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        shares = Shares(cpus or {}, quotas or {})
        made = _built(folder, rig_id, _names(servers, drivers), shares, stack)
        made.bench_file.write_text(made.bench)
        yield made


def _names(servers: int, drivers: int) -> dict[str, str]:
    """Return each machine's address."""
    return {
        **{f"server{number}": f"{NETWORK}.{10 + number}" for number in range(1, servers + 1)},
        **{f"driver{number}": f"{NETWORK}.{20 + number}" for number in range(1, drivers + 1)},
    }


def _built(folder: Path, rig_id: str, addresses: Mapping[str, str], shares: Shares, stack: contextlib.ExitStack) -> Rig:
    all_cpus = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    _write_keys(folder, addresses)
    switch = stack.enter_context(_switch())

    def started(name: str, program: str) -> Machine:
        base = folder / name
        for each in ("", "cache", "tmp", "groups"):
            (base / each).mkdir(exist_ok=True)
        (base / "tmp").chmod(0o1777)
        if program == "sshd":
            _key(base / "host_key")
            (base / "sshd_config").write_text(SERVER_CONFIG)
            shutil.copy(folder / "key.pub", base / "authorized_keys")
        else:
            (base / "ssh_config").write_text((folder / "ssh_config").read_text())
        own = shares.cpus.get(name, all_cpus), shares.quotas.get(name)
        machine = Machine(name, base=base, rig_id=rig_id, program=program, cpus=own[0], quota=own[1])
        stack.callback(machine.close)
        return machine

    made = Rig(folder, started(DESK, "sleep"), addresses=dict(addresses))
    made.machines = {name: started(name, "sshd") for name in addresses}
    for name, machine in {DESK: made.desk, **made.machines}.items():
        machine.await_start()
        _plug_in(machine, switch, addresses.get(name, f"{NETWORK}.1"), shaped=name.startswith("server"))
    lines = [
        f"{addresses[name]} {(machine.base / 'host_key.pub').read_text()}" for name, machine in made.machines.items()
    ]
    (folder / "known_hosts").write_text("".join(lines))
    return made


def _write_keys(folder: Path, addresses: Mapping[str, str]) -> None:
    _key(folder / "key")
    blocks = (CLIENT_CONFIG.format(name=name, address=address, top=folder) for name, address in addresses.items())
    (folder / "ssh_config").write_text("".join(blocks))


def _key(path: Path) -> None:
    run(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "rig", "-f", str(path)))


@contextlib.contextmanager
def _switch() -> Iterator[int]:
    """Make a network that holds the bridge alone; its first process's id is returned."""
    script = "ip link add br0 type bridge && ip link set br0 up && echo made && exec sleep infinity"
    argv = ("setpriv", "--pdeathsig", "KILL", "unshare", "--net", "sh", "-c", script)
    with subprocess.Popen(argv, stdout=subprocess.PIPE, start_new_session=True, cwd="/") as process:
        try:
            if process.stdout is None or process.stdout.readline() != b"made\n":
                raise RuntimeError("The switch of the rig did not start.")
            yield process.pid
        finally:
            process.kill()


def _plug_in(machine: Machine, switch: int, address: str, *, shaped: bool) -> None:
    """Join a machine to the switch; a server's port is shaped in both directions, each by its sender."""
    port = f"p-{machine.name}"
    at_switch = ("nsenter", f"--net=/proc/{switch}/ns/net", "--")
    here = machine.enter(mounts=False)
    steps: Sequence[tuple[str, ...]] = (
        (*at_switch, "ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", str(machine.pid)),
        (*at_switch, "ip", "link", "set", port, "master", "br0", "up"),
        (*here, "ip", "link", "set", "lo", "up"),
        (*here, "ip", "address", "add", f"{address}/24", "dev", "eth0"),
        (*here, "ip", "link", "set", "eth0", "up"),
    )
    for step in steps:
        run(step)
    if shaped:
        run((*at_switch, "tc", "qdisc", "add", "dev", port, "root", *SHAPE))
        run((*here, "tc", "qdisc", "add", "dev", "eth0", "root", *SHAPE))
