"""Runs that were excluded after they were kept (``excluded.json``): their data was found to be wrong later."""

from collections.abc import Mapping
from dataclasses import replace

from headtohead.model.record import Run, Status
from headtohead.store.convert import read_document
from headtohead.store.layout import Layout


def read_excluded(layout: Layout) -> Mapping[str, str]:
    """Return the reason for each excluded run by its number; empty if there are none."""
    if not layout.excluded.exists():
        return {}
    return read_document(layout.excluded, dict[str, dict[str, str]], within=layout.root).get("excluded", {})


def after_exclusion(run: Run, reasons: Mapping[str, str]) -> Run:
    """Return a run as it counts now: invalid, with one more reason, if it was excluded; a failed run stays failed."""
    reason = reasons.get(str(run.run))
    if reason is None:
        return run
    status: Status = "failed" if run.status == "failed" else "invalid"
    return replace(run, status=status, reasons=(*run.reasons, reason))
