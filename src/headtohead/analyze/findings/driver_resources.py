"""A driver that ran out of local ports or file descriptors."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

OWN_FAULTS = {"ports": "local ports", "descriptors": "file descriptors"}
"""The driver's own kinds of error (crates/load/src/fault.rs), and what they say was lacking."""


def driver_resources(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which requests failed because the driver lacked something."""
    for each in seen.cases:
        errors = each.record.errors if isinstance(each.record, LoadRecord) else {}
        for fault, lacking in OWN_FAULTS.items():
            if count := errors.get(fault, 0):
                yield Finding(
                    id="driver-resources",
                    severity=Severity.INVALID,
                    says=f"the driver ran out of {lacking} {count} times{at(each.case)}",
                    advice="Raise the driver's limit of open files, or widen net.ipv4.ip_local_port_range.",
                    evidence={"requests": count, "case": each.case.text},
                )
