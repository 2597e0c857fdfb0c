"""The objective of a search: what a rate must keep to count as carried."""

from collections.abc import Mapping

from headtohead.describe.toml.position import Place

ERROR_SHARE = 0.005
"""Where the words set none: METHOD.md section 4.4."""


def read_objective(table: Mapping[str, float] | None, *, searches: bool, place: Place) -> Mapping[str, float]:
    """Return the limits by name, empty where nothing is searched; raises WordsError where one lacks the other."""
    where = place.at("load.objective")
    if not searches:
        if table is not None:
            why = "Only a search asks whether a rate keeps it; rates that are given are measured as they are."
            raise where.wrong("an objective without a search", why=why, remedy='Write rate_per_s = "search".')
        return {}
    remedy = "Write objective = { response_time_p99_ns = 200_000_000 }, with your own limit."
    if table is None:
        why = "A search finds the highest rate that keeps its objective."
        raise place.at("load").wrong('"objective" is missing', why=why, remedy=remedy)
    if not any(name != "error_share" for name in table):
        why = "At any rate some answers come: how late they may come decides what is carried."
        raise where.wrong("no limit of the response time", why=why, remedy=remedy)
    return {"error_share": ERROR_SHARE, **{name: float(limit) for name, limit in table.items()}}
