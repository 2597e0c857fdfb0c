"""Find the data sets that changed while a study ran."""

from headtohead.execute.context.study_context import StudyContext
from headtohead.store.fingerprint import folder_sha256


def changed_data_sets(study_context: StudyContext) -> tuple[str, ...]:
    """Return the experiments whose data set has changed since the study started."""
    return tuple(
        name
        for name, (_, sha256) in study_context.data.items()
        if folder_sha256(study_context.data_here(name)) != sha256
    )
