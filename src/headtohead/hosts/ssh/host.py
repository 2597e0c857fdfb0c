"""A machine over SSH: the four verbs, through the orders of `h2h-probe remote`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from headtohead.hosts.host import Process
from headtohead.hosts.program_failures import failed, late
from headtohead.hosts.ssh.connection import Connection
from headtohead.hosts.ssh.known_before_start import read_place
from headtohead.hosts.ssh.probe_orders import ANSWER_WITHIN_S, Agent, end
from headtohead.hosts.ssh.process import SshProcess
from headtohead.hosts.ssh.transfer import Progress, Pushed, fetch_file, no_progress, push, put_file
from headtohead.hosts.supervise.remove_leftovers import SUPERVISE_WITHIN_S, Swept

SWEPT_WITHIN_S = 60.0


class SshHost:
    """A host over one shared connection. ``label`` is its name in the bench, ``place`` what is known of it."""

    def __init__(self, connection: Connection, *, probe: Path) -> None:
        """Find out what the host is. ``connection`` is entered; ``probe`` is our program here, sent if missing."""
        self.agent = Agent(connection, probe)
        self.label = connection.label
        self.place = read_place(self.agent)

    def run(self, argv: Sequence[str], *, within_s: float) -> str:
        """Return the program's output, in the C locale; HostError if it failed, was missing or late."""
        command = [str(word) for word in argv]
        words = {"argv": command, "within_s": within_s}
        done = self.agent.order("run", words, within_s=within_s + ANSWER_WITHIN_S)
        if done.get("late"):
            raise late(command, within_s=within_s, on=self.label)
        if done["code"] != 0:
            status = done["code"] if isinstance(done["code"], int) else -int(str(done["signal"]))
            raise failed(command, status, str(done["stderr"]), str(done["stdout"]), on=self.label)
        return str(done["stdout"])

    def start(self, argv: Sequence[str], *, log: Path) -> Process:
        """Start a program in a session of its own; its standard error is appended to ``log`` on this machine."""
        client = self.agent.begin("exec", {"argv": [str(word) for word in argv]}, log=log)
        try:
            answer = self.agent.response(client, "exec")
        except BaseException:
            end(client)
            raise
        return SshProcess(self.agent, client, pid=int(str(answer["pid"])))

    def put(self, source: Path, target: Path) -> None:
        """Copy a file of this machine to the host, with its mode, whole or not at all."""
        put_file(self.agent, source, target)

    def fetch(self, source: Path, target: Path, *, within: Path | None = None) -> None:
        """Copy a file of the host to this machine, with its mode, whole or not at all.

        No link is followed below ``within``.
        """
        fetch_file(self.agent, source, target, within=within)

    def push(self, source: Path, kind: str, *, progress: Progress = no_progress) -> Pushed:
        """Send a folder, or one file, to the host's cache unless it is there and right.

        It is then in ``<cache>/<kind>/<checksum>`` there. What is there is checked each time, byte for byte.
        """
        return push(self.agent, source, self.place.cache / kind, progress=progress)

    def sweep(self, *, patience_s: float = SUPERVISE_WITHIN_S) -> tuple[Swept, ...]:
        """Remove what dead owners left on the host; return what that was. A supervise that still runs is awaited."""
        answer = self.agent.order("sweep", {"patience_s": patience_s}, within_s=SWEPT_WITHIN_S + patience_s)
        return _swept(answer)

    def end_run(self, run_id: str) -> tuple[Swept, ...]:
        """End and remove all that is left of one run whose supervise was killed."""
        return _swept(self.agent.order("end_run", {"id": run_id}, within_s=SWEPT_WITHIN_S))


def _swept(answer: Mapping[str, object]) -> tuple[Swept, ...]:
    removed = answer["removed"]
    return tuple(Swept(**each) for each in removed) if isinstance(removed, list) else ()
