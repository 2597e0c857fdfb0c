"""What programs say about their version."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.subject.fill_templates import fill_argv
from headtohead.execute.supervise_process_of_run import NO_LIMITS, new_run
from headtohead.model.quantity import Scalar
from headtohead.model.record import NOT_STATED
from headtohead.model.study.subject import Subject

WITHIN_S = 10.0


def version_argv(subject: Subject, words: Mapping[str, Scalar]) -> tuple[str, ...]:
    """Return the subject's version command with these words; empty if it has none."""
    return tuple(fill_argv(subject.install.version or (), words, where=f"version of subject {subject.name}"))


def version(environment: Environment, argv: Sequence[str], *, facts: str = "", root: Path | None = None) -> str:
    """Return the first line that a version command prints, in a userland with its root, and then the facts."""
    line = first_line(environment, argv, root=root)
    return f"{line} ({facts})" if facts else line


def first_line(environment: Environment, argv: Sequence[str], *, root: Path | None = None) -> str:
    """Return the first line that a program prints which is not empty."""
    if not argv:
        return NOT_STATED
    with new_run(environment, userland=root) as supervised:
        supervised.supervisor.group("subject", NO_LIMITS)
        supervised.begin("version", argv, group="subject")
        supervised.supervisor.wait("version", within_s=WITHIN_S)
        said = "\n".join(supervised.read(path) for path in supervised.output_files("version"))
    return next((line.strip() for line in said.splitlines() if line.strip()), NOT_STATED)
