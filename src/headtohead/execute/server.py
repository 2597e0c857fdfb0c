"""A server as a private instance: its files, its start, its being ready, its stop."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headtohead.execute.fill import fill, fill_argv
from headtohead.execute.pages import answered
from headtohead.execute.stand import Stand
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Scalar
from headtohead.model.subject import Start, Subject

ASK_EVERY_S = 0.02


@dataclass(frozen=True)
class Server:
    """A subject that serves; ``words`` fill its templates."""

    subject: Subject
    begins: Start
    stand: Stand
    words: Mapping[str, Scalar]

    def start(self) -> None:
        """Write its files, start it, and wait until it is ready; SubjectError says why it is not."""
        where = f"subject {self.subject.name}"
        for template, target in self.begins.files.items():
            text = (Path(self.subject.folder) / template).read_text(encoding="utf-8")
            filled = fill(text, self.words, where=f"{where}, {template}")
            (self.stand.run_dir / target).write_text(filled, encoding="utf-8")
        self.stand.begin("subject", fill_argv(self.begins.argv, self.words, where=where), group="subject")
        self._wait_until_ready()

    def url(self) -> str:
        """Return where a driver reaches it."""
        return fill(self.subject.reach["url"], self.words, where=f"subject {self.subject.name}, reach.url")

    def stop(self) -> bool:
        """Ask it to end; return whether all of it ended in time by itself."""
        asked = self.subject.stop
        ended = self.stand.supervisor.stop("subject", signal=asked.signal, within_s=asked.within_s)
        return not ended.killed and ended.left_over == 0

    def _wait_until_ready(self) -> None:
        deadline_s = time.monotonic() + self.begins.within_s
        last = "it was not asked"
        while time.monotonic() < deadline_s:
            now = self.stand.supervisor.alive("subject")
            if not now.alive:
                raise self._not_ready(f"it ended at once, with {now.code if now.signal is None else now.signal}")
            last = self._asked()
            if last == "ready":
                return
            time.sleep(ASK_EVERY_S)
        raise self._not_ready(f"{last}, for {self.begins.within_s:g} s")

    def _asked(self) -> str:
        where = f"subject {self.subject.name}, start.ready"
        if self.begins.ready_http is not None:
            return answered(self.stand.ground.get, fill(self.begins.ready_http, self.words, where=where))
        name = f"ready-{time.monotonic_ns()}"
        self.stand.begin(name, fill_argv(self.begins.ready_argv or (), self.words, where=where), group="driver")
        ended = self.stand.supervisor.wait(name, within_s=self.begins.within_s)
        return "ready" if ended.exited and ended.code == 0 else "asking whether it is ready failed"

    def _not_ready(self, why: str) -> SubjectError:
        return SubjectError(
            f"{self.subject.name} did not become ready",
            why=f"{why}; {self.stand.tail('subject')}.",
            remedy="See logs/subject.err in the run's folder, or raise start.within_s in its subject.toml.",
        )
