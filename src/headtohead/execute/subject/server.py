"""A subject as a private instance: its files, its start until it is ready, its steps, its stop."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headtohead.execute.pages.ready_from_here import patience_s, readiness
from headtohead.execute.pages.ready_over_link import page_argv, page_state
from headtohead.execute.pages.request_page import Site
from headtohead.execute.pages.request_page_over_http2 import get_over_http2
from headtohead.execute.subject.fill_templates import fill, fill_argv
from headtohead.execute.subject.processes_of_attached_server import processes
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Scalar
from headtohead.model.study.study import HTTP_VERSION
from headtohead.model.study.subject import RACE, TLS_RACE, Attach, Batch, Start, Step, Subject

ASK_PAGE_EVERY_S = 0.02
ASK_PROGRAM_EVERY_S = 0.1
READS_WHOLE = ("/usr/bin/wc", "--lines")
"""Reads every byte of files and prints little."""
TLS = "-tls-"
"""An interface with this in its name uses TLS: ``tls_url`` is its address, and ``ca`` the certificate to trust."""


@dataclass(frozen=True)
class Server:
    """A subject that serves; ``words`` fill its templates, ``name`` is the name of its process and its log.

    Its directory is ``@run@``: the run's own, or a directory in it for a needed subject. A subject in process has no
    server to start and stop, because its client program is the subject.
    """

    subject: Subject
    supervised: SupervisedRun
    words: Mapping[str, Scalar]
    name: str = "subject"

    @property
    def folder(self) -> Path:
        """The directory of its process."""
        return Path(str(self.words["run"]))

    @property
    def in_process(self) -> bool:
        """Whether its client program is what is measured."""
        return self.subject.client is not None

    @property
    def attach(self) -> Attach | None:
        """The processes of a server that already runs; None if runs start it."""
        return None if self.subject.start is None else self.subject.start.attach

    @property
    def warm(self) -> Step | None:
        """The step that reads data into memory; an engine in process has not started, so its step reads its files."""
        if self.subject.start is not None:
            return self.subject.start.warm
        if not self.in_process:
            return None
        data = Path(str(self.words.get("data", self.folder)))
        names = self.supervised.environment.files.names(data)
        return Step((*READS_WHOLE, *(str(data / each) for each in names))) if names else None

    def start(self) -> None:
        """Write its files, start it, and wait until it is ready; raises SubjectError if it does not become ready."""
        if self.in_process:
            return
        begins = self._begins()
        if self.attach is not None:
            self._count(self.attach)
            self._wait_until_ready(begins)
            return
        for template, target in begins.files.items():
            name = self._file(template)
            text = (Path(self.subject.folder) / name).read_text(encoding="utf-8")
            self.supervised.write(self.folder / target, self._fill(text, name))
        argv = self.filled(begins.argv, "start.argv")
        self.supervised.begin(
            self.name, argv, group="subject", at=self.folder, cwd=working_directory(begins, self.subject)
        )
        self._wait_until_ready(begins)

    def do(self, step: Step, *, name: str, within_s: float, group: str = "subject") -> Path:
        """Run one of its steps to the end; return the file of its output. Raises SubjectError if it fails."""
        argv, given = self.filled(step.argv, name), self._input(step.input, name)
        self.supervised.begin(name, argv, group=group, at=self.folder, stdin=given, inside=True)
        ended = self.supervised.supervisor.wait(name, within_s=within_s)
        if not ended.exited or ended.code != 0:
            code = ended.code if ended.signal is None else ended.signal
            how = f"it ended with {code}: {self.tail(name)}" if ended.exited else f"it took over {within_s:g} s"
            raise SubjectError(
                f"The step {name.partition('.')[0]} of {self.subject.name} failed",
                why=f"{how}.",
                remedy="Run it by hand as in its subject.toml; see logs/ in the run's folder.",
            )
        return self.supervised.output_files(name)[0]

    def reach(self) -> dict[str, str]:
        """Return every field of its ``reach``, filled in."""
        return {field: self._fill(text, f"reach.{field}") for field, text in self.subject.reach.items()}

    def filled(self, argv: tuple[str, ...], what: str) -> list[str]:
        """Return arguments with every ``@name@`` replaced; ``what`` names their key for errors."""
        return fill_argv(argv, self.words, where=self._where(what))

    def check_alive(self) -> None:
        """Raise SubjectError if it has ended by itself; in process, if the kernel killed it for memory."""
        if self.attach is not None:
            processes(self.attach, of=self.subject.name)
            return
        killed = "the kernel killed it for memory" if self.supervised.supervisor.usage("subject").oom_kills else ""
        if not self.in_process:
            now = self.supervised.supervisor.alive(self.name)
            if now.alive:
                return
            how = f"with exit code {now.code}" if now.signal is None else f"by the signal {now.signal}"
            why = f"It ended {how}{', as ' if killed else ''}{killed}; {self.tail(self.name)}."
        elif killed:
            why = f"In its process {killed}."
        else:
            return
        raise SubjectError(
            f"{self.subject.name} ended in mid-run", why=why, remedy="See logs/ in the run's folder, and its memory."
        )

    def site(self, sender: SupervisedRun | None = None) -> Site:
        """Return the address at which a driver requests its pages; ``sender`` is its run, by default the first."""
        return site(self.subject, self.words, self.supervised, sender or self.supervised.sender)

    def tail(self, name: str) -> str:
        """Return the last error lines of one of its programs, and any disk with little free space."""
        works_in = dict.fromkeys((self.folder, Path(str(self.words.get("data", self.folder)))))
        return "; ".join([self.supervised.tail(name), *filter(None, map(self.supervised.low_space, works_in))])

    def stop(self) -> bool:
        """Send its stop signal; return whether all of it ended by itself in time."""
        if self.in_process or self.attach is not None:
            return True
        stop = self.subject.stop
        ended = self.supervised.supervisor.stop(self.name, signal=stop.signal, within_s=stop.within_s)
        return not ended.killed and ended.left_over == 0

    def _count(self, attach: Attach) -> None:
        """Count the processes of a running server as the subject's; raises SubjectError if there is none."""
        if self.supervised.environment.elsewhere is not None:
            why = "Its processes are those of the machine that headtohead runs on, and the run is on another one."
            raise SubjectError(f"{self.subject.name} already runs", why=why, remedy="Leave out --bench.")
        pids = processes(attach, of=self.subject.name)
        if pids:
            self.supervised.supervisor.attach("subject", pids)

    def _begins(self) -> Start:
        if self.subject.start is None:
            raise SubjectError(
                f"{self.subject.name} is not a server", why="It has no [start].", remedy="See its subject.toml."
            )
        return self.subject.start

    def _wait_until_ready(self, begins: Start) -> None:
        """Ask it until it is ready: at least once, however little of the time a busy machine leaves us."""
        began_s = now_s = time.monotonic()
        deadline_s = began_s + begins.within_s
        last = ""
        while now_s < deadline_s:
            now = None if begins.attach else self.supervised.supervisor.alive(self.name)
            if now is not None and not now.alive:
                how = f"it ended at once, with {now.code if now.signal is None else now.signal}"
                raise self._not_ready(how, ended=True)
            last = self._readiness(begins, patience_s(now_s - began_s, deadline_s - now_s))
            if last == "ready":
                return
            time.sleep(ASK_PAGE_EVERY_S if begins.ready.http is not None else ASK_PROGRAM_EVERY_S)
            now_s = time.monotonic()
        raise self._not_ready(f"{last}, for {begins.within_s:g} s")

    def _readiness(self, begins: Start, within_s: float) -> str:
        """Return "ready", or what it lacks; a request for a page may take so long."""
        name = f"{self.name}-ready.{time.monotonic_ns()}"
        if begins.ready.http is None:
            argv = self.filled(begins.ready.argv or (), "start.ready")
            done = self._succeeds(name, argv, begins, of=self.supervised)
            return "ready" if done else self._unready(name, of=self.supervised)
        there = self.site()
        url = fill(begins.ready.http, {**self.words, "url": there.url}, where=self._where("start.ready"))
        if not self.supervised.reached_from_driver:
            return readiness(there.ask, url, within_s, ca=there.ca, any_status=begins.ready.any_status)
        sender = self.supervised.sender
        if not self._succeeds(name, page_argv(there, url, within_s), begins, of=sender):
            return self._unready(name, of=sender)
        record = sender.read(sender.output_files(name)[0]).strip().rpartition("\n")[2]
        return page_state(record, any_status=begins.ready.any_status)

    def _succeeds(self, name: str, argv: Sequence[str], begins: Start, *, of: SupervisedRun) -> bool:
        """Run a check of its readiness at the driver's end; return whether it succeeded."""
        its_own = begins.ready.argv is not None and self.subject.driver is None
        of.begin(name, argv, group="driver", at=self.folder if of is self.supervised else None, inside=its_own)
        ended = of.supervisor.wait(name, within_s=begins.within_s)
        return ended.exited and ended.code == 0

    def _unready(self, name: str, *, of: SupervisedRun) -> str:
        return f"the check of its readiness failed ({self.tail(name) if of is self.supervised else of.tail(name)})"

    def _not_ready(self, why: str, *, ended: bool = False) -> SubjectError:
        races = bool({RACE, TLS_RACE} & {*self.subject.serves})
        name = self.subject.title if races else self.subject.name  # a racer's user wrote no name, but its command
        if self.attach is not None:
            return SubjectError(f"{name} does not respond", why=f"{why}.", remedy="Send the request by hand.")
        if races:
            remedy = "Run its command by hand."
            if not ended:
                remedy += " If it takes longer, start it yourself, and race it by `--url`."
        else:
            page = "let start.ready request a page that gives 200 (any_status = true: any response does), "
            by_page = self.subject.start is not None and self.subject.start.ready.http is not None
            remedy = f"See logs/{self.name}.err in the run's folder, {page if by_page else ''}or raise start.within_s "
            remedy += "in its subject.toml."
        return SubjectError(f"{name} did not become ready", why=f"{why}; {self.tail(self.name)}.", remedy=remedy)

    def _input(self, file: str | None, step: str) -> Path | None:
        """Return a step's input as a file of the run: the subject's user may not reach the repository."""
        if file is None:
            return None
        name = self._file(file)
        text = (Path(self.subject.folder) / name).read_text(encoding="utf-8")
        filled = self._fill(text, name) if name.endswith(".in") else text
        return self.supervised.give(f"{step}.input", filled)

    def _file(self, name: str) -> str:
        """Return the name of a file of the subject's folder; an interface in it has a dash for its slash."""
        interface = str(self.words.get("interface", "")).replace("/", "-")
        return name.replace("@interface@", interface)

    def _fill(self, text: str, what: str) -> str:
        return fill(text, self.words, where=self._where(what))

    def _where(self, what: str) -> str:
        return f"subject {self.subject.name}, {what}"


def working_directory(program: Start | Batch, subject: Subject) -> Path | None:
    """Return the working directory that a subject names for a program; None if it names none."""
    return None if program.directory is None else (Path(subject.folder) / program.directory).resolve()


def site(subject: Subject, words: Mapping[str, Scalar], supervised: SupervisedRun, sender: SupervisedRun) -> Site:
    """Return the address of a subject's pages for a driver's supervised run, over TLS if the interface uses TLS."""
    over_tls = TLS in str(words.get("interface", ""))
    field = "tls_url" if over_tls else "url"
    where = f"subject {subject.name}, reach"
    if field not in subject.reach:
        raise SubjectError(
            f"{subject.name} has no {field}", why="Its [reach] lacks the field.", remedy="See its subject.toml."
        )
    ca = Path(fill(subject.reach["ca"], words, where=where)) if over_tls and "ca" in subject.reach else None
    if ca is not None and subject.start is not None and subject.start.attach is not None:
        ca = _ca_at(sender, ca, text=Path(subject.folder, ca).read_text())
    elif ca is not None and supervised.drivers:
        ca = _ca_at(sender, ca, text=supervised.environment.files.brought(ca, within=ca.parent).read_text())
    connect = supervised.addresses["address"] if over_tls and supervised.reached_from_driver else None
    http2 = words.get(HTTP_VERSION) == "2"
    get = get_over_http2(supervised.environment.bin) if http2 else supervised.environment.get
    return Site(fill(subject.reach[field], words, where=where), get, ca, connect, http2)


def _ca_at(sender: SupervisedRun, ca: Path, *, text: str) -> Path:
    """Return the path of the certificate on the driver's machine; it is given to the driver once."""
    given = sender.input / ca.name
    return given if sender.environment.files.plain((given,)) else sender.give(ca.name, text)
