"""A question that names other levels than those compared is in doubt."""

import pytest

from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Scalar
from tests.analyze.building import ALPHA, blocks_of, experiment, treatment
from tests.analyze.seeding import CLEAR, folder
from tests.analyze.test_claim_doubts import findings


def asking(question: str, *levels: Scalar, factor: str = "cpus") -> PlannedExperiment:
    labels = ("apache", "nginx")
    treatments = tuple(
        treatment(label, levels={"subject": label, factor: level}) for label, level in zip(labels, levels, strict=True)
    )
    pair = Comparison(factor, *labels, {}, ALPHA)
    return experiment(question=question, compare=factor, treatments=treatments, comparisons=(pair,))


@pytest.mark.parametrize(
    ("question", "levels", "says"),
    [
        ("What does a second CPU buy?", (1, 4), "The question names 2 cpus, but 1 and 4 were compared."),
        ("Are four cores faster than one core?", (1, 2), "The question names 4 cpus, but 1 and 2 were compared."),
        ("What does a second CPU buy?", (1, 2), None),
        ("What do 4 CPUs buy?", (1, 4), None),
        ("What does a second server buy?", (1, 4), None),
        ("What does every CPU buy?", (1, 4), None),
    ],
)
def test_the_numbers_of_a_question_are_held_to_the_levels(
    question: str, levels: tuple[int, int], says: str | None
) -> None:
    of = asking(question, *levels)
    said = [each.says for each in findings(folder(blocks_of(CLEAR, of=of), of)) if each.id == "question-differs"]
    assert said == ([] if says is None else [says])


def test_only_what_is_compared_is_held_to_the_question() -> None:
    of = asking("Which is faster on two CPUs?", "a", "b", factor="gzip")
    assert "question-differs" not in [each.id for each in findings(folder(blocks_of(CLEAR, of=of), of))]
