"""`headtohead host`: what this machine is, and its fitness for measuring."""

import sys

from headtohead.cli.wiring import JsonOption
from headtohead.hosts.facts import read_facts
from headtohead.hosts.machine.fitness import fit
from headtohead.report.terminal import summary
from headtohead.store.convert import to_json


def command(*, json: JsonOption = False) -> None:
    """Print this machine's facts and its fitness for measuring."""
    facts = read_facts("local")
    findings = fit(facts)
    if json:
        print(to_json({"host": facts, "findings": findings}), end="")
    else:
        print(summary.render_facts(facts, findings, color=sys.stdout.isatty()), end="")
