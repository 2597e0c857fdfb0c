"""Marking a kept run as invalid after something was found later."""

from dataclasses import replace

from headtohead.model.record import Run, Status
from headtohead.store.convert import from_json, read_text, to_json
from headtohead.store.layout import Layout
from headtohead.store.write import whole


def strike(layout: Layout, number: int, *, reason: str) -> None:
    """Make a kept run invalid, with one more reason; a failed run stays failed."""
    path = layout.run(number) / "run.json"
    run = from_json(read_text(path, within=layout.root), Run, where=path)
    status: Status = "failed" if run.status == "failed" else "invalid"
    whole(path, to_json(replace(run, status=status, reasons=(*run.reasons, reason))))
