"""Subjects: ``subjects/<name>/subject.toml``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headtohead.describe.home import Home, find_home
from headtohead.describe.inside import check_inside, existing, folders
from headtohead.describe.interfaces import over_tls
from headtohead.describe.levels import read_factors
from headtohead.describe.needs import check_factors, check_needs
from headtohead.describe.place import Place
from headtohead.describe.written import read_written
from headtohead.model.subject import Argv, Batch, Check, Install, Prepare, Start, Step, Stop, Subject

FILE = "subject.toml"

_TLS_REACH = (
    ("tls_url", "a driver reaches it there", "https://localhost:@port@"),
    ("ca", "a driver trusts the certificates in this PEM file", "@run@/ca.pem"),
)
"""The fields of [reach] that an interface over TLS takes, why, and an example."""


def read_all(home: Home) -> Mapping[str, Subject]:
    """Return every subject by its name; raises WordsError for the first that is wrong."""
    subjects = {name: read_subject(home.subjects / name, home=home) for name in folders(home.subjects, FILE)}
    for subject in subjects.values():
        check_needs(subject, subjects, home=home)
    return subjects


def read_subject(folder: Path, *, home: Home | None = None) -> Subject:
    """Return the subject that a folder describes.

    Raises WordsError where subject.toml is wrong, or names a file that is not in the folder. What its templates use
    is checked with the workload that it is to serve: only that one knows the case fields.
    """
    written = read_written(folder / FILE, "subject", home=home or find_home())
    data, place = written.data, written.place
    _check_whole(data, folder, place=place)
    serves = tuple(data["serves"])
    factors = read_factors(data.get("factors", {}), place)
    check_factors(data.get("needs", {}), factors, place=place)
    return Subject(
        name=data["name"],
        title=data["title"],
        serves=serves,
        folder=str(folder.resolve()),
        install=_read_install(data.get("install", {})),
        factors=factors,
        start=_Files(folder, serves, place=place).start(data["start"]) if "start" in data else None,
        stop=_read_stop(data.get("stop", {})),
        batch=_read_batch(data["batch"]) if "batch" in data else None,
        build=_argv(data.get("build", {}).get("argv")),
        prepare=_Files(folder, serves, place=place).prepare(data["prepare"]) if "prepare" in data else None,
        reach=data.get("reach", {}),
        floor=data.get("floor", False),
        warm_up_s=float(data.get("warm_up_s", 0)),
        needs=data.get("needs", {}),
    )


def _check_whole(data: Mapping[str, Any], folder: Path, *, place: Place) -> None:
    """Raise WordsError for what the schema cannot see: the tables that belong together."""
    if data["name"] != folder.name:
        why = f"Its folder is named {folder.name}."
        raise place.at("name").wrong(f'"{data["name"]}" is another name', why=why, remedy="Make the two equal.")
    kinds = {interface.partition("/")[0] for interface in data["serves"]}
    if "batch" in kinds and len(kinds) > 1:
        why = "A program without a server serves nothing but batch/ interfaces."
        raise place.at("serves").wrong("a server and a program", why=why, remedy="Make two subjects of it.")
    wanted, other = ("batch", "start") if "batch" in kinds else ("start", "batch")
    if wanted not in data or other in data:
        why = f"What serves {data['serves'][0]} has [{wanted}] and no [{other}]."
        problem = f"[{wanted}] is missing" if wanted not in data else f"[{other}] does not belong here"
        raise place.wrong(problem, why=why, remedy=f"Write [{wanted}] alone.")
    _check_reach(data, place)
    _check_prepare(data, place)


def _check_reach(data: Mapping[str, Any], place: Place) -> None:
    """Raise WordsError where a driver could not reach the subject by what [reach] says."""
    reach, where = data.get("reach", {}), place.at("reach")
    if any(interface.startswith("http/") for interface in data["serves"]) and "url" not in reach:
        why = "A driver reaches an http subject by its url."
        raise where.wrong('"url" is missing', why=why, remedy='Write url = "http://127.0.0.1:@port@".')
    secure = [interface for interface in data["serves"] if over_tls(interface)]
    for word, what, example in _TLS_REACH:
        if secure and word not in reach:
            why = f"{secure[0]} is asked over TLS: {what}."
            raise where.wrong(f'"{word}" is missing', why=why, remedy=f'Write {word} = "{example}".')
    if "tls_url" in reach and not reach["tls_url"].startswith("https://localhost:"):
        why = "The name in the certificate is checked, and localhost is what stands in it."
        raise place.at("reach.tls_url").wrong(
            "another host", why=why, remedy='Write tls_url = "https://localhost:@port@".'
        )


def _check_prepare(data: Mapping[str, Any], place: Place) -> None:
    table = data.get("prepare", {})
    for step in ("load", "check"):
        if step in table and "batch" in data:
            why = "It runs while the subject serves, and a program without a server never does."
            raise place.at(f"prepare.{step}").wrong("nothing serves", why=why, remedy="Do it in prepare.init.")
    if "check" in table and "load" not in table and "init" not in table:
        why = "A check is of what init and load made."
        raise place.at("prepare").wrong("nothing is prepared", why=why, remedy="Write load = ..., or remove check.")


class _Files:
    """Reads the tables that name files of the subject's folder."""

    def __init__(self, folder: Path, serves: tuple[str, ...], *, place: Place) -> None:
        self._folder = folder
        self._serves = serves
        self._place = place

    def start(self, table: Mapping[str, Any]) -> Start:
        place = self._place.at("start.files")
        for source, name in table.get("files", {}).items():
            self._exists(source, place)
            check_inside(name, place)
        ready = table["ready"]
        return Start(
            files=table.get("files", {}),
            argv=tuple(table["argv"]),
            ready_http=ready.get("http"),
            ready_argv=_argv(ready.get("argv")),
            warm=self._step(table.get("warm"), "start.warm"),
            within_s=float(table["within_s"]),
        )

    def prepare(self, table: Mapping[str, Any]) -> Prepare:
        return Prepare(
            init=self._step(table.get("init"), "prepare.init"),
            load=self._step(table.get("load"), "prepare.load"),
            check=self._check(table.get("check")),
        )

    def _check(self, table: Mapping[str, Any] | None) -> Check | None:
        if table is None:
            return None
        check_inside(table["expect"], self._place.at("prepare.check.expect"))
        argv, source = tuple(table["argv"]), table.get("input")
        if source is not None:
            self._exists(source, self._place.at("prepare.check.input"))
        return Check(step=Step(argv=argv, input=source), expect=table["expect"])

    def _step(self, written: list[str] | Mapping[str, Any] | None, where: str) -> Step | None:
        if written is None:
            return None
        if isinstance(written, list):
            return Step(argv=tuple(written))
        if "input" in written:
            self._exists(written["input"], self._place.at(f"{where}.input"))
        return Step(argv=tuple(written["argv"]), input=written.get("input"))

    def _exists(self, name: str, place: Place) -> None:
        """Check a file, for each interface where its name holds ``@interface@``; there ``/`` is written ``-``."""
        for interface in self._serves:
            existing(self._folder, name.replace("@interface@", interface.replace("/", "-")), place=place)


def _read_install(table: Mapping[str, Any]) -> Install:
    return Install(debian=tuple(table.get("debian", ())), version=_argv(table.get("version")))


def _read_stop(table: Mapping[str, Any]) -> Stop:
    standard = Stop()
    within_s = float(table.get("within_s", standard.within_s))
    return Stop(signal=table.get("signal", standard.signal), within_s=within_s)


def _read_batch(table: Mapping[str, Any]) -> Batch:
    return Batch(argv=tuple(table["argv"]), parse=_argv(table.get("parse")))


def _argv(written: list[str] | None) -> Argv | None:
    return None if written is None else tuple(written)
