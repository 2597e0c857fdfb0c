"""The requests of an http interface: ``[[request]]`` of workload.toml, each with its correct response."""

from collections.abc import Mapping
from typing import Any

from headtohead.describe.toml.document import TomlFile
from headtohead.describe.toml.folder_paths import check_inside
from headtohead.describe.toml.position import Place
from headtohead.describe.toml.typed import typed
from headtohead.model.study.workload import Request

_OF_URLS = ("skew", "exponent")


def read_requests(written: TomlFile) -> tuple[Request, ...]:
    """Return the request mix; raises WordsError if there is none, or one cannot be sent or checked."""
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
        _check_files(table, where, has_data="data" in written.data)
    return tuple(_read_request(table) for table in tables)


def _check_paths(table: Mapping[str, Any], place: Place) -> None:
    """Raise WordsError unless the request has one path, or a file of URLs, and no contradicting key."""
    if "path" in table and "urls" in table:
        why = "A request has either one path, or the URLs that a file of the data set lists."
        raise place.wrong(
            "both path and urls", why=why, remedy="Keep one of the two; a second [[request]] may have the other."
        )
    if "path" not in table and "urls" not in table:
        why = "A request has either one path, or the URLs that a file of the data set lists."
        raise place.wrong("neither path nor urls", why=why, remedy='Write path = "/..." or urls = "...csv".')
    if "urls" in table:
        for word in ("length_bytes", "body"):
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


def _check_files(table: Mapping[str, Any], place: Place, *, has_data: bool) -> None:
    """Raise WordsError unless there is a data set, and the files of a request are inside it."""
    for word, name in (("urls", table.get("urls")), ("expect.body", table["expect"].get("body"))):
        if name is None:
            continue
        where = place.at(word)
        check_inside(name, where)
        if not has_data:
            noun = "URLs" if word == "urls" else "a body"
            subject = "The URLs are listed in" if word == "urls" else "A body is"
            why = f"{subject} a file of the data set, but this workload has none."
            raise where.wrong(f"{noun} without data", why=why, remedy="Write data = { ... }.")


def _read_request(table: Mapping[str, Any]) -> Request:
    """Return the request; with a body or URLs, every response is compared unless a sample is given."""
    sample = 1 if "body" in table["expect"] or "urls" in table else 0
    return typed(table, Request, expect={"sample": sample, **table["expect"]})
