"""What a treatment names and the machine cannot give: levels, userlands, subjects that are not installed."""

from collections.abc import Iterator, Mapping

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Machine, lacked
from headtohead.model.machine.link import FACTOR as LINK
from headtohead.model.machine.settings import SYSCTL
from headtohead.model.machine.userland import userland_of
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.subject import BUILD, DISTRIBUTION


def check_given(levels: Mapping[str, Scalar], machine: Machine) -> None:
    """Raise LimitedError if the machine cannot give a level of a treatment."""
    if LINK in levels and any(name.startswith(f"{SYSCTL}net.") for name in levels):
        what, why = "a setting of the network over a link", "A link has networks of its own, with own settings."
        raise LimitedError(what, why=why, remedy="Remove one of the two.")
    if userland_of(levels) is not None and levels.get(BUILD, DISTRIBUTION) != DISTRIBUTION:
        what, why = "a native build in a userland", "It is compiled for the machine's own libraries."
        raise LimitedError(what, why=why, remedy="Remove one of the two.")
    for name, value in levels.items():
        if name == LINK and LINK in machine.lacks:
            why, remedy = machine.lacks[LINK], "Correct that, or set optional = true to leave it out here."
            what = "no link between server and client program can be made"
            raise LimitedError(what, why=_sentence(why), remedy=remedy)
        for key, what in _names(name, scalar_text(value), subject=str(levels["subject"])):
            if key in machine.lacks:
                remedy = f"Remove {name}, or set optional = true to leave the experiment out here."
                raise LimitedError(f"{what} cannot be given", why=_sentence(machine.lacks[key]), remedy=remedy)


def _names(name: str, level: str, *, subject: str) -> Iterator[tuple[str, str]]:
    """Yield the keys under which a machine may lack a level, each with what it is called in an error."""
    yield name, f"the factor {name}"
    yield f"{name}={level}", f"the level {name}={level}"
    yield lacked(name, level, subject), f"the level {name}={level}"


def check_installed(subject: str, machine: Machine) -> None:
    """Raise LimitedError if a subject is not installed."""
    missing, reason = machine.missing.get(subject), machine.unobtainable.get(subject)
    if missing is None and reason is None:
        return
    parts = (missing and _sentence(f"missing: {', '.join(missing)}"), reason and _sentence(reason))
    how = "Choose another subject" if reason else "Install it with `headtohead setup` and this study"
    what, why = f"the subject {subject} is not installed", " ".join(part for part in parts if part)
    raise LimitedError(what, why=why, remedy=f"{how}, or set optional = true to leave it out.")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
