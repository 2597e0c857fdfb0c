"""The requests of an http interface: ``[[request]]`` of workload.toml, each with its correct response."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headtohead.describe.toml.document import TomlFile
from headtohead.describe.toml.folder_paths import check_inside, existing_file
from headtohead.describe.toml.position import Place
from headtohead.describe.toml.typed import typed
from headtohead.describe.workload.own_files import expected
from headtohead.describe.workload.request_headers import check_headers
from headtohead.model.study.workload import OwnFile, Request

_OF_URLS = ("skew", "exponent")


def read_requests(written: TomlFile, folder: Path, own: Sequence[OwnFile] = ()) -> tuple[Request, ...]:
    """Return the request mix of a workload's folder; raises WordsError if none, or one cannot be sent or checked.

    ``own`` are the files of one's own that requests name.
    """
    tables, place = written.data.get("request", []), written.place
    if "expect" in written.data:
        why = "The correct response to a request is in its own [[request]]."
        raise place.wrong("[expect] does not belong here", why=why, remedy="Move it into [[request]].")
    if not tables:
        why = "A workload for an http/ interface lists its requests."
        raise place.wrong("no request", why=why, remedy="Write at least one [[request]].")
    seen: set[str] = set()
    for table in tables:
        where = place.at(f'request "{table["name"]}"')
        if table["name"] in seen:
            raise where.wrong(
                "two requests have the same name", why="Names distinguish the requests.", remedy="Rename one."
            )
        seen.add(table["name"])
        _check_paths(table, where)
        check_headers(table, where)
        if "file" not in table:
            _check_content(table["expect"], where)
            _check_files(table, where, folder=None if "data" in written.data else folder)
    return tuple(_read_request(table, own) for table in tables)


def _check_paths(table: Mapping[str, Any], place: Place) -> None:
    """Raise WordsError unless the request has one path, URLs or file, and no contradicting key."""
    if "file" in table:
        for word in ("path", "urls", "skew", "exponent", "expect", "method", "sends"):
            if word in table:
                why = "The path and the correct response to a request with a file follow from the file."
                raise place.at(word).wrong(f"{word} does not go with file", why=why, remedy=f"Remove {word}, or file.")
        return
    if "expect" not in table:
        why = "A response counts only if it is known to be correct."
        remedy = "Write expect = { status = 200, ... }, or file for a file of your own."
        raise place.at("expect").wrong("missing", why=why, remedy=remedy)
    if "path" in table and "urls" in table:
        why = "A request has either one path, or the URLs that a file of the data set lists."
        raise place.wrong(
            "both path and urls", why=why, remedy="Keep one of the two; a second [[request]] may have the other."
        )
    if "path" not in table and "urls" not in table:
        why = "A request has either one path, or the URLs that a file of the data set lists, or a file of your own."
        raise place.wrong("neither path nor urls", why=why, remedy='Write path = "/..." or urls = "...csv".')
    if "urls" in table:
        for word in ("length_bytes", "body", "sha256"):
            if word in table["expect"]:
                why = "The file of URLs has the length and the checksum of each correct response."
                raise place.at(f"expect.{word}").wrong(f"{word} does not go with urls", why=why, remedy="Remove it.")
    for word in _OF_URLS:
        if word in table and "urls" not in table:
            why = "There is one path, so no URL is drawn."
            raise place.at(word).wrong(f"{word} without urls", why=why, remedy="Remove it, or write urls.")
    if "exponent" in table and table.get("skew") != "zipf":
        skew = table.get("skew", Request.skew)
        why = f"The skew is {skew}; only Zipf's law has an exponent."
        raise place.at("exponent").wrong("an exponent without zipf", why=why, remedy='Write skew = "zipf".')


def _check_content(expect: Mapping[str, Any], place: Place) -> None:
    if "body" in expect and "sha256" in expect:
        why = "They state the same thing."
        raise place.at("expect.body").wrong("both body and sha256", why=why, remedy="Keep one of the two.")


def _check_files(table: Mapping[str, Any], place: Place, *, folder: Path | None) -> None:
    """Raise WordsError unless the files of a request are inside the data set, or in ``folder`` if there is none."""
    named = (("urls", table.get("urls")), ("expect.body", table["expect"].get("body")), ("sends", table.get("sends")))
    for word, name in named:
        if name is not None and folder is not None:
            existing_file(folder, name, place=place.at(word))
        elif name is not None:
            check_inside(name, place.at(word))


def _read_request(table: Mapping[str, Any], own: Sequence[OwnFile]) -> Request:
    """Return the request; with a body or URLs, every response is compared unless a sample is given."""
    for file in (each for each in own if each.name == table.get("file")):
        more = {"headers": table.get("headers", {})}
        return Request(table["name"], table["weight"], expected(file), f"/{file.name}", **more)
    sample = 1 if {"body", "sha256"} & table["expect"].keys() or "urls" in table else 0
    return typed(table, Request, expect={"sample": sample, **table["expect"]})
