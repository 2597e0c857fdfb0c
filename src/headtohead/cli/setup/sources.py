"""Sources of Debian that studies compile: which are to be fetched, and fetching them."""

from collections.abc import Iterable

from headtohead.cli.wiring import Question, say
from headtohead.hosts.host import Host
from headtohead.hosts.paths import cache_dir
from headtohead.hosts.software import debian_sources
from headtohead.model.errors import HostError
from headtohead.model.study.subject import BUILD

TAKES_MB = 20
"""About what apt fetches: its lists of all sources, and one of them."""


def wanted_sources(questions: Iterable[Question], host: Host) -> tuple[str, ...]:
    """Return the packages whose source studies compile, and which are not in the cache."""
    named = {
        each.native.package: None
        for question in questions
        for each in question.subjects.values()
        if each.native is not None
        and any(factor == BUILD and level in each.native.builds for factor, level in question.levels(each))
    }
    return tuple(package for package in named if not _is_here(package, host))


def _is_here(package: str, host: Host) -> bool:
    try:
        debian_sources.read(cache_dir(), package, host=host)
    except HostError:
        return False
    return True


def announce(packages: Iterable[str]) -> None:
    """Show whose source is to be fetched."""
    for each in packages:
        say(f"The source of {each} comes from Debian (about {TAKES_MB} MB); the first run compiles it.")


def fetch_all(packages: Iterable[str], host: Host) -> dict[str, HostError]:
    """Fetch sources; return those that could not be had, each with the error."""
    wanted = tuple(packages)
    refused = debian_sources.fetch(wanted, cache=cache_dir(), host=host, show=say) if wanted else {}
    return {f"the source of {name}": error for name, error in refused.items()}
