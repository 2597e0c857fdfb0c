"""Whether a driver requests the work of a run."""

from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Run


def has_driver(experiment: PlannedExperiment, run: Run) -> bool:
    """Return whether a driver requests the work; batch programs and engines in process have none.

    A client program of the subject's own is one, though it leaves batch records.
    """
    return (experiment.load.loop != "batch" or experiment.over_link) and not run.in_process
