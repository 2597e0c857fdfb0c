"""What is not as it was recorded forbids the verdicts that may rest on it, and no others."""

from dataclasses import replace

import pytest

from headtohead import __version__
from headtohead.analyze.study import analyze
from headtohead.model.analysis.results import Analysis
from headtohead.model.finding import Severity
from headtohead.model.proof import Flaw, Proof
from tests.report.sample import RECORDING

NAMED = {"better", "worse", "same"}
SEAL = "0123456789abcdef"


def proved(proof: Proof | None) -> Analysis:
    """Return the analysis of the sample, as if its files had been checked with that result."""
    return analyze(replace(RECORDING, proof=proof))


def ids(analysis: Analysis, name: str) -> dict[str, Severity]:
    (one,) = (each for each in analysis.experiments if each.name == name)
    kinds = ("not-as-recorded", "not-sealed")
    return {each.id: each.severity for each in one.findings if each.id in kinds}


def verdicts(analysis: Analysis, name: str) -> set[str]:
    return {pair.verdict for each in analysis.experiments if each.name == name for pair in each.comparisons}


def test_a_flaw_of_one_experiment_leaves_the_others_their_verdicts() -> None:
    flaw = Flaw("runs/0003/records.jsonl", "is not what was recorded", "static-page", excluded=True)

    found = proved(Proof(SEAL, (flaw,)))

    assert ids(found, "static-page") == {"not-as-recorded": Severity.INVALID}
    assert not verdicts(found, "static-page") & NAMED
    assert ids(found, "rsa") == {}
    assert verdicts(found, "rsa") == verdicts(proved(None), "rsa") != {"inconclusive"}


def test_a_flaw_of_the_plan_forbids_every_verdict() -> None:
    found = proved(Proof(SEAL, (Flaw("plan.json", "is not what was recorded"),)))

    assert not any(verdicts(found, each.name) & NAMED for each in found.experiments)


@pytest.mark.parametrize(
    ("proof", "expected"),
    [
        (None, {}),
        (Proof(SEAL), {}),
        (Proof(), {"not-sealed": Severity.DOUBT}),
        (Proof(SEAL, after=("runs/0008",)), {"not-sealed": Severity.DOUBT}),
    ],
)
def test_what_has_no_seal_is_doubted(proof: Proof | None, expected: dict[str, Severity]) -> None:
    found = proved(proof)

    assert ids(found, "static-page") == expected
    assert verdicts(found, "static-page") & NAMED
    assert found.seal == (proof.seal if proof else "")


@pytest.mark.parametrize(("version", "forbidden"), [(__version__, True), ("0.0.1", False)])
def test_a_run_that_the_rules_exclude_cannot_be_valid(version: str, *, forbidden: bool) -> None:
    first = [each for each in RECORDING.runs if each.run.attempt == 1]
    runs = tuple(replace(each, run=replace(each.run, status="valid", reasons=())) for each in first)
    plan = replace(RECORDING.plan, version=version)

    analysis = analyze(replace(RECORDING, runs=runs, proof=Proof(SEAL), plan=plan))

    told = [each for each in analysis.experiments[0].findings if each.id == "not-as-recorded"]
    assert [each.says.startswith("Run 6 is marked valid") for each in told] == [True] * forbidden
