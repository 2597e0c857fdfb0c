"""The running system under test: the subject and the subjects that it needs, all on the same CPUs."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.execute.subject.free_port import port_for
from headtohead.execute.subject.list_subjects_of_treatment import Part
from headtohead.execute.subject.own_folder_named_in_templates import SOURCE, names_source
from headtohead.execute.subject.server import Server
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.hosts.file_owners import name_of
from headtohead.model.quantity import Scalar
from headtohead.model.study.subject import Subject, reached_names

WARM_WITHIN_S = 600.0
"""Reading a data set into memory takes minutes at most."""


@dataclass
class SystemUnderTest:
    """The servers of one supervised run, started in the order of their parts and stopped in reverse.

    ``given`` has, by the part's name, the template words from outside: data, build, number of CPUs.
    """

    supervised: SupervisedRun
    parts: Sequence[Part]
    given: Mapping[str, Mapping[str, Scalar]]
    servers: list[Server] = field(default_factory=list)

    def start(self) -> Server:
        """Start all parts, each once the earlier ones are ready; return the subject's own server."""
        while len(self.servers) < len(self.parts):
            self.next().start()
        return self.servers[-1]

    def next(self) -> Server:
        """Return the next part's server, not yet started; its words include the addresses of the earlier parts."""
        part = self.parts[len(self.servers)]
        reached = {each.factor: server.reach() for each, server in zip(self.parts, self.servers, strict=False)}
        folder = self.supervised.folder(part.name) if part.factor else self.supervised.run_dir
        taken = tuple(int(each.words["port"]) for each in self.servers)
        own: dict[str, Scalar] = {
            "run": str(folder),
            "interface": part.interface,
            "port": port_for(self.supervised, but=taken),
        }
        own["user"] = _user(self.supervised)
        if names_source(part.subject):
            own[SOURCE] = str(self.supervised.copy(Path(part.subject.folder), f"{SOURCE}-{part.name}"))
        reach = _reach_words(part.subject, reached)
        words = {**part.settings, **reach, **self.given.get(part.name, {}), **own, **self.supervised.addresses}
        self.servers.append(Server(part.subject, self.supervised, words, part.name))
        return self.servers[-1]

    def warms(self) -> bool:
        """Return whether a part has data to read into memory once it is ready."""
        return any(server.warm is not None for server in self.servers)

    def warm(self) -> None:
        """Read data into memory before the load; in process, this counts as the subject's own memory."""
        for server in self.servers:
            if server.warm is not None:
                group = "subject" if server.in_process else "driver"
                server.do(server.warm, name=f"{server.name}-warm", within_s=WARM_WITHIN_S, group=group)

    def check_alive(self) -> None:
        """Raise SubjectError if a part has ended by itself; needed parts are checked first."""
        for server in self.servers:
            server.check_alive()

    def stop(self) -> dict[str, bool]:
        """Stop all parts, the last one first; return, by name, whether each ended by itself in time."""
        stopped: dict[str, bool] = {}
        with ExitStack() as rest:
            for server in self.servers:
                rest.callback(self._stop, server, stopped)
        return stopped

    def _stop(self, server: Server, stopped: dict[str, bool]) -> None:
        stopped[server.name] = False
        stopped[server.name] = server.stop()


def _user(supervised: SupervisedRun) -> str:
    """Return the name of the user that programs run as."""
    there = supervised.environment.elsewhere
    return name_of(supervised.environment.user) if there is None else there.user_name


def _reach_words(subject: Subject, reached: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return ``@<factor>_<field>@`` of every needed subject; empty without a subject, or without the field.

    ``reached`` has the ``reach`` of each needed part, filled in, by its factor.
    """
    words = {name: "" for factor in subject.needs for name in reached_names(factor)}
    return words | {f"{factor}_{field}": text for factor, reach in reached.items() for field, text in reach.items()}
