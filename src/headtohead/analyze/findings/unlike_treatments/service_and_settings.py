"""Whether the treatments of a comparison give the same service with the same settings (METHOD.md 9)."""

from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar, scalar_text

PROMISES: Mapping[str, str] = {
    "connection": "how long connections are kept",
    "gzip": "whether responses are compressed",
    "compress": "whether responses are compressed",
    "http_version": "the version of HTTP",
    "key": "the key of the certificate",
    "isolation": "how transactions are isolated",
    "durability": "whether a write outlives a power cut",
}
"""From the name of a setting to what it promises clients; if two subjects have it, it must be the same."""

NOT_DURABLE = {
    "innodb_flush_log_at_trx_commit": ("0", "2"),
    "fsync": ("off",),
    "synchronous_commit": ("off",),
    "synchronous": ("0", "off", "OFF"),
}
"""Settings that databases report, and the values with which an acknowledged write may be lost."""

NEVER_DURABLE = ("MyISAM",)
"""Engines without a write-ahead log."""


def unlike_service(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison of two subjects that give a different service, if no factor is the reason."""
    for comparison, baseline, other in whole.pairs():
        if baseline.subject == other.subject:
            continue
        terms = [each for each in _terms(whole, baseline, other) if each[0] != comparison.factor]
        for name, one, two in terms:
            yield Finding(
                id="unlike-service",
                severity=Severity.INVALID,
                says=f"{baseline.label} and {other.label} differ in {PROMISES[name]} ({name}: {one} / {two}), which is "
                "not what is compared.",
                advice="Give both the same setting, or make it the factor.",
                evidence={"setting": name, "baseline": one, "other": two},
                of=(comparison.baseline, comparison.other),
            )


def _terms(whole: Whole, baseline: Treatment, other: Treatment) -> Iterator[tuple[str, str, str]]:
    """Yield each promise in which two treatments differ: its name, and its value in both."""
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
    """Return whether a treatment keeps what it has acknowledged; None if its configuration does not show it."""
    if treatment.settings.get("engine") in NEVER_DURABLE:
        return False
    settings = settled(whole, treatment.label)
    known = {name: settings[name] for name in NOT_DURABLE if name in settings}
    return all(value not in NOT_DURABLE[name] for name, value in known.items()) if known else None


def tuned_unlike(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt if the study changed the defaults of one of two different subjects and not of the other.

    A setting that the other has by default is not changed for one alone.
    """
    for comparison, baseline, other in whole.pairs():
        if baseline.subject == other.subject or bool(baseline.changed) == bool(other.changed):
            continue
        tuned, left = (baseline, other) if baseline.changed else (other, baseline)
        alone = [each for each in tuned.changed if left.settings.get(each) != tuned.settings.get(each, "")]
        settings = {name: tuned.settings[name] for name in alone if name in tuned.settings}
        if not alone:
            continue
        named = ", ".join(f"{name} = {scalar_text(value)}" for name, value in settings.items())
        yield Finding(
            id="tuned-unlike",
            severity=Severity.DOUBT,
            says=f"The study sets {named} in {tuned.label}, and leaves {left.label} at its defaults.",
            advice="Tune both or neither; then test the settings on data that they were not chosen with.",
            evidence={"settings": len(alone), "treatment": comparison.other},
            of=(comparison.baseline, comparison.other),
        )


LISTED_AT_MOST = 8


def configurations_differ(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each comparison of a subject with itself, with the settings that differ between the treatments.

    Settings that differ from run to run (ports, folders) are left out.
    """
    for comparison, baseline, other in whole.pairs():
        if baseline.subject != other.subject:
            continue
        one, two = (settled(whole, each.label) for each in (baseline, other))
        apart = {name: (one[name], two[name]) for name in one if name in two and one[name] != two[name]}
        if apart:
            more = len(apart) - LISTED_AT_MOST
            listed = [f"{name} {a or 'empty'} / {b or 'empty'}" for name, (a, b) in apart.items()][:LISTED_AT_MOST]
            yield Finding(
                id="configurations-differ",
                severity=Severity.NOTE,
                says=f"{baseline.label} and {other.label} differ in {len(apart)} of the settings in force: "
                f"{', '.join(listed)}{f', and {more} more' if more > 0 else ''}.",
                advice="The factor changed these, or something else changed them as well.",
                evidence={"settings": len(apart), "other": other.label},
                of=(comparison.baseline, comparison.other),
            )


def settled(whole: Whole, label: str) -> Mapping[str, str]:
    """Return the settings that were the same in every run of a treatment; none if a run does not report them."""
    every = [{each.name: each.value for each in run.configuration} for run in whole.counting(label)]
    if not every:
        return {}
    first, *others = every
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}
