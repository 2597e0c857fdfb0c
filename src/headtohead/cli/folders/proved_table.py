"""Whether the values of a results folder are those of its runs: its measurements.csv against one made anew."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from headtohead.analyze.samples.values_from_records import measurements
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.facts_and_prices import recording_of
from headtohead.model.analysis.systems import Broken, SystemResults
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.proof import Flaw, Proof
from headtohead.model.record import Recording
from headtohead.store.convert import read_text
from headtohead.store.layout import Layout
from headtohead.store.measurements import to_csv
from headtohead.store.read_systems import Folder

NOT_OF_ITS_RUNS = "is not what the runs give"


def with_table(recording: Recording, root: Path) -> Proof:
    """Return the proof of a folder, with a flaw if its measurements.csv is not what its runs give."""
    proof, layout = recording.proof or Proof(), Layout(root)
    if proof.flaws or not layout.measurements.exists():
        return proof
    if read_text(layout.measurements, within=layout.root) == to_csv(measurements(recording.plan, recording.runs)):
        return proof
    return replace(proof, flaws=(Flaw(layout.measurements.name, NOT_OF_ITS_RUNS),))


def believed(systems: Iterable[SystemResults], chosen: Sequence[Folder]) -> tuple[list[SystemResults], list[Broken]]:
    """Return the systems whose values are those of their runs, and why others are not believed.

    A seal alone does not show it: whoever changes measurements.csv can write its sum too. Folders without a seal are
    returned as they are: the comparison names them.
    """
    paths = {each.name: each.path for each in chosen}
    kept, refused = list[SystemResults](), list[Broken]()
    for each in systems:
        why = why_not_believed(paths[each.name]) if each.sealed else ""
        if why:
            refused.append(Broken(each.name, why))
        else:
            kept.append(each)
    return kept, refused


def why_not_believed(root: Path) -> str:
    """Return what of a folder is not as recorded, or is not what its runs give; empty if nothing."""
    try:
        with consistent([root]):
            flaws = with_table(recording_of(root), root).flaws
    except (RecordError, WordsError) as error:
        return f"{error.what}: {error.why}"
    if not flaws:
        return ""
    heals = "; `headtohead report` writes it again" if flaws[0].says == NOT_OF_ITS_RUNS else ""
    return f"{flaws[0].where} {flaws[0].says}{heals}."
