"""Where the study of a results folder is, as it is typed: next to the folder, or in the folder of one's own content."""

from shlex import quote

from headtohead.model.record import Recording


def study_file(recording: Recording) -> str:
    """Return the study's file: that of a race is next to its subjects, one with content of one's own where that is."""
    if needs_own_folder(recording):
        return quote(recording.plan.own_study)
    file = "study.toml" if recording.race is None else "content/race.toml"
    return f"{quote(recording.name)}/{file}"


def needs_own_folder(recording: Recording) -> bool:
    """Return whether the study runs only from the file that the user wrote: its content is found from there."""
    return recording.race is None and bool(recording.plan.own_study)
