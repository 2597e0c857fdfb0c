"""Defaults of the words of study.toml, workload.toml and subject.toml; numbers come from the code that uses them."""

from collections.abc import Mapping
from typing import Final

from headtohead.describe.study.experiment import LOOKS, MATTERS
from headtohead.describe.workload import loads
from headtohead.describe.workload.objective import ERROR_SHARE
from headtohead.model.study.subject import Stop
from headtohead.model.study.workload import Drawn, Load, Request

DEFAULTS: Final[Mapping[str, str]] = {
    "study.experiment.primary": "the workload's first summary; `capacity_per_s` for a search",
    "study.experiment.compare": "the only factor that varies",
    "study.experiment.matters": f"{MATTERS:g}",
    "study.experiment.looks": f"`{list(LOOKS)}`",
    "study.experiment.optional": "false",
    "study.experiment.share_driver": "false",
    "study.experiment.orders": "`random`",
    "study.driver_cpus": "none",
    "study.experiment.driver_cpus": "the study's; else as many as the load can use",
    "study.experiment.load": "the workload's",
    "workload.load.loop": "closed",
    "workload.load.rate_per_s": "required (open, sessions)",
    "workload.load.arrivals": "poisson",
    "workload.load.streams_per_connection": "1",
    "workload.load.calls": "required (sessions); no limit (closed)",
    "workload.load.think_s": "0",
    "workload.load.connections": f"required (closed); {loads._CONNECTIONS_AT_MOST}",
    "workload.load.warm_up_s": "0",
    "workload.load.settle_s": "the longest of the subjects",
    "workload.load.measure_s": f"required; {loads._TRIAL_S:g} with a search",
    "workload.load.timeout_s": f"{Load.timeout_s:g}",
    "workload.load.objective.error_share": f"{ERROR_SHARE:g}",
    "workload.load.in_memory": "false",
    "workload.query.writes": "false",
    "workload.query.parameters.skew": str(Drawn.skew),
    "workload.query.parameters.exponent": f"{Drawn.exponent:g}",
    "workload.query.expect.sample": "1 with `checksum`",
    "workload.request.method": Request.method,
    "workload.request.skew": Request.skew,
    "workload.request.exponent": f"{Request.exponent:g}",
    "workload.request.expect.sample": "1 with `body` or `urls`, else 0",
    "workload.expect.tolerance": "0",
    "subject.floor": "false",
    "subject.start.ready.any_status": "false",
    "subject.warm_up_s": "0",
    "subject.settle_s": "0",
    "subject.factors.<name>.prepares": "false",
    "subject.driver.takes_s": "as in `[batch]`",
    "subject.batch.takes_s": "0 if the load has `seconds`, else 1 for each case",
    "subject.stop.signal": Stop.signal,
    "subject.stop.within_s": f"{Stop.within_s:g}",
}
