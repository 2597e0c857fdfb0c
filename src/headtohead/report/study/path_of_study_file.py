"""Where the study of a results folder is, as it is typed next to the folder."""

from shlex import quote

from headtohead.model.record import Recording


def study_file(recording: Recording) -> str:
    """Return the study's file: that of a race is next to its subjects."""
    file = "study.toml" if recording.race is None else "content/race.toml"
    return f"{quote(recording.name)}/{file}"
