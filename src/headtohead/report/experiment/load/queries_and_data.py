"""The line on the load of a database: each kind of query with its share of the requests, and the data set."""

from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.wording import listed

WRITES = "write_share"
MOST_KINDS = 8


def only_reads(context: ExperimentContext) -> bool:
    """Return whether queries were sent of which none writes."""
    planned = context.planned
    if planned is None or not planned.of_queries:
        return False
    return {each.settings.get(WRITES) for each in planned.treatments if not each.floor} == {0}


def queries_and_data(context: ExperimentContext) -> str:
    """Return the kinds of queries, the most frequent first, whether any writes, and the data set.

    Empty if no queries were sent, if their shares are not known, or if they are too many to name.
    """
    planned, arms = context.planned, arms_of(context.result)
    if planned is None or not planned.of_queries or not arms:
        return ""
    found = {each.query: each.share for each in arms[0].queries}
    known = {name: part for name, part in found.items() if part is not None}
    if not known or len(known) < len(found) or len(known) > MOST_KINDS:
        return ""
    kinds = listed([f"{name} {share(known[name])}" for name in sorted(known, key=known.__getitem__, reverse=True)])
    only = "; none writes" if only_reads(context) else ""
    data = planned.data
    of = f"; data set {data.set} at scale {data.scale:g}" if data and not data.files else ""
    return f"{kinds}{only}{of}."
