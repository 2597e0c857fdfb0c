"""Workloads: ``workloads/<name>/workload.toml``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headtohead.describe.factors.counted_words import is_count
from headtohead.describe.factors.levels import read_factors
from headtohead.describe.factors.templates import RESERVED
from headtohead.describe.home import WORKLOAD_FILE, Home, find_home
from headtohead.describe.interfaces import is_work, kind_of
from headtohead.describe.toml.document import TomlFile, read_toml
from headtohead.describe.toml.folder_paths import existing_file
from headtohead.describe.toml.position import Place, toml_text
from headtohead.describe.workload.client_factors import check_known, check_load_fits
from headtohead.describe.workload.loads import read_load
from headtohead.describe.workload.own_files import SERVED, own_data
from headtohead.describe.workload.queries import read_queries
from headtohead.describe.workload.requests import read_requests
from headtohead.describe.workload.steps import read_session
from headtohead.describe.workload.summaries import read_summaries
from headtohead.describe.workload.write_queries import check_states, check_writes
from headtohead.model.case import Case
from headtohead.model.quantity import Metric, Scalar
from headtohead.model.study.size_words import is_size
from headtohead.model.study.workload import BatchExpect, DataSet, Load, Workload


def read_all(home: Home, metrics: Mapping[str, Metric]) -> Mapping[str, Workload]:
    """Return every workload by its name; raises WordsError for the first wrong one."""
    return {name: read_workload(folder, metrics, home=home) for name, folder in home.known_workloads().items()}


def read_workload(folder: Path, metrics: Mapping[str, Metric], *, home: Home | None = None) -> Workload:
    """Return the workload that a folder describes; raises WordsError if workload.toml is wrong."""
    return read_with_load(folder, metrics, home=home or find_home())[0]


def read_with_load(folder: Path, metrics: Mapping[str, Metric], *, home: Home) -> tuple[Workload, Mapping[str, Any]]:
    """Return the workload, and its ``[load]`` as written, for a study to change."""
    written = read_toml(folder / WORKLOAD_FILE, "workload", home=home)
    data, place = written.data, written.place
    if data["name"] != folder.name:
        why = f"Its folder is named {folder.name}."
        raise place.at("name").wrong(
            f'"{data["name"]}" is not the name of the folder', why=why, remedy="Make the two names equal."
        )
    kind = kind_of(data["asks"])
    _check_belongs(written, kind)
    factors = read_factors(data.get("factors", {}), place)
    check_known(factors, asks=data["asks"], place=place)
    _check_fields(data["load"], factors, place=place)
    session = read_session(written, folder) if kind == "http" else None
    read = _read_data(written, folder, home)
    load = read_load(data["load"], asks=data["asks"], session=session, place=place)
    workload = Workload(
        name=data["name"],
        version=data["version"],
        title=data["title"],
        asks=data["asks"],
        folder=str(folder.resolve()),
        data=read,
        factors=factors,
        load=load,
        requests=read_requests(written, folder, read.files if read else ())
        if kind == "http" and session is None
        else (),
        session=session,
        expect=_read_expect(written, folder, home=home) if is_work(data["asks"]) else None,
        summaries=read_summaries(data["summary"], load, metrics=metrics, place=place),
        queries=read_queries(written) if kind == "sql" else (),
        disk_mib=_read_disk(data.get("disk_mib", ()), load, place=place.at("disk_mib")),
        files_from=str(folder.resolve()) if read and read.files else "",
    )
    check_states(factors, workload.data, place=place)
    check_writes(workload, place)
    check_load_fits(workload, (), load=load, place=place)
    return workload, data["load"]


def _check_fields(load: Mapping[str, Any], factors: Mapping[str, object], *, place: Place) -> None:
    for field in load:
        if field in RESERVED or field in factors:
            why = "Each name has one meaning in templates."
            raise place.at(f"load.{field}").wrong(f'"{field}" is taken', why=why, remedy="Give the field another name.")


def _read_disk(written: Sequence[str | float], load: Load, *, place: Place) -> tuple[str | float, ...]:
    """Return the factors of a case's disk space; raises WordsError for a field of the load that is not a number."""
    given = {**{name: (value,) for name, value in load.settings.items()}, **load.cases}
    for name in (each for each in written if isinstance(each, str)):
        if name not in given:
            raise place.unknown("field", name, known=given, owner="this load")
        words = [each for each in given[name] if is_count(name, each) or is_size(name, each)]
        texts = [each for each in given[name] if isinstance(each, str | bool) and each not in words]
        if texts:
            why = f"It is {toml_text(texts[0])} in the load."
            raise place.wrong(f"{name} is not a number", why=why, remedy="Name fields that are numbers.")
    return tuple(written)


def _read_data(written: TomlFile, folder: Path, home: Home) -> DataSet | None:
    """Return the data of a workload: a generated set, or the files that its requests name; None if it has neither."""
    place, table = written.place, written.data.get("data")
    own = own_data(written.data.get("request", ()), folder, place)
    if own is not None:
        if written.data["asks"] not in SERVED:
            why = f"Servers of {written.data['asks']} do not serve the files of a folder; those of {SERVED[0]} do."
            raise place.at("asks").wrong(
                "file does not go with this interface", why=why, remedy="Write path and expect."
            )
        if table is not None:
            why = "Servers serve either the data set, or the files that requests name."
            raise place.at("data").wrong("data does not go with file", why=why, remedy="Remove one of the two.")
    if table is None:
        return own
    known = home.known_datasets()
    if table["set"] not in known:
        raise place.at("data.set").unknown("data set", table["set"], known=known)
    apart = known[table["set"]].parent != home.datasets
    return DataSet(set=table["set"], scale=table["scale"], seed=table["seed"], state=table["state"], own=apart)


def _check_belongs(written: TomlFile, kind: str) -> None:
    """Raise WordsError for requests or queries of another kind of interface."""
    for word, owner in (("request", "http"), ("step", "http"), ("query", "sql")):
        if word in written.data and kind != owner:
            work = is_work(written.data["asks"])
            why = "Batch work has only cases." if work else f"It is only for {owner}/ interfaces."
            raise written.place.wrong(f"[[{word}]] does not belong here", why=why, remedy="Remove it.")


def _read_expect(written: TomlFile, folder: Path, *, home: Home) -> BatchExpect:
    place = written.place.at("expect")
    table: Mapping[str, Any] | None = written.data.get("expect")
    if table is None:
        why = "A time counts only with a checked answer."
        raise place.wrong("missing", why=why, remedy='Write [expect] with answer = "..." or file = "answers.toml".')
    if ("answer" in table) == ("file" in table):
        raise place.wrong(
            "not exactly one of answer and file",
            why="The answers come from one place.",
            remedy="Give either answer or file.",
        )
    if "answer" in table:
        if "tolerance" in table:
            raise place.wrong(
                "a tolerance for a text", why="A text is right or wrong, never close.", remedy="Remove tolerance."
            )
        return BatchExpect(answer=table["answer"], answers={}, tolerance=0.0)
    path = existing_file(folder, table["file"], place=written.place.at("expect.file"))
    answers: Mapping[str, Scalar] = read_toml(path, "answers", home=home).data["answers"]
    by_case = {Case.parse(text): answer for text, answer in answers.items()}
    return BatchExpect(answer=None, answers=by_case, tolerance=float(table.get("tolerance", 0)))
