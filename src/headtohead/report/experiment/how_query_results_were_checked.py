"""How the results of queries were checked."""

from collections.abc import Sequence

from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import LoadRecord, Recorded


def answers_sentence(planned: PlannedExperiment | None, runs: Sequence[Recorded]) -> str:
    """Return how the responses were checked, with a leading space; empty if the workload has no queries.

    A run with one wrong answer does not count (rule wrong-answer), so those that count had none.
    """
    if planned is None or not planned.of_queries:
        return ""
    valid = [each for each in runs if each.run.status == "valid"]
    answers = sum(record.right for each in valid for record in each.records if isinstance(record, LoadRecord))
    if not answers:
        return ""
    return (
        " Correct results are those that the data set's generator computed by itself. The rows of every result were "
        "counted; in the workload's sample the rows themselves were compared. Of "
        f"{answers:,} results that count none had a wrong number of rows, and none of the sample wrong rows."
    )
