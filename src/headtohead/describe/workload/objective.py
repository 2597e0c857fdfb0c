"""The objective of a search: the limits that a rate must meet."""

from collections.abc import Mapping

from headtohead.describe.toml.position import Place

ERROR_SHARE = 0.005
"""The limit if the file sets none: METHOD.md section 4.4."""


def read_objective(table: Mapping[str, float] | None, *, searches: bool, place: Place) -> Mapping[str, float]:
    """Return the limits by name, empty without a search; raises WordsError if search or objective lacks the other."""
    where = place.at("load.objective")
    if not searches:
        if table is not None:
            why = "Only a search has an objective to meet; given rates are measured as they are."
            raise where.wrong("an objective without a search", why=why, remedy='Write rate_per_s = "search".')
        return {}
    remedy = "Write objective = { response_time_p99_ns = 200_000_000 }, with your own limit."
    if table is None:
        why = "A search finds the highest rate that meets its objective."
        raise place.at("load").wrong('"objective" is missing', why=why, remedy=remedy)
    if not any(name != "error_share" for name in table):
        why = "Without a limit for the response time, every rate would meet the objective."
        raise where.wrong("no limit for the response time", why=why, remedy=remedy)
    return {"error_share": ERROR_SHARE, **{name: float(limit) for name, limit in table.items()}}
