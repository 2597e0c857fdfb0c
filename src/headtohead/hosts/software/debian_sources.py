"""Source packages of Debian in the cache: those of the versions that are installed, and fetching them.

Apt fetches them and checks its signatures, with lists and settings of its own in a temporary folder: what the system's
apt is set to stays as it is.
"""

import hashlib
import json
import os
import pwd
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from headtohead.hosts.cache_locks import making
from headtohead.hosts.file_owners import take_tree
from headtohead.hosts.host import Host
from headtohead.hosts.own_folder import own_folder
from headtohead.hosts.paths import PREFIX, this_owner
from headtohead.model.errors import HostError
from headtohead.model.machine.host import lacked
from headtohead.model.study.subject import BUILD, Subject

FOLDER = "sources"
FETCHED = "fetched.json"
ASK_WITHIN_S = 30.0
FETCH_WITHIN_S = 600.0
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
"""Debian's own keys: no other archive is taken for Debian's."""
LINE = f"deb-src [signed-by={KEYRING}] $(REPO_URI) $(RELEASE) $(COMPONENT)"
TARGETS = ("apt-get", "indextargets", "--format", LINE, "Created-By: Packages", "Origin: Debian")
APTS_USER = "_apt"
"""The user that apt's downloads run as."""


@dataclass(frozen=True)
class Source:
    """A source package that is here: its folder, and the checksum of each file in it.

    ``installed`` is the version that is installed, ``version`` that of the source. They differ in Debian's revision if
    the archive has no other one.
    """

    name: str
    installed: str
    version: str
    folder: Path
    files: Mapping[str, str]
    fetched_at: str

    @property
    def sha256(self) -> str:
        """What stands for all of its files."""
        listed = "".join(f"{sha256}  {file}\n" for file, sha256 in sorted(self.files.items()))
        return hashlib.sha256(listed.encode()).hexdigest()

    def text(self) -> str:
        """Return what ``fetched.json`` holds."""
        kept = {"source": self.name, "version": self.version, "fetched_at": self.fetched_at, "files": dict(self.files)}
        return json.dumps({"format": 1, **kept}, indent=1) + "\n"


def installed_source(package: str, *, host: Host) -> tuple[str, str]:
    """Return the name and the version of the source that an installed package was made from."""
    layout = "${db:Status-Status}\t${source:Package}\t${source:Version}\n"
    try:
        listing = host.run(("dpkg-query", "--show", f"--showformat={layout}", package), within_s=ASK_WITHIN_S)
    except HostError as error:
        raise _none_for(package, f"dpkg does not know {package}.") from error
    rows = [line.split("\t") for line in listing.splitlines()]
    for status, name, version in (row for row in rows if len(row) == 3):
        if status == "installed":
            return name, version
    raise _none_for(package, f"{package} is not installed.")


def place_of(cache: Path, name: str, installed: str) -> Path:
    """Return the folder in the cache of the source of an installed version."""
    return cache / FOLDER / f"{name}_{installed}".replace(":", "%3a")


def read(cache: Path, package: str, *, host: Host) -> Source:
    """Return the source of an installed package; HostError if it is not here, or no longer as it was fetched."""
    name, installed = installed_source(package, host=host)
    place = place_of(cache, name, installed)
    try:
        kept = json.loads((place / FETCHED).read_text())
        source = Source(name, installed, kept["version"], place, dict(kept["files"]), kept["fetched_at"])
        changed = [file for file, sha256 in source.files.items() if _sha256(place / file) != sha256]
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = f"The source of {name} {installed} is not in the cache."
        raise _none_for(package, why) from error
    if changed:
        raise _none_for(package, f"{place / changed[0]} was changed since it was fetched.")
    return source


def sources_lacking(
    subjects: Iterable[Subject], levels: Iterable[tuple[str, str]], *, cache: Path, host: Host, local: bool
) -> dict[str, str]:
    """Return why subjects of a study cannot be compiled here, by level and subject (``lacked``)."""
    asked = {level for factor, level in levels if factor == BUILD}
    return {
        lacked(BUILD, level, each.name): why
        for each in subjects
        if each.native is not None and asked.intersection(each.native.builds)
        if (why := _why_not(each.native.package, cache=cache, host=host, local=local)) is not None
        for level in each.native.builds
    }


def _why_not(package: str, *, cache: Path, host: Host, local: bool) -> str | None:
    if not local:
        return "a server of a bench compiles no source of Debian's"
    try:
        read(cache, package, host=host)
    except HostError as error:
        return f"{error.why} {error.remedy}"
    return None


def fetch(packages: Iterable[str], *, cache: Path, host: Host, show: Callable[[str], None]) -> dict[str, HostError]:
    """Fetch the sources of installed packages into the cache; return those that could not be had, with the error."""
    refused: dict[str, HostError] = {}
    with own_folder() as folder:
        apt = _Apt(folder, host)
        for package in packages:
            try:
                name, installed = installed_source(package, host=host)
                show(f"Fetching the source of {name} {installed} from Debian.")
                got = _fetch(name, installed, apt=apt, cache=cache)
            except HostError as error:
                refused[package] = error
            else:
                if got.version != got.installed:
                    show(f"Debian's archive has no source of {installed} of {name}; fetched {got.version} instead.")
    return refused


def _fetch(name: str, installed: str, *, apt: "_Apt", cache: Path) -> Source:
    place = place_of(cache, name, installed)
    place.parent.mkdir(parents=True, exist_ok=True)
    partial = place.parent / f"{PREFIX}{this_owner().run_id(1)}"
    with making(place):
        try:
            version, files = apt.first_obtainable(name, installed)
            partial.mkdir(mode=0o755)
            for file in files.iterdir():
                shutil.copyfile(file, partial / file.name)
            take_tree(partial)
            partial.chmod(0o755)
            sums = {file.name: _sha256(file) for file in sorted(partial.iterdir())}
            got = Source(name, installed, version, place, sums, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
            (partial / FETCHED).write_text(got.text())
            shutil.rmtree(place, ignore_errors=True)
            partial.rename(place)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return got


class _Apt:
    """Apt with lists and sources of its own in a folder; the lists are fetched once."""

    def __init__(self, folder: Path, host: Host) -> None:
        self._folder, self._host, self._ready = folder, host, False

    def first_obtainable(self, name: str, installed: str) -> tuple[str, Path]:
        """Return the version of a source that the archive gives, and the folder with its files.

        It is the installed one, else the latest revision of the same upstream version.
        """
        self._update()
        listing = self._run("apt-cache", "showsrc", "--only-source", name)
        listed = {line.partition(":")[2].strip() for line in listing.splitlines() if line.startswith("Version:")}
        refused = None
        for version in _candidates(installed, listed):
            try:
                return version, self._download(name, version)
            except HostError as error:
                refused = refused or error
        why = refused.why if refused else f"Its archive lists no source of {_upstream(installed)}."
        remedy = f"Upgrade the package to the version that Debian has now, and run setup again. It is {installed} here."
        raise HostError(f"Debian gives no source of {name} {installed}", why=why, remedy=remedy)

    def _download(self, name: str, version: str) -> Path:
        files = Path(tempfile.mkdtemp(dir=self._folder))
        files.chmod(0o755)
        with suppress(KeyError, PermissionError):  # without root, or without that user, all is done as one user
            os.chown(files, pwd.getpwnam(APTS_USER).pw_uid, -1)
        self._run("apt-get", "source", "--download-only", "--only-source", f"{name}={version}", at=files)
        return files

    def _update(self) -> None:
        if self._ready:
            return
        lines = self._host.run(TARGETS, within_s=ASK_WITHIN_S)
        if not lines.strip():
            raise HostError(
                "No source of Debian's can be fetched",
                why="apt's sources here name no archive of Debian, or its lists are empty.",
                remedy="Run `apt-get update`, or add Debian's archive to apt's sources.",
            )
        self._folder.chmod(0o755)
        for each in ("lists/partial", "cache/archives/partial"):
            (self._folder / each).mkdir(parents=True)
        (self._folder / "sources.list").write_text(lines)
        self._run("apt-get", "update", "--quiet", "--error-on=any")
        self._ready = True

    def _run(self, program: str, *words: str, at: Path | None = None) -> str:
        settings = (
            f"Dir::Etc::SourceList={self._folder}/sources.list",
            "Dir::Etc::SourceParts=/dev/null",
            f"Dir::State::Lists={self._folder}/lists",
            f"Dir::Cache={self._folder}/cache",
            "Acquire::Languages=none",
        )
        options = [word for each in settings for word in ("-o", each)]
        argv = ("env", f"--chdir={at or self._folder}", program, *options, *words)
        return self._host.run(argv, within_s=FETCH_WITHIN_S)


def _candidates(installed: str, listed: Iterable[str]) -> Iterator[str]:
    """Yield the installed version, then other revisions of the same upstream version, the latest first.

    >>> list(_candidates("1.22.1-9+deb12u10", ["1.22.1-9+deb12u9", "1.22.1-9+deb12u11", "1.24-1"]))
    ['1.22.1-9+deb12u10', '1.22.1-9+deb12u11', '1.22.1-9+deb12u9']
    """
    yield installed
    others = (each for each in listed if each != installed and _upstream(each) == _upstream(installed))
    yield from sorted(others, key=_in_order, reverse=True)


def _in_order(version: str) -> list[tuple[str, int]]:
    """Return a key that orders the revisions of one version: numbers in them count as numbers."""
    return [(text, int(number or 0)) for text, number in re.findall(r"([^0-9]*)([0-9]*)", version)]


def _upstream(version: str) -> str:
    """Return a version without Debian's revision.

    >>> _upstream("1:1.22.1-9+deb12u1")
    '1:1.22.1'
    """
    return version.rpartition("-")[0] or version


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _none_for(package: str, why: str) -> HostError:
    what = f"{package} cannot be compiled here"
    return HostError(what, why=why, remedy="Run `headtohead setup` with this study.")
