"""`headtohead verify RESULTS`: whether a results folder is as it was recorded."""

import sys
from dataclasses import replace

import typer

from headtohead.analyze.samples.values_from_records import measurements
from headtohead.cli.commands.results.report import ResultsArgument
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.facts_and_prices import recording_of
from headtohead.cli.terminal import wrapped
from headtohead.cli.wiring import JsonOption
from headtohead.model.proof import Flaw, Proof
from headtohead.model.record import Recording
from headtohead.report.terminal.verify import render_proof
from headtohead.store.convert import read_text, to_json
from headtohead.store.layout import Layout
from headtohead.store.measurements import to_csv


def command(results: ResultsArgument, *, json: JsonOption = False) -> None:
    """Check every file of a results folder against its seal.

    Also check that runs, records and plan do not contradict each other. Exit 1 if something is wrong or not sealed.
    """
    with consistent([results]):
        recording = recording_of(results)
        proof = _with_table(recording, Layout(results))
    if json:
        print(to_json(proof), end="")
    else:
        print(wrapped(render_proof(proof, recording), sys.stdout))
    if proof.flaws or proof.after or not proof.seal:
        raise typer.Exit(1)


def _with_table(recording: Recording, layout: Layout) -> Proof:
    """Return the proof of a folder, with a flaw if its measurements.csv is not what its runs give."""
    proof = recording.proof or Proof()
    if proof.flaws or not layout.measurements.exists():
        return proof
    if read_text(layout.measurements, within=layout.root) == to_csv(measurements(recording.plan, recording.runs)):
        return proof
    return replace(proof, flaws=(Flaw(layout.measurements.name, "is not what the runs give"),))
