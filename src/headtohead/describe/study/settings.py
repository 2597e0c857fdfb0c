"""Levels of the settings of the system: what a study may ask for; what a machine has is checked when it plans."""

import re

from headtohead.describe.toml.position import Place, nearest, toml_text
from headtohead.model.machine.settings import NOFILE, SYSCTL, SYSCTLS, is_setting
from headtohead.model.quantity import Scalar

_TEXT = re.compile(r"[A-Za-z0-9._-]+( [A-Za-z0-9._-]+)*")
_FEWEST_FILES = 64
"""Below this even a shell with its libraries and logs may fail to start."""
_MOST_FILES = 1 << 30


def is_described(name: str) -> bool:
    """Return whether the levels of a factor are checked here."""
    return name == NOFILE or is_setting(name)


def check_name(name: str, place: Place) -> None:
    """Raise WordsError for a setting of /proc/sys that may not be changed."""
    sysctl = name.removeprefix(SYSCTL)
    if sysctl == name or any(sysctl.startswith(each) for each in SYSCTLS):
        return
    why = f"Those whose names begin so may be changed: {', '.join(SYSCTLS)}."
    raise place.wrong(f'"{name}" is no factor', why=why, remedy=nearest(sysctl, SYSCTLS) or "Choose one of these.")


def check_setting(name: str, value: Scalar, place: Place) -> None:
    """Raise WordsError for a level that is no value of such a setting."""
    if name == NOFILE:
        if isinstance(value, bool) or not isinstance(value, int) or not _FEWEST_FILES <= value <= _MOST_FILES:
            why = f"It is the most files that each process may have open: from {_FEWEST_FILES}."
            raise place.wrong(
                f"{toml_text(value)} is not a limit of open files",
                why=why,
                remedy="For example nofile = [1024, 65536].",
            )
    elif isinstance(value, bool | float) or not _TEXT.fullmatch(str(value)):
        why = "A level is what the kernel prints: a whole number, a word, or several of them as a text."
        remedy = f'For example "{name}" = ["4096 131072 6291456"].'
        raise place.wrong(f"{toml_text(value)} is not a value of {name}", why=why, remedy=remedy)
