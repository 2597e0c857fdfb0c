from dataclasses import replace

import pytest

from headtohead.model.errors import LimitedError
from headtohead.model.study.size_words import TWICE_MEMORY
from headtohead.model.study.workload import Load
from headtohead.plan.forecast.duration import duration_s
from tests.plan.machines import machine
from tests.plan.studies import experiment, factor, plan, subject

FILES = Load("batch", {"bits": (2048,)}, {"size_mib": TWICE_MEMORY})
ON = replace(machine(cores=4), memory_mib=24_000)
PROGRAM = subject("bonnie", batch=True)


@pytest.mark.parametrize(
    ("limits", "size_mib"),
    [((), 48_000), ((8192,), 16_384), ((4096, 8192), 16_384), ((65_536,), 48_000)],
)
def test_a_file_is_twice_the_memory_of_the_treatment_that_has_the_most(limits: tuple[int, ...], size_mib: int) -> None:
    asked = experiment(
        *([factor("memory_mib", *limits)] if limits else []), subjects=[PROGRAM], compare=None, load=FILES
    )
    (found,) = plan(asked, machine=ON).experiments
    assert found.load.settings["size_mib"] == size_mib
    assert any(f"is {size_mib} here" in note for note in found.notes)


def test_the_forecast_goes_by_the_size_that_the_word_has_here() -> None:
    assert PROGRAM.batch is not None
    moving = replace(PROGRAM, batch=replace(PROGRAM.batch, moves_mib=("size_mib", 6)))

    def lasts_s(memory_mib: int) -> float:
        return duration_s(
            plan(experiment(subjects=[moving], compare=None, load=FILES), machine=replace(ON, memory_mib=memory_mib))
        )[0]

    assert lasts_s(24_000) - lasts_s(12_000) == pytest.approx(6 * 6 * 24_000 / 1500)


def test_without_a_known_memory_the_word_has_no_number() -> None:
    with pytest.raises(LimitedError) as refused:
        plan(experiment(subjects=[PROGRAM], compare=None, load=FILES), machine=replace(ON, memory_mib=None))
    assert "size_mib = 20480" in str(refused.value)
