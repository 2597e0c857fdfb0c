"""Whether server and load generator shared one machine in every run."""

from headtohead.model.record import Recording


def one_machine(recording: Recording) -> bool:
    """Return whether every run had subject and driver on the same host."""
    return all(set(_drivers(each.run.hosts.get("drivers"))) <= {each.run.hosts.get("sut")} for each in recording.runs)


def _drivers(named: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if named is None else (named,) if isinstance(named, str) else named
