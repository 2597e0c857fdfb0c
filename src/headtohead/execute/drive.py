"""The load on a server: one ``h2h-load`` a case, on the driver's CPUs."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.server import Server
from headtohead.model.errors import SubjectError
from headtohead.model.quantity import Case, case_text
from headtohead.model.workload import Load, Workload
from headtohead.store.convert import parsed
from headtohead.store.read import record

GRACE_S = 15.0
"""Beyond warm-up, measured time and one timeout, the load generator ends within this."""


@dataclass(frozen=True)
class Driver:
    """What asks a server for the workload's requests; ``seed`` makes the mix and the checked sample."""

    server: Server
    workload: Workload
    load: Load
    data: Path
    seed: int

    def write_requests(self) -> None:
        """Write the request mix where the load generator reads it."""
        listed = [
            {
                "name": each.name,
                "weight": each.weight,
                "path": each.path,
                "status": each.expect.status,
                "length_bytes": each.expect.length_bytes,
                "body": str(self.data / each.expect.body) if each.expect.body is not None else None,
                "sample": each.expect.sample,
            }
            for each in self.workload.requests
        ]
        self.server.stand.write("requests.json", json.dumps({"requests": listed}))

    def walk(self, case: Case, *, name: str) -> dict[str, Any]:
        """Drive one case and return its record; SubjectError with what the load generator said where it failed."""
        stand, load = self.server.stand, self.load
        stand.begin(name, self._argv(case), group="driver")
        ended = stand.supervisor.wait(name, within_s=load.warm_up_s + load.measure_s + load.timeout_s + GRACE_S)
        if not ended.exited or ended.code != 0:
            code = ended.code if ended.signal is None else ended.signal
            how = f"ended with {code}" if ended.exited else "did not end"
            raise SubjectError(
                f"The load generator {how} in {case_text(case) or 'its only case'}",
                why=f"{stand.tail(name)}.",
                remedy="See logs/ in the run's folder.",
            )
        return _document(stand.read(stand.said(name)[0]))

    def _argv(self, case: Case) -> tuple[str, ...]:
        stand, load = self.server.stand, self.load
        connections = {**load.settings, **case}["connections"]
        return (
            *("h2h-load", "http", "--connections", str(connections), "--driver", "local"),
            *("--warm-up", f"{round(load.warm_up_s * 1000)}ms", "--duration", f"{round(load.measure_s * 1000)}ms"),
            *("--timeout", f"{round(load.timeout_s * 1000)}ms", "--zero-ns", str(stand.zero_ns)),
            *("--case", json.dumps(dict(case)), "--seed", str(self.seed)),
            *("--requests", str(stand.run_dir / "requests.json"), "--hlog", str(stand.run_dir / "times.hlog")),
            *("--json", "-", self.server.url()),
        )


def _document(text: str) -> dict[str, Any]:
    """Return the one record that the load generator printed, checked; SubjectError where it is none."""
    try:
        document: dict[str, Any] = parsed(text)
        record(document)
    except (KeyError, TypeError, ValueError) as error:
        raise SubjectError(
            "What the load generator printed is no record",
            why=f"{type(error).__name__}: {error}.",
            remedy="Build the programs again (cargo build --release); see logs/ in the run's folder.",
        ) from error
    return document
