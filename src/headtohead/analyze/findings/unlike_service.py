"""Arms that promise their users different things: connections, compression, durability (METHOD.md 9)."""

from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.configurations_differ import settled
from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar, scalar_text

PROMISES: Mapping[str, str] = {
    "connection": "how long connections are kept",
    "gzip": "whether answers are compressed",
    "compress": "whether answers are compressed",
    "http_version": "which HTTP is spoken",
    "key": "which key the certificate has",
    "isolation": "how transactions are kept apart",
    "durability": "whether a write outlives a power cut",
}
"""From the name of a setting to what it promises those who ask; where two subjects have it, it must be the same."""

NOT_DURABLE = {
    "innodb_flush_log_at_trx_commit": ("0", "2"),
    "fsync": ("off",),
    "synchronous_commit": ("off",),
    "synchronous": ("0", "off", "OFF"),
}
"""Settings that databases tell of themselves, and the values under which an acknowledged write may be lost."""

NEVER_DURABLE = ("MyISAM",)
"""Engines that write no log ahead of their rows."""


def unlike_service(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison of two subjects that serve on different terms, no factor being the reason."""
    for comparison, baseline, other in whole.pairs():
        if baseline.subject == other.subject:
            continue
        terms = [each for each in _terms(whole, baseline, other) if each[0] != comparison.factor]
        for name, one, two in terms:
            yield Finding(
                id="unlike-service",
                severity=Severity.INVALID,
                says=f"{baseline.label} and {other.label} differ in {PROMISES[name]} ({name}: {one} / {two}), which is "
                "not what they are compared in.",
                advice="Serve both on the same terms, or make that the factor.",
                evidence={"setting": name, "baseline": one, "other": two},
                of=(comparison.baseline, comparison.other),
            )


def _terms(whole: Whole, baseline: Treatment, other: Treatment) -> Iterator[tuple[str, str, str]]:
    """Yield each promise in which two treatments differ: its name, and what it is in both."""
    one, two = ({**each.settings, **each.levels} for each in (baseline, other))
    for name in PROMISES:
        if name in one and name in two and one[name] != two[name]:
            yield name, scalar_text(one[name]), scalar_text(two[name])
    if _writes(one) or _writes(two):
        kept = [_durable(whole, each) for each in (baseline, other)]
        if None not in kept and kept[0] != kept[1]:
            words = ["kept" if each else "may be lost" for each in kept]
            yield "durability", words[0], words[1]


def _writes(settings: Mapping[str, Scalar]) -> bool:
    share = settings.get("write_share")
    return isinstance(share, int | float) and share > 0


def _durable(whole: Whole, treatment: Treatment) -> bool | None:
    """Tell whether a treatment keeps what it has acknowledged; None where its configuration says nothing about it."""
    if treatment.settings.get("engine") in NEVER_DURABLE:
        return False
    told = settled(whole, treatment.label)
    known = {name: told[name] for name in NOT_DURABLE if name in told}
    return all(value not in NOT_DURABLE[name] for name, value in known.items()) if known else None
