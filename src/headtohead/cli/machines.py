"""The machines that a study is carried out on: this one, or those of a bench, connected, locked and described."""

import contextlib
import getpass
import ipaddress
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from headtohead.cli import this_machine
from headtohead.cli.bench import cpus_of, reached
from headtohead.cli.wiring import Question, say
from headtohead.execute.data import disk_space
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.remote_machine import Elsewhere, FarClock
from headtohead.hosts.facts import read_facts
from headtohead.hosts.facts.cpu import instructions_of
from headtohead.hosts.files.there import FilesThere
from headtohead.hosts.own_folder import own_folder
from headtohead.hosts.paths import cache_dir
from headtohead.hosts.software import subjects_user
from headtohead.hosts.ssh.host import SshHost
from headtohead.hosts.ssh.open_host import send_programs, ssh_host
from headtohead.hosts.ssh.package_files import RemoteFiles
from headtohead.hosts.ssh.recorded_kernel_files import recorded_tree
from headtohead.hosts.ssh.session import Session
from headtohead.hosts.supervise.remove_leftovers import sweep
from headtohead.model.errors import HostError
from headtohead.model.machine.bench import Bench, BenchHost
from headtohead.model.machine.host import HostFacts, Machine
from headtohead.model.plan import Plan
from headtohead.plan.servers import BenchMachines

DATA = "data"
SOCKETS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
NAME_WITHIN_S = 30.0
SSH_BRIEFLY = ("ssh", "-o", "ConnectTimeout=5")
MIB = 1024**2
SHOWN_FROM_BYTES = 10 * MIB
Environments = Mapping[str | None, Environment]
"""By a server's label; by None on this machine."""


class Machines(Protocol):
    """What a study needs of its machines, whichever they are."""

    def machine(self) -> Machine | BenchMachines:
        """Return what planning needs to know."""

    def facts(self) -> tuple[HostFacts, ...]:
        """Return the facts of every machine."""

    def measuring(
        self, question: Question, plan: Plan, *, since: str
    ) -> contextlib.AbstractContextManager[Environments]:
        """Hold the locks and yield the environments of runs; what dead owners left is removed first."""


@dataclass(frozen=True)
class ThisMachine:
    """The machine that headtohead runs on. With ``wait``, a study waits for the end of another one, and for quiet."""

    question: Question
    wait: bool = False

    def machine(self) -> Machine:
        """Return what planning needs to know of it."""
        return self.question.machine()

    def facts(self) -> tuple[HostFacts, ...]:
        """Return its facts."""
        return (read_facts("local"),)

    @contextlib.contextmanager
    def measuring(self, question: Question, plan: Plan, *, since: str) -> Iterator[Environments]:
        """Hold the locks of our cache and of this machine."""
        with this_machine.measuring_here(question.called, since=since, wait=self.wait):
            for removed in sweep():
                say(f"Removed: {removed}")
            question.ask_room(plan)
            environment = this_machine.environment_here(patient=self.wait)
            yield {None: replace(environment, shown=question.working_directories)}


@dataclass
class Lab:
    """The machines of a bench. ``hosts`` are connected; ``machines`` and ``described`` were read over SSH."""

    hosts: dict[BenchHost, SshHost]
    scratch: Path
    machines: dict[str, Machine] = field(default_factory=dict)
    described: tuple[HostFacts, ...] = ()
    instructions: dict[str, str] = field(default_factory=dict)

    def machine(self) -> BenchMachines:
        """Return what planning needs to know of the servers, and the labels of the drivers."""
        return BenchMachines(self.machines, tuple(each.label for each in self.hosts if each.role == "driver"))

    def facts(self) -> tuple[HostFacts, ...]:
        """Return the facts of every machine, in the bench's order."""
        return self.described

    @contextlib.contextmanager
    def measuring(self, question: Question, plan: Plan, *, since: str) -> Iterator[Environments]:
        """Hold the lock of every machine; BusyError names the one that another study measures on.

        If the connection to one was lost, what its runs left is removed from it when it can be reached again at once.
        """
        _check_supported(question)
        try:
            with self._held(question, plan, since=since) as environments:
                yield environments
        except HostError:
            self._remove_leftovers_of_lost()
            raise

    @contextlib.contextmanager
    def _held(self, question: Question, plan: Plan, *, since: str) -> Iterator[Environments]:
        who = f"{getpass.getuser()}@{platform.node()}"
        with contextlib.ExitStack() as stack:
            sessions = {
                each: stack.enter_context(Session(host, study=str(question.path), since=since, user=who))
                for each, host in self.hosts.items()
            }
            home = this_machine.environment_here()
            for removed in sweep():
                say(f"Removed: {removed}")
            disk_space.check_sets_space(plan, datasets=question.home.known_datasets(), cache=cache_dir())
            for each, host in self.hosts.items():
                for left in host.sweep():
                    say(f"Removed on {each.label}: {left}")
            found = {each: self._environment(each, sessions[each], home=home) for each in self.hosts}
            drivers = {each.label: one for each, one in found.items() if each.role == "driver"}
            yield {each.label: replace(one, drivers=drivers) for each, one in found.items() if each.role == "server"}

    def _remove_leftovers_of_lost(self) -> None:
        """Remove what runs left on machines to which the connection was lost, each over a new one.

        If our programs there were killed, nothing else removes it before the next start. A machine that cannot be
        reached is passed over: there the lease ends each run.
        """
        for each in [each for each, host in self.hosts.items() if host.agent.connection.is_lost]:
            with contextlib.suppress(HostError), ssh_host(each.label, each.ssh, ssh=SSH_BRIEFLY) as host:
                for left in host.sweep():
                    say(f"Removed on {each.label}: {left}")

    def _environment(self, each: BenchHost, session: Session, *, home: Environment) -> Environment:
        host, files = self.hosts[each], FilesThere(self.hosts[each], self.scratch / each.label)
        user = subjects_user.ensure_user(host, show=lambda text: say(f"On {each.label}: {text}"), root=host.place.root)
        clock = FarClock(session.clock_offset)
        there = Elsewhere(
            label=each.label,
            address=each.address or _address(host),
            owner=session.owner,
            harness_pids=session.harness_pids,
            clock=clock,
            end_run=host.end_run,
            forget=files.forget,
            user_name=user or host.run(("id", "--user", "--name"), within_s=NAME_WITHIN_S).strip(),
            logs=self.scratch,
            listening_ports=lambda: _ports(host),
            push=lambda folder: _pushed(host, folder),
            instructions=self.instructions[each.label],
        )
        cpus = frozenset(cpus_of(each, host))
        machine = self.machines.get(each.label)
        return Environment(
            host,
            send_programs(host, cache=cache_dir()),
            host.place.cache,
            user,
            clock_ns=clock,
            cpus=cpus,
            topology=lambda _: () if machine is None else machine.cpus,
            gate=home.gate,
            files=files,
            elsewhere=there,
            home=home,
        )


@contextlib.contextmanager
def lab(bench: Bench, question: Question) -> Iterator[Lab]:
    """Connect to all machines of a bench and find out what they are; HostError for the first that cannot be used."""
    with contextlib.ExitStack() as stack:
        connected = {each: stack.enter_context(reached(each)) for each in bench.hosts}
        made = Lab(connected, stack.enter_context(own_folder()))
        facts = []
        for each, host in made.hosts.items():
            with recorded_tree(host) as tree:
                made.instructions[each.label] = instructions_of(tree)
                facts.append(read_facts(each.label, tree=tree))
                if each.role == "server":
                    made.machines[each.label] = question.machine_at(each, host, tree)
        made.described = tuple(facts)
        yield made


def _check_supported(question: Question) -> None:
    """Raise HostError for what a bench cannot do, before anything starts."""
    needed = [each for each in question.study.experiments if each.workload.disk_mib]
    if needed:
        raise HostError(
            f"{needed[0].workload.name} cannot be measured on other machines",
            why="The disk below the folder of a run is described and checked on this machine only.",
            remedy="Leave it out, or measure on that machine itself, without --bench.",
        )
    named = [str(each) for each in question.working_directories]
    if named:
        raise HostError(
            f"{', '.join(named)} cannot be measured on other machines",
            why="A program with a working directory is measured on this machine only.",
            remedy="Leave it out, or measure on that machine itself, without --bench.",
        )


def _address(host: SshHost) -> str:
    """Return the address of a host that ssh connects to, as its sshd reports it; HostError if it does not."""
    try:
        said = host.run(("printenv", "SSH_CONNECTION"), within_s=NAME_WITHIN_S).split()
        return str(ipaddress.ip_address(said[2]))
    except (HostError, IndexError, ValueError) as unknown:
        raise HostError(
            f"The address of {host.label} is not known",
            why="The bench file gives none, and its sshd reports none.",
            remedy=f'Write address = "..." into the table of {host.label} in the bench file.',
        ) from unknown


def _ports(host: SshHost) -> frozenset[int]:
    """Return the TCP ports in use on a host."""
    texts = (RemoteFiles(host).text(path) or "" for path in SOCKETS)
    rows = (line.split() for text in texts for line in text.splitlines()[1:])
    return frozenset(int(row[1].rpartition(":")[2], 16) for row in rows if len(row) > 1)


def _pushed(host: SshHost, folder: Path) -> Path:
    """Send a folder to a host unless it has it; show how far that is, each quarter of it."""
    quarters: set[int] = set()

    def progress(sent: int, total: int) -> None:
        quarter = 4 * sent // max(1, total)
        if total >= SHOWN_FROM_BYTES and quarter not in quarters:
            quarters.add(quarter)
            say(f"Sending {folder.name} to {host.label}: {sent / MIB:,.0f} of {total / MIB:,.0f} MiB")

    return host.push(folder, DATA, progress=progress).path
