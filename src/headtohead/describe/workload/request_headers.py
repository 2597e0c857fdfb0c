"""The headers of a request: which a workload may write."""

from collections.abc import Mapping
from typing import Any

from headtohead.describe.toml.position import Place

_OWN_HEADERS = ("host", "content-length", "transfer-encoding", "connection", "accept-encoding", "expect")
"""Headers that ``h2h-load`` writes itself (crates/load/src/http/mix/request.rs)."""


def check_headers(table: Mapping[str, Any], place: Place) -> None:
    """Raise WordsError for a header that the load generator writes itself, or that breaks the protocol."""
    for name, value in table.get("headers", {}).items():
        if name.lower() in _OWN_HEADERS:
            why = "The load generator writes it, so that the protocol holds."
            raise place.at("headers").wrong(f"the header {name}", why=why, remedy="Remove it.")
        if not value.isprintable():
            why = "It has a line break or another control character."
            raise place.at("headers").wrong(f"the header {name} cannot be sent", why=why, remedy="Remove that.")
