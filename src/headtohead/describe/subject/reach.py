"""How a driver reaches a subject: the fields of ``[reach]`` for each kind of interface."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headtohead.describe.interfaces import kind_of, over_tls
from headtohead.describe.toml.position import Place

_TLS = (
    ("tls_url", "the driver needs its address", "https://localhost:@port@"),
    ("ca", "the driver needs the PEM file of the certificates to trust", "@run@/ca.pem"),
)
"""The fields that an interface over TLS requires, the reason, and an example."""

SERVED = ("mysql", "postgresql")
"""The protocols that a driver uses with a server."""

IN_PROCESS = ("sqlite", "duckdb")
"""The values of ``protocol`` for an engine in process: the SQL dialect of the queries."""

_EXAMPLES = {"user": "forum", "database": "h2h", "socket": "@run@/sock", "port": "@port@"}


def check_reach(data: Mapping[str, Any], place: Place) -> None:
    """Raise WordsError if a driver could not reach the subject through [reach]."""
    reach, where = data.get("reach", {}), place.at("reach")
    if "attach" in data.get("start", {}):
        _check_attached(reach, data["serves"], place=where)
        return
    kinds = {kind_of(interface) for interface in data["serves"]}
    if "http" in kinds:
        _check_http(reach, data["serves"], place=where)
    if "sql" in kinds:
        _check_sql(reach, in_process="client" in data, place=where)
    if "tls_url" in reach and not reach["tls_url"].startswith("https://localhost:"):
        why = "The driver checks the name in the certificate, which is localhost."
        raise place.at("reach.tls_url").wrong(
            "another host", why=why, remedy='Write tls_url = "https://localhost:@port@".'
        )


def _check_attached(reach: Mapping[str, str], serves: list[str], *, place: Place) -> None:
    """Raise WordsError unless a running server is reached; its ``ca`` may be absent: the system's are trusted."""
    for interface in serves:
        word, example = ("tls_url", "https://localhost:8443") if over_tls(interface) else ("url", "http://127.0.0.1:80")
        if word not in reach:
            why = f"A driver reaches {interface} at its {word}."
            raise place.wrong(f'"{word}" is missing', why=why, remedy=f'Write {word} = "{example}".')
    if "ca" in reach and not Path(place.file).with_name(reach["ca"]).is_file():
        why = f"There is no file {reach['ca']} next to it."
        raise place.wrong("ca names no file", why=why, remedy="Put the PEM file into the subject's folder.")


def _check_http(reach: Mapping[str, str], serves: list[str], *, place: Place) -> None:
    if "url" not in reach and not all(over_tls(interface) for interface in serves):
        why = "A driver reaches an http subject at its url."
        raise place.wrong('"url" is missing', why=why, remedy='Write url = "http://127.0.0.1:@port@".')
    secure = [interface for interface in serves if over_tls(interface)]
    for word, what, example in _TLS:
        if secure and word not in reach:
            why = f"{secure[0]} uses TLS: {what}."
            raise place.wrong(f'"{word}" is missing', why=why, remedy=f'Write {word} = "{example}".')


def _check_sql(reach: Mapping[str, str], *, in_process: bool, place: Place) -> None:
    known, owner = (IN_PROCESS, "engines in process") if in_process else (SERVED, "servers")
    protocol = reach.get("protocol")
    if protocol is None:
        why = f"It names the protocol of an sql subject; {owner} have {' and '.join(known)}."
        raise place.wrong('"protocol" is missing', why=why, remedy=f'Write protocol = "{known[0]}".')
    if protocol not in known:
        raise Place(place.file, ("reach.protocol",)).unknown("protocol", protocol, known=known, owner=owner)
    if in_process:
        return
    for word, what in (("user", "A driver logs in as a user"), ("database", "A driver queries one database")):
        if word not in reach:
            raise _missing(word, what, place=place)
    if "socket" not in reach and not {"host", "port"} <= reach.keys():
        raise _missing("socket", "A driver reaches it through a socket, or through host and port", place=place)
    if protocol == "postgresql" and "port" not in reach:
        raise _missing("port", "The name of a PostgreSQL socket contains the port", place=place)


def _missing(word: str, why: str, *, place: Place) -> Exception:
    return place.wrong(f'"{word}" is missing', why=f"{why}.", remedy=f'Write {word} = "{_EXAMPLES[word]}".')
