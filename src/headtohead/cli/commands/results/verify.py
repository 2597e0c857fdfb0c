"""`headtohead verify RESULTS`: whether a results folder is as it was recorded."""

import sys

import typer

from headtohead.cli.commands.results.report import ResultsArgument
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.facts_and_prices import recording_of
from headtohead.cli.folders.proved_table import with_table
from headtohead.cli.terminal import wrapped
from headtohead.cli.wiring import JsonOption
from headtohead.report.terminal.verify import render_proof
from headtohead.store.convert import to_json


def command(results: ResultsArgument, *, json: JsonOption = False) -> None:
    """Check every file of a results folder against its seal.

    Also check that runs, records and plan do not contradict each other. Exit 1 if something is wrong or not sealed.
    """
    with consistent([results]):
        recording = recording_of(results)
        proof = with_table(recording, results)
    if json:
        print(to_json(proof), end="")
    else:
        print(wrapped(render_proof(proof, recording), sys.stdout))
    if proof.flaws or proof.after or not proof.seal:
        raise typer.Exit(1)
