"""Orders to `h2h-probe remote` on a host, and the probe's way there.

Only fixed commands cross the login shell of the host. Their one argument is the checksum of our program.
"""

import contextlib
import hashlib
import json
import platform
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from headtohead.hosts.local import LocalProcess
from headtohead.hosts.ssh.connection import Connection, command_line
from headtohead.hosts.ssh.connection import end as end_client
from headtohead.model.errors import HostError

ANSWER_WITHIN_S = 30.0
SENT_WITHIN_S = 300.0
ENDED_WITHIN_S = 10.0
CHUNK_BYTES = 1 << 20
# The same folder as `place::cache` in crates/probe/src/remote.
PLACE = (
    'if [ "$(id -u)" = 0 ]; then c=/var/cache; else case "$XDG_CACHE_HOME" in /*) c=$XDG_CACHE_HOME;; '
    "*) c=$HOME/.cache;; esac; fi; d=$c/headtohead/remote/$1; p=$d/h2h-probe; "
)
LOOK = PLACE + 'h=none; if [ -x "$p" ]; then h=$(sha256sum < "$p"); fi; echo "h2h $(uname -s) $(uname -m) ${h%% *}"'
SEND = PLACE + (
    'set -e; umask 022; mkdir -p "$d"; t=$p.$$; trap \'rm -f "$t"\' EXIT; trap "exit 1" HUP PIPE TERM; cat > "$t"; '
    'h=$(sha256sum < "$t"); '
    'if [ "${h%% *}" = "$1" ]; then chmod 755 "$t"; mv "$t" "$p"; echo "h2h sent"; else echo "h2h differs"; fi'
)
CARRY_OUT = PLACE + 'exec "$p" remote'


class Agent:
    """Carries out orders on the other end of a connection. ``probe`` is our program here, which is sent if needed."""

    def __init__(self, connection: Connection, probe: Path) -> None:
        self.connection = connection
        with probe.open("rb") as file:
            self.checksum = hashlib.file_digest(file, "sha256").hexdigest()
        self._probe = probe
        self._machine_checked()
        self._keep()

    def order(
        self, do: str, words: Mapping[str, object] | None = None, *, within_s: float = ANSWER_WITHIN_S
    ) -> Mapping[str, object]:
        """Give an order and return its one response; HostError with the host's own text for an error."""
        with self.given(do, words or {}) as process:
            return self.response(process, do, within_s=within_s)

    @contextlib.contextmanager
    def given(self, do: str, words: Mapping[str, object]) -> Iterator[LocalProcess]:
        """Give an order that is over when its last response has been read.

        Our program there then waits for the next order: starting it anew would start the login shell of the host too,
        with all that its start files run.
        """
        process = self.begin(do, words, by=self.connection.idle())
        try:
            yield process
        except BaseException:
            end(process)
            raise
        self.connection.spare(process)

    def begin(
        self, do: str, words: Mapping[str, object], *, log: Path | None = None, by: LocalProcess | None = None
    ) -> LocalProcess:
        """Give an order whose input or output goes on; the caller ends the process. ``by`` carries it out if given."""
        process = by or self.connection.start(command_line(CARRY_OUT, self.checksum), log=log)
        try:
            process.write_line(json.dumps({"do": do, **words}))
        except HostError as gone:
            end(process)
            raise self.connection.lost(f"carrying out {do!r}") from gone
        except BaseException:
            end(process)
            raise
        return process

    def response(self, process: LocalProcess, do: str, *, within_s: float = ANSWER_WITHIN_S) -> Mapping[str, object]:
        """Return the next response to an order."""
        line = process.read_line(within_s=within_s)
        try:
            answer = json.loads(line or "")
        except ValueError as garbled:
            raise self.connection.lost(f"carrying out {do!r}") from garbled
        if not isinstance(answer, dict):
            raise self.connection.lost(f"carrying out {do!r}")
        if "error" in answer:
            raise self._as_error(answer["error"])
        return answer

    def send(
        self, process: LocalProcess, file: Path, length: int, *, sent: Callable[[int], object] = lambda _: None
    ) -> None:
        """Write that many bytes of a file to the input of an order; ``sent`` is called with the number of each piece.

        An order that has ended reads no more: its response reports why. More than was announced would be read as the
        next order.
        """
        with file.open("rb") as content, contextlib.suppress(HostError):
            while length and (chunk := content.read(min(length, CHUNK_BYTES))):
                length -= len(chunk)
                process.write(chunk)
                sent(len(chunk))

    def _keep(self) -> None:
        """Let our program keep the connection from now on."""
        process = self.begin("keep", {"lease_s": self.connection.lease_s})
        try:
            self.response(process, "keep")
        except BaseException:
            end(process)
            raise
        self.connection.keep(process)

    def _machine_checked(self) -> None:
        """Make sure that the host can run our program and has it."""
        words = self._say(LOOK).split()
        here = (platform.system(), platform.machine())
        if tuple(words[:2]) != here:
            raise HostError(
                f"The host {self.connection.label} cannot run our programs",
                why=f"It is {' '.join(words[:2])}; they were built for {' '.join(here)}.",
                remedy="Measure it from a machine of its own kind.",
            )
        if words[2:] != [self.checksum] and self._say(SEND, send=self._probe) != "sent":
            raise HostError(
                f"Our programs could not be sent to the host {self.connection.label}",
                why="What arrived there has another checksum.",
                remedy="Check the network between here and there, then try again.",
            )

    def _say(self, script: str, *, send: Path | None = None) -> str:
        """Run a fixed script; return its line that begins with our mark. A login shell may print others."""
        process = self.connection.start(command_line(script, self.checksum))
        try:
            if send is not None:
                self.send(process, send, send.stat().st_size)
            process.close_input()
            while (line := process.read_line(within_s=SENT_WITHIN_S)) is not None:
                if line.startswith("h2h "):
                    return line.removeprefix("h2h ")
        finally:
            end(process)
        raise self.connection.lost("preparing it")

    def _as_error(self, error: object) -> HostError:
        said: Mapping[str, object] = error if isinstance(error, dict) else {"what": str(error)}
        return HostError(
            f"On the host {self.connection.label}, {said.get('what', 'an order failed')}",
            why=str(said.get("why", "It gave no reason.")),
            remedy=str(said.get("remedy", "Report this.")),
        )


def end(process: LocalProcess) -> None:
    """End the process of an order."""
    end_client(process, within_s=ENDED_WITHIN_S)
