"""How to repeat the study: what to type, what it was made with, and the raw data next to the report."""

from collections.abc import Iterator, Mapping
from shlex import join, quote

from headtohead.model.analysis.results import Analysis
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.record import Recording
from headtohead.report.context import StudyContext
from headtohead.report.document import Heading, Section, Terms, Text
from headtohead.report.study.path_of_study_file import needs_own_folder, study_file
from headtohead.report.text.wording import plural

REPEAT = (
    "Everything here was computed from the files next to this report, and can be computed again from them, on "
    "any computer and without the servers. To repeat the measurement, copy the folder to a machine and run its study "
    "file with the same version of the package and of the programs: the seed gives the same order of the same runs. "
    "The values will be those of that machine. Two folders measured the same test if their checksums match."
)


def reproduce_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section on how to repeat the study, and its raw data."""
    blocks = (
        Text(REPEAT),
        Terms(reproduction_terms(study.analysis, study.recording), "again"),
        Heading("The raw data"),
        Terms(raw_data_terms(study.recording), "files"),
    )
    yield Section("How to repeat this", blocks, anchor="again", folded=True)


def reproduction_terms(analysis: Analysis, recording: Recording) -> tuple[tuple[str, str], ...]:
    """Return what is needed to make the report again: from the files, and by a new measurement."""
    plan = recording.plan
    return (
        ("Measure again", f"headtohead run {study_file(recording)}{_where(recording)}"),
        *((("As it was typed", f"headtohead race {join(recording.race)}"),) if recording.race else ()),
        ("Render from the files", f"headtohead report {quote(recording.name)}"),
        ("Compare with another folder", f"headtohead compare {quote(recording.name)} OTHER"),
        ("Package", f"headtohead {analysis.version}"),
        *_programs(recording),
        *_data(recording),
        *((f"Your own {path}, sha256", checksum) for path, checksum in plan.own.items()),
        ("Study, sha256", analysis.study_sha256),
        *((("Seal of the results", analysis.seal),) if analysis.seal else ()),
        ("Seed of the order", str(plan.seed)),
        ("Planned", plural(sum(len(each.runs) for each in plan.experiments), "run") + ", up to the last check"),
        *((f"Same test, {each.name}", each.same_test) for each in analysis.experiments),
        *_references(analysis),
    )


def _where(recording: Recording) -> str:
    return " (in its folder, where your own content is)" if needs_own_folder(recording) else ""


def _programs(recording: Recording) -> Iterator[tuple[str, str]]:
    """Yield the versions of each program that ran, one line each."""
    found = (pair for each in recording.runs for pair in each.run.versions.items())
    for name, version in dict.fromkeys(found):
        yield f"Program, {name}", version


def _data(recording: Recording) -> Iterator[tuple[str, str]]:
    """Yield the data sets that were used, with the checksum of each."""
    found = (_data_line(each.run.data) for each in recording.runs if each.run.data)
    yield from dict.fromkeys(found)


def _data_line(data: Mapping[str, Scalar]) -> tuple[str, str]:
    named = [f"{key} {scalar_text(data[key])}" for key in ("scale", "seed") if key in data]
    term = ", ".join(["Data set " + scalar_text(data.get("set", "not named")), *named, "sha256"])
    return term, scalar_text(data.get("sha256", "not recorded"))


def _references(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Yield the reference machines used, with the checksum of their figures."""
    references = [each.yardstick.reference for each in analysis.experiments if each.yardstick]
    for each in dict.fromkeys(references):
        yield f"Reference machine {each.name}, sha256 of its measurements.csv", each.measurements_sha256


def raw_data_terms(recording: Recording) -> tuple[tuple[str, str], ...]:
    """Return the files of the results folder and what each holds; of a run's files those that at least one run has."""
    kept = {name for each in recording.runs for name in each.run.files}
    if any(each.images for each in recording.runs):
        kept.add("images/")
    own = tuple((f"runs/NNNN/{name}", holds) for name, holds in _OF_A_RUN if name in kept)
    stated = recording.stated
    given = {"system.toml": stated.system, "system-NAME.toml": stated.servers, "prices.toml": stated.prices}
    people = tuple((name, holds) for name, holds in _GIVEN if given[name])
    sealed = _SEAL if recording.proof and recording.proof.seal else ()
    return (*_FOLDER, *sealed, *people, *(_RUN if recording.runs else ()), *own, *_MADE)


_FOLDER = (
    ("study.toml", "the questions, byte for byte as they were given"),
    ("plan.json", "every run in the random order, fixed before the first was made"),
    ("hosts.json", "the machine: every fact with where it was read"),
)
_SEAL = (("seal.json", "the sums of these files, and a chain over the runs: `headtohead verify` checks them"),)
_GIVEN = (
    ("system.toml", "what people gave about the machine and no probe reads: its price, its power"),
    ("system-NAME.toml", "the same for each server of a bench, by its label"),
    ("prices.toml", "the price of a GB sent and of a kWh, as people gave them"),
)
_RUN = (
    (
        "runs/NNNN/run.json",
        "one run: its phases, what was read back, versions, CPU by user, status and reasons, checksums of its files",
    ),
)
_OF_A_RUN = (
    ("records.jsonl", "what the load generator or the program reported of each case"),
    ("times.hlog", "every response time, as interval histograms (HdrHistogram)"),
    ("readings.csv", "the monitors: CPU, disk, network, memory while the run lasted"),
    ("configuration.tsv", "the settings that were in force"),
    ("images/", "what was drawn"),
)
_MADE = (
    ("measurements.csv", "one line for each run, case and metric, made from the runs: for a spreadsheet or a database"),
    ("analysis.json", "estimates, intervals, comparisons, verdicts and findings, made from the runs"),
)
