"""Whether the subjects of an experiment can run in a userland."""

from collections.abc import Collection, Mapping

from headtohead.describe.toml.position import Place
from headtohead.model.machine.userland import FACTOR
from headtohead.model.study.subject import Subject


def check_userlands(factors: Collection[str], subjects: Mapping[str, Subject], place: Place) -> None:
    """Raise WordsError unless every subject of an experiment with the factor can run in a userland."""
    for name, subject in subjects.items() if FACTOR in factors else ():
        why = _why_not(subject)
        if why is not None:
            where = place.at(f"factors.{FACTOR}")
            remedy = f"Remove {FACTOR}, or choose a server or a program that needs only packages of Debian."
            raise where.wrong(f'"{name}" cannot run in a userland', why=why, remedy=remedy)


def _why_not(subject: Subject) -> str | None:
    programs = [each for each in (subject.start, subject.batch) if each is not None]
    if subject.needs:
        return "It needs another subject, and both would need the packages of both."
    if subject.client is not None:
        return "It works in the process of our client, which is built for this machine's own files."
    if any(each.directory is not None for each in programs):
        return "It runs in a folder of this machine, which the userland does not have."
    if subject.start is not None and subject.start.attach is not None:
        return "It already runs, and no run starts it."
    if not subject.install.debian:
        return "Its subject.toml names no packages of Debian (install.debian)."
    return None
