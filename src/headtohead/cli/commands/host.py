"""`headtohead host`: what this machine is, or each of a bench, and its fitness for measuring."""

import sys
from pathlib import Path

from headtohead.cli.bench import BenchOption, reached
from headtohead.cli.terminal import look
from headtohead.cli.wiring import JsonOption
from headtohead.describe.bench import read_bench
from headtohead.describe.home import find_home
from headtohead.hosts.facts import read_facts
from headtohead.hosts.machine.fitness import fit
from headtohead.hosts.ssh.recorded_kernel_files import recorded_tree
from headtohead.report.terminal.host import render_bench_host, render_facts
from headtohead.store.convert import to_json


def command(*, bench: BenchOption = None, json: JsonOption = False) -> None:
    """Print this machine's facts and its fitness for measuring.

    With --bench, do so for each machine of the bench.
    """
    if bench is not None:
        _each_of(bench, json=json)
        return
    facts = read_facts("local")
    findings = fit(facts)
    if json:
        print(to_json({"host": facts, "findings": findings}), end="")
    else:
        print(render_facts(facts, findings, **look(sys.stdout)), end="")


def _each_of(path: Path, *, json: bool) -> None:
    found = []
    for each in read_bench(path, find_home()).hosts:
        with reached(each) as host, recorded_tree(host) as tree:
            facts = read_facts(each.label, tree=tree)
        findings = fit(facts)
        found.append({"role": each.role, "host": facts, "findings": findings})
        if not json:
            print(render_bench_host(each, facts, findings, **look(sys.stdout)))
    if json:
        print(to_json({"hosts": found}), end="")
