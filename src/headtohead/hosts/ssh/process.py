"""A program on a host over SSH that we talk to in lines."""

import contextlib

from headtohead.hosts.local import LocalProcess
from headtohead.hosts.ssh.probe_orders import Agent
from headtohead.model.errors import HostError


class SshProcess:
    """A program that was started by an order: ``client`` is the SSH client here, ``pid`` the program's id there."""

    def __init__(self, agent: Agent, client: LocalProcess, *, pid: int) -> None:
        self._agent = agent
        self._client = client
        self._pid = pid

    @property
    def pid(self) -> int:
        """Return the process id on its host."""
        return self._pid

    def write_line(self, text: str) -> None:
        """Write one line; HostError if the program has closed its input, or the connection is lost."""
        self._client.write_line(text)

    def read_line(self, *, within_s: float) -> str | None:
        """Return the next line, None after the output has ended or the connection is lost; HostError if it is late."""
        return self._client.read_line(within_s=within_s)

    def close_input(self) -> None:
        """Close its standard input."""
        self._client.close_input()

    def wait(self, *, within_s: float) -> int:
        """Return its exit status, 255 if the connection was lost; HostError if it still runs after that time."""
        return self._client.wait(within_s=within_s)

    def kill(self) -> None:
        """End it with KILL, by its own id. On a host that is out of reach its lease ends it."""
        with contextlib.suppress(HostError):
            self._agent.order("kill", {"pid": self._pid})
        self._client.kill()
