"""Programs compiled here from Debian's source, for the levels of the factor ``build``."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headtohead.execute.context.study_context import StudyContext
from headtohead.execute.prepare.build import carry_out, made_once, place_of_build
from headtohead.execute.prepare.versions import first_line
from headtohead.execute.subject.fill_templates import fill_argv
from headtohead.execute.supervise_process_of_run import NO_LIMITS, SupervisedRun
from headtohead.hosts.software.debian_sources import Source, read
from headtohead.model.quantity import Scalar
from headtohead.model.study.subject import BUILD, DISTRIBUTION, Subject
from headtohead.store.fingerprint import content_sha256

UNPACK = """
mkdir "$2"
tar --extract --file="$(echo "$1"/*.orig.tar.*)" --strip-components=1 --directory="$2"
tar --extract --file="$(echo "$1"/*.debian.tar.*)" --directory="$2"
cd "$2"
sed '/^ *#/d; /^ *$/d' debian/patches/series | while read -r each _; do
    patch --silent --no-backup-if-mismatch --strip=1 <"debian/patches/$each"
done
"""
"""Unpacks a source in the format 3.0 (quilt), as dpkg-source does, which moves folders from one into another: Landlock
lets no program of a run do that."""
DIGITS = 12
"""Of the checksum that stands for a source."""


@dataclass(frozen=True)
class NativeBuild:
    """A program compiled here: its folder, and what it was made from, by which compiler and with which flags."""

    folder: Path
    facts: str


def native_build(study_context: StudyContext, subject: Subject, settings: Mapping[str, Scalar]) -> NativeBuild | None:
    """Return the native build of a subject; build it unless the cache holds it. None at the distribution's level.

    Raises HostError if the source is not in the cache, and SubjectError if it cannot be compiled.
    """
    native, environment = subject.native, study_context.environment
    if native is None or settings[BUILD] == DISTRIBUTION:
        return None
    how = native.builds[str(settings[BUILD])]
    source = read(environment.cache, native.package, host=environment.host)
    compiler = first_line(environment, (how.compiler, "--version"))
    inputs = (source.sha256, compiler, how.flags, content_sha256(Path(subject.folder)))
    kept = place_of_build(environment, subject, inputs, texts=(how.flags,))

    def make(supervised: SupervisedRun, folder: Path, out: Path) -> None:
        study_context.show(f"Compiling {source.name} {source.version}; the program is kept for later studies.")
        supervised.supervisor.group("subject", NO_LIMITS)
        unpacked, what = supervised.run_dir / "unpacked", f"native build of subject {subject.name}"
        carry_out(
            supervised, ("sh", "-euc", UNPACK, "unpack", str(source.folder), str(unpacked)), what=what, name="unpack"
        )
        places = {"source": folder, "build": out, "run": supervised.run_dir, "unpacked": unpacked}
        words = {**{name: str(at) for name, at in places.items()}, "compiler": how.compiler, "flags": how.flags}
        carry_out(supervised, fill_argv(native.argv, words, where=f"[native] of subject {subject.name}"), what=what)

    folder = made_once(environment, subject, kept, make=make)
    return NativeBuild(folder, f"compiled here: {compiler}, {how.flags}, {_origin(source)}")


def _origin(source: Source) -> str:
    """Return the source and what stands for its files; with the installed version if that has another revision."""
    other = f" (installed: {source.installed})" if source.version != source.installed else ""
    return f"source {source.name} {source.version}{other} {source.sha256[:DIGITS]}"
