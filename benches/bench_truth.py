"""Is what ``h2h-load`` says true? ``make bench-truth``.

Servers of known behavior run on CPU 0, the driver on CPU 1. Four questions: what a stalling server's users waited;
whether an open loop keeps its rate; whether the rule finds a driver that was kept from its CPU; what overloaded servers
lose. ``--poll`` is how the driver waits; left out, all is done in both polls. The formulas are next to the questions
in ``truths.py``. Exit 0: all is true; 1: something is not, or could not be judged.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace

from benches.meter import BenchError
from benches.stand import need_cpus
from benches.truths import TRUTHS, Finding, Words
from headtohead.model.rules import GATE

BOTH = "both"
VERDICTS = {True: "true", False: "FALSE", None: "not judged"}


def options(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="bench_truth", description="Is what h2h-load says true?")
    parser.add_argument("--only", choices=list(TRUTHS), action="append", help="one question; may be given again")
    parser.add_argument("--runs", type=int, default=20, help="of the held and of the undisturbed driver, each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gate", type=float, default=GATE.within_s, help="how long quiet is waited for, in seconds")
    parser.add_argument("--poll", choices=["busy", "sleep", BOTH], default=BOTH, help="how the driver waits")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of the table")
    return parser.parse_args(argv)


def answers(name: str, words: Words) -> list[Finding]:
    """Return what was found about one question; where it cannot be asked here, the reason."""
    try:
        findings = []
        for finding in TRUTHS[name](words):
            sys.stderr.write(f"{finding.about}: {finding.said} ({VERDICTS[finding.right]})\n")
            findings.append(finding)
    except BenchError as error:
        return [Finding(name, "", str(error), None)]
    return findings


def table(findings: Sequence[Finding]) -> str:
    """Return the findings as text."""
    wide = max(len(finding.about) for finding in findings)
    known = max(len(finding.known) for finding in findings)
    lines = [f"{'what':{wide}}  {'known':{known}}  {'':10}  said"]
    lines += [f"{each.about:{wide}}  {each.known:{known}}  {VERDICTS[each.right]:10}  {each.said}" for each in findings]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    words = options(argv)
    try:
        need_cpus()
    except BenchError as error:
        sys.stderr.write(f"bench_truth: {error}\n")
        return 1
    findings = []
    for poll in ("busy", "sleep") if words.poll == BOTH else (words.poll,):
        how = Words(seed=words.seed, runs=words.runs, gate_s=words.gate, poll=poll)
        asked = [finding for name in words.only or TRUTHS for finding in answers(name, how)]
        findings += [replace(finding, about=f"{poll}: {finding.about}") for finding in asked]
    if words.json:
        sys.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=1) + "\n")
    else:
        sys.stdout.write(table(findings))
    return 0 if all(finding.right for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
