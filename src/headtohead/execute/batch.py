"""A program without a server: started once for each combination of the case fields that its argv names."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.fill import fill_argv, names
from headtohead.execute.stand import Stand
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Case, Scalar, case_text
from headtohead.model.subject import Batch, Subject

WITHIN_S = 1800.0
PARSE_WITHIN_S = 60.0


@dataclass(frozen=True)
class Work:
    """A batch subject in one run; ``words`` fill its argv."""

    subject: Subject
    batch: Batch
    stand: Stand
    words: Mapping[str, Scalar]

    def starts(self, cases: Sequence[Case]) -> Iterator[tuple[Case, tuple[Case, ...]]]:
        """Yield, in the drawn order, the fields that one start names and the cases that it then walks."""
        asked = names(self.batch.argv)
        done: list[Case] = []
        for case in cases:
            named = {key: value for key, value in case.items() if key in asked}
            if named not in done:
                done.append(named)
                yield named, tuple(each for each in cases if {k: each[k] for k in named} == named)

    def begin(self, named: Case, walked: Sequence[Case], *, name: str) -> None:
        """Start the program for some cases; their list lies in the file that ``@cases@`` names."""
        listed = self.stand.run_dir / f"{name}.cases"
        listed.write_text("".join(f"{case_text(case)}\n" for case in walked), encoding="utf-8")
        words = {**self.words, **named, "cases": str(listed)}
        argv = fill_argv(self.batch.argv, words, where=f"subject {self.subject.name}")
        self.stand.begin(name, argv, group="subject")

    def end(self, name: str) -> None:
        """Wait for the program; SubjectError where it fails or never ends."""
        ended = self.stand.supervisor.wait(name, within_s=WITHIN_S)
        if ended.exited and ended.code == 0:
            return
        how = f"ended with {ended.code if ended.signal is None else ended.signal}" if ended.exited else "did not end"
        raise SubjectError(
            f"{self.subject.name} {how}",
            why=f"{self.stand.tail(name)}.",
            remedy=f"See logs/{name}.err in the run's folder.",
        )

    def records(self, name: str, walked: Sequence[Case]) -> list[dict[str, Any]]:
        """Return the program's records of the walked cases; SubjectError for a missing, doubled or unasked case."""
        out, err = self.stand.said(name)
        text = self._parsed(out, err) if self.batch.parse else out.read_text(encoding="utf-8", errors="replace")
        try:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
            told = sorted(case_text(each["case"]) for each in found)
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            raise self._bad(f"its output is not records ({error})") from error
        asked = sorted(case_text(case) for case in walked)
        if told != asked:
            raise self._bad(
                f"it told of {', '.join(told) or 'nothing'} where {', '.join(asked) or 'its only case'} was asked"
            )
        zero_ns = self.stand.zero_ns
        return [_relative(each, zero_ns) for each in found]

    def _parsed(self, out: Path, err: Path) -> str:
        words = {**self.words, "stdout": str(out), "stderr": str(err)}
        argv = fill_argv(self.batch.parse or (), words, where=f"[batch] parse of subject {self.subject.name}")
        if argv[0] == "python3":
            argv = [sys.executable, "-I", *argv[1:]]
        with out.open("rb") as said:
            done = subprocess.run(
                argv, stdin=said, capture_output=True, cwd=self.subject.folder, timeout=PARSE_WITHIN_S, check=False
            )
        if done.returncode != 0:
            raise self._bad(f"the filter failed: {done.stderr.decode(errors='replace').strip()[-200:]}")
        return done.stdout.decode()

    def _bad(self, why: str) -> SubjectError:
        return SubjectError(
            f"The records of {self.subject.name} cannot be used",
            why=f"{why}.",
            remedy="See the kept output under logs/ in the run's folder.",
        )


def _relative(document: dict[str, Any], zero_ns: int) -> dict[str, Any]:
    """Return a record whose own instants, absolute on the monotonic clock, count from the run's start."""
    stamped = {key: document[key] - zero_ns for key in ("from_ns", "to_ns") if document.get(key) is not None}
    return {**document, **stamped}
