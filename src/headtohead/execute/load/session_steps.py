"""The session of a workload for the load generator."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headtohead.model.study.session import Session, SessionStep


def session_steps(session: Session, data: Path) -> Mapping[str, Any]:
    """Return the session as ``h2h-load`` reads it; ``data`` is the folder of the files that steps name."""
    values = {name: dict(value) for name, value in session.values.items()}
    return {"session": {"values": values, "steps": [_listed(each, data) for each in session.steps]}}


def _listed(step: SessionStep, data: Path) -> dict[str, Any]:
    expect = step.expect
    fields = {
        "name": step.name,
        "method": step.method,
        "path": step.path,
        "headers": dict(step.headers),
        "text": step.text,
        "sends": None if step.sends is None else str(data / step.sends),
        "status": expect.status,
        "length_bytes": expect.length_bytes,
        "body": None if expect.body is None else str(data / expect.body),
        "sha256": expect.sha256,
        "values": [dict(each.listed) for each in expect.values],
        "take": {name: dict(each.listed) for name, each in step.take.items()},
    }
    return {name: value for name, value in fields.items() if value is not None}
