"""Whether a subject's programs name the folder of the subject itself, which is then copied for them."""

from collections.abc import Iterator

from headtohead.execute.subject.fill_templates import names
from headtohead.model.study.subject import Argv, Subject

SOURCE = "source"
"""The template word for a copy of the subject's own folder: the subjects' user may not reach the repository."""


def names_source(subject: Subject) -> bool:
    """Return whether a program of the subject, or its ``reach``, names its folder, apart from its build."""
    return any(SOURCE in names(texts) for texts in (*_argvs(subject), tuple(subject.reach.values())))


def _argvs(subject: Subject) -> Iterator[Argv]:
    begins, prepare = subject.start or subject.client or subject.batch, subject.prepare
    yield () if subject.driver is None else subject.driver.argv
    steps = [subject.configuration, subject.counters, None if subject.start is None else subject.start.warm]
    if prepare is not None:
        steps += [prepare.init, prepare.load, None if prepare.check is None else prepare.check.step]
    yield from (step.argv for step in steps if step is not None)
    yield () if begins is None else begins.argv
    yield (subject.start.ready.argv or ()) if subject.start is not None else ()
