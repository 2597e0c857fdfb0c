"""Replace the advice of findings by options of `headtohead race`: a race has no file to edit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from headtohead.analyze.findings.excluded_runs_and_missing_cases import MEND
from headtohead.model import rules
from headtohead.model.finding import Finding

_WAIT = "End what else runs on this machine, or let the race wait for quiet: `--wait`."
_FEWER = "Lower `--connections` or `--rate`, or race on a machine with more CPUs: the load generator has those left."
_LONGER = "Measure longer: `--measure 10s`."
_REMEDIES: Mapping[str, str] = {
    rules.FOREIGN_CPU.id: _WAIT,
    rules.FOREIGN_APART.id: _WAIT,
    rules.NOT_QUIET.id: _WAIT,
    "foreign-effect": _WAIT,
    rules.MANY_INVALID.id: "End what discards the runs (`headtohead host`), or let the race wait for quiet: `--wait`.",
    rules.DRIVER_FULL.id: _FEWER,
    rules.DRIVER_BUSY.id: _FEWER,
    rules.SEND_LAG_NOTICED.id: _FEWER,
    rules.NOT_SETTLED.id: f"It had not settled when it was measured. {_LONGER}",
    rules.TOO_SHORT.id: f"{_LONGER} Effects that take seconds are not in these numbers.",
    "few-beyond": "Measure longer: `--measure 30s`.",
    "looks-cut": "Raise `--budget` for a narrower interval.",
    "not-restarted": "Let each run start its server: `--serve`.",
    "other-cpus": "Give both the same number of CPUs: `--cpus 1`.",
    "version-unknown": (
        "Note which builds these were; or keep the race as a study (`--save`), whose subjects can state how to read it."
    ),
    "position-effect": "Find what remains of a run: page cache, sockets, heat. A longer `--measure` makes it smaller.",
    "unlike-answers": "Make both send the same (compression, page, headers), or name what differs by `--name`.",
}
"""For each doubt whose usual remedy is a word of a study."""
_UNSATURATED = "Compare the CPU time per response as well, or use more users: `--connections 50`."
_OF_SERVERS: Mapping[str, str] = {rules.UNSATURATED.id: _UNSATURATED}
_WORDS = (
    (
        re.compile(r"plan more blocks \(raise the last of `looks` in `study\.toml`\)"),
        "keep the race as a study (`--save`) with more blocks",
    ),
    (re.compile(r"\bmeasure_s = ([\d.]+)"), r"`--measure \1s`"),
    (re.compile(r", or measure on a quieter machine"), ", or let the race wait for quiet (`--wait`)"),
)
_BATCH, _WAITED = "--batch", "--wait"
_TO_WAIT = re.compile(r", or let the race wait for quiet(: `--wait`| \(`--wait`\))")


def with_remedies_of_races(findings: Sequence[Finding], options: Sequence[str]) -> tuple[Finding, ...]:
    """Return findings whose advice is an option of the race with these ``options``."""
    remedies = _REMEDIES if _BATCH in options else {**_REMEDIES, **_OF_SERVERS}
    advice = [_of_race(each.advice if each.advice == MEND else remedies.get(each.id, each.advice)) for each in findings]
    if _WAITED in options:
        advice = [_TO_WAIT.sub("", each) for each in advice]
    return tuple(replace(each, advice=own) for each, own in zip(findings, advice, strict=True))


def _of_race(advice: str) -> str:
    for pattern, instead in _WORDS:
        advice = pattern.sub(instead, advice)
    return advice
