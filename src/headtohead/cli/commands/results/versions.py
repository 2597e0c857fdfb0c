"""Whether a possible change of a history is one: the race of the versions before and after it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from headtohead.analyze.study import analyze
from headtohead.cli.commands.run import Wanted, measured
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.facts_and_prices import read_stated_files, recording_of
from headtohead.cli.stopped_by_signals import stopped_by_signals
from headtohead.cli.wiring import read_question, say
from headtohead.describe.home import find_home
from headtohead.describe.race.content import STUDY, write_files
from headtohead.describe.race.versions import REMEDY, KeptRace, race_of_versions
from headtohead.hosts.own_folder import own_folder
from headtohead.model.analysis.history import HistorySeries, LevelChange, VersionsRace
from headtohead.model.analysis.results import Analysis
from headtohead.model.errors import HeadToHeadError, RecordError, SubjectError, WordsError
from headtohead.model.record import Recording
from headtohead.store.fingerprint import content_sha256
from headtohead.store.layout import Layout
from headtohead.store.untrusted.plain_files import read_plain

VERIFIED = "verified"
"""The folder, next to the sessions, that holds the races of two versions."""
MOST_FILES = 100


@dataclass(frozen=True)
class SessionFolder:
    """A results folder of a history, as it was read."""

    path: Path
    recording: Recording

    def subject(self, series: HistorySeries) -> str:
        """Return the subject that the series is about."""
        planned = next(each for each in self.recording.plan.experiments if each.name == series.experiment)
        return planned.treatment(series.other).subject

    def kept(self, subject: str) -> KeptRace:
        """Return the files of a race; RecordError if they are not those that were measured."""
        layout = Layout(self.path)
        if not layout.content.is_dir():
            return KeptRace({}, 0.0)
        try:
            files = dict(_files(layout))
            study = read_plain(layout.study, within=layout.root)
            began = datetime.fromisoformat(min(each.run.started_at for each in self.recording.runs))
        except (OSError, ValueError) as error:
            raise _refused(f"the content of {self.recording.name} cannot be read ({error})") from error
        sums = self.recording.plan.own.get(f"subjects/{subject}")
        if files.get(STUDY) != study or sums != content_sha256(layout.content / "subjects" / subject):
            raise _refused(f"the content of {self.recording.name} is not what was measured")
        return KeptRace(files, began.timestamp())


def with_races(
    series: HistorySeries, sessions: Mapping[str, SessionFolder], *, verify: bool, wait: bool
) -> HistorySeries:
    """Return a series whose changes have the race of their versions: made earlier or, with ``verify``, now.

    A change whose versions cannot be raced states why.
    """
    changes = (_with_race(each, series, sessions, verify=verify, wait=wait) for each in series.changes)
    return replace(series, changes=tuple(changes))


def _with_race(
    change: LevelChange,
    series: HistorySeries,
    sessions: Mapping[str, SessionFolder],
    *,
    verify: bool,
    wait: bool,
) -> LevelChange:
    before, after = (sessions[each] for each in (change.before, change.after))
    subject = after.subject(series)
    try:
        files = race_of_versions(before.kept(subject), after.kept(subject), subject)
        results = after.path.parent / VERIFIED
        race = _earlier(files[STUDY], results)
        if race is None and verify:
            say(f"Racing the versions of {subject} of {change.before} and {change.after}.")
            race = _now(files, results, wait=wait)
    except (RecordError, SubjectError, WordsError) as error:
        return replace(change, why_not=error.why if isinstance(error, RecordError) else f"{error.what}: {error.why}")
    return replace(change, race=race)


def _files(layout: Layout) -> Iterator[tuple[str, bytes]]:
    """Yield the content of a race, which may be a stranger's: plain files only, and not many."""
    paths = [each for each in layout.content.rglob("*") if not each.is_dir()]
    for path in paths[:MOST_FILES]:
        yield path.relative_to(layout.content).as_posix(), read_plain(path, within=layout.root)


def _earlier(study: bytes, results: Path) -> VersionsRace | None:
    """Return the newest ended race of this study among the results."""
    for found in sorted(results.glob("*/end.json"), key=lambda each: each.stat().st_mtime, reverse=True):
        layout = Layout(found.parent)
        if layout.study.is_file() and layout.study.read_bytes() == study:
            try:
                with consistent([layout.root]):
                    return _outcome(layout.root, analyze(recording_of(layout.root)))
            except HeadToHeadError as error:
                say(f"Left out: {layout.root} ({error.why.rstrip('.')})")
    return None


def _now(files: Mapping[str, bytes], results: Path, *, wait: bool) -> VersionsRace:
    results.mkdir(exist_ok=True)
    with stopped_by_signals(), own_folder() as folder:
        write_files(files, folder)
        facts_and_prices = read_stated_files(None, None, home=find_home(), ours=True)
        wanted = Wanted(results, None, None, facts_and_prices, wait=wait, content=files)
        layout, _, analysis = measured(read_question(folder / STUDY), wanted)
    return _outcome(layout.root, analysis)


def _outcome(root: Path, analysis: Analysis) -> VersionsRace:
    (experiment,) = analysis.experiments
    (comparison,) = experiment.comparisons
    return VersionsRace(str(root), comparison.verdict, comparison.ratio)


def _refused(why: str) -> RecordError:
    return RecordError("The two versions cannot be raced again", why=why, remedy=REMEDY)
