"""A run of a batch program: one start for each combination of the case fields that its argv names."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.context.read_back_settings_and_usage import SETTLED_S, note_usage, read_back
from headtohead.execute.context.run_context import RunContext
from headtohead.execute.response_checks.batch_answers import check_answers
from headtohead.execute.run.images_from_programs import read_images
from headtohead.execute.run.walk_cases_repeat_excluded import Gate, walk
from headtohead.execute.subject.fill_templates import fill_argv, names
from headtohead.execute.subject.server import working_directory
from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.hosts.supervise.messages import Waited
from headtohead.model.case import Case
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Scalar
from headtohead.model.study.subject import Batch, Subject
from headtohead.store.convert import parsed
from headtohead.store.run.records import REASON_AT_MOST, record
from headtohead.store.untrusted.bounds import MOST_RECORDED_BYTES
from headtohead.store.untrusted.plain_files import open_plain

WITHIN_S = 1800.0
LOOK_EVERY_S = 1.0
PARSE_WITHIN_S = 60.0


@dataclass(frozen=True)
class BatchProgram:
    """A program of a subject in one run, started in a group; ``words`` fill its argv.

    ``watch`` raises an error if something else in the run fails. It is called each second while the program works, and
    once after its end, with the program's state.
    """

    subject: Subject
    batch: Batch
    supervised: SupervisedRun
    words: Mapping[str, Scalar]
    group: str = "subject"
    watch: Callable[[Waited], None] | None = None

    @property
    def called(self) -> str:
        """The name of the program in errors."""
        return self.subject.name if self.watch is None else f"The client program of {self.subject.name}"

    def starts(self, cases: Sequence[Case]) -> Iterator[tuple[Case, tuple[Case, ...]]]:
        """Yield, in the planned order, the fields that one start names and the cases that it walks."""
        fields = names(self.batch.argv)
        done: list[Case] = []
        for case in cases:
            named = case.only(fields)
            if named not in done:
                done.append(named)
                yield named, tuple(each for each in cases if named.covers(each))

    def begin(self, named: Case, walked: Sequence[Case], *, name: str) -> None:
        """Start the program for some cases; the file at ``@cases@`` lists them."""
        listed = self.supervised.give(_cases(name), "".join(f"{case.text}\n" for case in walked))
        words = {**self.words, **named, "cases": str(listed)}
        argv = fill_argv(self.batch.argv, words, where=f"subject {self.subject.name}")
        at = working_directory(self.batch, self.subject)
        self.supervised.begin(name, argv, group=self.group, cwd=at)

    def end(self, name: str) -> str | None:
        """Wait for the program; return why it refused, or None if it did the work.

        Raises SubjectError if it fails otherwise, or does not end.
        """
        ended = self._ended(name)
        if ended.exited and ended.code == 0:
            return None
        if ended.exited and (reason := self._refusal(name)):
            return reason
        how = f"ended with {ended.code if ended.signal is None else ended.signal}" if ended.exited else "did not end"
        room = self.supervised.low_space(self.supervised.run_dir)
        raise SubjectError(
            f"{self.called} {how}",
            why=f"{'; '.join(filter(None, (self.supervised.tail(name), room)))}.",
            remedy=f"See logs/{name}.err in the run's folder.",
        )

    def _ended(self, name: str) -> Waited:
        """Return the state of the program at its end, or at the time limit."""
        if self.watch is None:
            return self.supervised.supervisor.wait(name, within_s=WITHIN_S)
        for _ in range(round(WITHIN_S / LOOK_EVERY_S)):
            ended = self.supervised.supervisor.wait(name, within_s=LOOK_EVERY_S)
            self.watch(ended)
            if ended.exited:
                break
        return ended

    def _refusal(self, name: str) -> str | None:
        """Return the last line of standard error that is one of the subject's refusals."""
        said = self.supervised.read(self.supervised.output_files(name)[1]).splitlines()
        lines = [each.strip() for each in said if any(text in each for text in self.batch.refuses)]
        return lines[-1][:REASON_AT_MOST] if lines else None

    def records(self, name: str, walked: Sequence[Case]) -> list[dict[str, Any]]:
        """Return the program's records of the walked cases; raises SubjectError unless there is one per case."""
        text = self._filtered(name) if self.batch.parse else self.supervised.read(self.supervised.output_files(name)[0])
        if len(text) > MOST_RECORDED_BYTES:
            raise self._bad(f"its records have more than {MOST_RECORDED_BYTES // 1024} KiB")
        zero_ns = self.supervised.zero_ns
        try:
            found = [_relative(parsed(line), zero_ns) for line in text.splitlines() if line.strip()]
            recorded = sorted(record(each).case.text for each in found)
        except (KeyError, TypeError, ValueError) as error:
            raise self._bad(f"its output is not records ({type(error).__name__}: {error})") from error
        expected = sorted(case.text for case in walked)
        if recorded != expected:
            raise self._bad(f"it gave {', '.join(recorded) or 'nothing'}, not {', '.join(expected) or 'its only case'}")
        return found

    def _filtered(self, name: str) -> str:
        out, err = self.supervised.output_files(name)
        said_at, cases = self.supervised.here(out), self.supervised.input / _cases(name)
        words = {
            **self.words,
            "stdout": str(said_at),
            "stderr": str(self.supervised.here(err)),
            "cases": str(self.supervised.here(cases)),
        }
        argv = fill_argv(self.batch.parse or (), words, where=f"what parses the output of subject {self.subject.name}")
        if argv[0] == "python3":
            argv = [sys.executable, "-I", *argv[1:]]
        try:
            with open_plain(said_at, within=self.supervised.within(said_at, out)) as said:
                done = subprocess.run(
                    argv, stdin=said, capture_output=True, cwd=self.subject.folder, timeout=PARSE_WITHIN_S, check=False
                )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise self._bad(f"the filter failed: {error}") from error
        if done.returncode != 0:
            raise self._bad(f"the filter failed: {done.stderr.decode(errors='replace').strip()[-200:]}")
        return done.stdout.decode(errors="replace")

    def _bad(self, why: str) -> SubjectError:
        return SubjectError(
            f"The records of {self.called[:1].lower()}{self.called[1:]} cannot be used",
            why=f"{why}.",
            remedy="See the kept output under logs/ in the run's folder.",
        )


def _cases(name: str) -> str:
    return f"{name}.cases"


def run_batch(context: RunContext) -> None:
    """Start the batch program of a run for its cases, as often as its argv requires."""
    if context.subject.batch is None:
        raise SubjectError(
            f"{context.subject.name} is not a batch program", why="It has no [batch].", remedy="See its subject.toml."
        )
    log = context.log
    words = {**context.system().next().words, **workload_words(context)}
    program = BatchProgram(context.subject, context.subject.batch, context.supervised, words)

    def look() -> None:
        if not log.read_back:
            read_back(context)
            note_usage(context)

    walk_cases(context, program, look=look, gate=log.gate)
    note_usage(context)
    context.give_back({part.name: True for part in context.parts})
    check_answers(context)


def workload_words(context: RunContext) -> dict[str, Scalar]:
    """Return the extra template words for the program that parses the output."""
    return {"workload": context.study_context.workload(context.request.experiment).folder}


def walk_cases(context: RunContext, program: BatchProgram, *, look: Callable[[], None], gate: Gate) -> None:
    """Have a program walk the cases of a run; ``look`` is called at each start, once the program is working."""

    def once(named: Case, walked: Sequence[Case], name: str) -> list[dict[str, Any]]:
        program.begin(named, walked, name=name)
        program.supervised.supervisor.wait(name, within_s=SETTLED_S)
        look()
        reason = program.end(name)
        if reason is not None:
            return [{"format": 1, "record": "refused", "case": dict(case), "reason": reason} for case in walked]
        if program.batch.keeps:
            context.log.images |= read_images(_written(program.supervised), program.batch.keeps)
        return program.records(name, walked)

    walk(context, list(program.starts(context.request.planned.cases)), once, gate=gate)


def _written(supervised: SupervisedRun) -> Path:
    """Return the folder here of what programs wrote into their own: itself, or copies of its plain files."""
    names = supervised.environment.files.names(supervised.run_dir)
    copies = [supervised.here(supervised.run_dir / name) for name in names]
    return copies[0].parent if copies else supervised.run_dir


def _relative(document: dict[str, Any], zero_ns: int) -> dict[str, Any]:
    """Return a record with its times (absolute on the monotonic clock) converted to times since the run's start."""
    if not isinstance(document, dict):
        raise TypeError("a record is not a table")
    stamped = {key: document[key] - zero_ns for key in ("from_ns", "to_ns") if document.get(key) is not None}
    return {**document, **stamped}
