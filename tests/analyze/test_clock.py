"""Work per clock: told where every run's clock was read, and never guessed."""

import pytest

from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.readings import Readings
from tests.analyze.building import readings, treatment, without
from tests.analyze.suites import result, suiting
from tests.analyze.test_suite_mean import RATES

HZ = 2.5e9
CLOCKED = readings()
CLOCKED = Readings((*CLOCKED.columns, "cpu0_hz"), tuple((*row, HZ) for row in CLOCKED.rows))
RUNS = {"gcc": RATES, "clang": RATES}


def test_the_rate_of_each_kernel_is_given_over_the_clock_of_its_run() -> None:
    found = result(RUNS, monitors=CLOCKED, step=0.0).treatments[0].per_ghz
    values = {each.case: each.estimate.value for each in found}
    assert len(values) == len(RATES) + 1
    assert values[Case.parse("kernel=fft")] == pytest.approx(2000.0 / 2.5)


def test_where_the_clock_was_not_read_nothing_is_told() -> None:
    assert result(RUNS, monitors=without(CLOCKED, "cpu0_hz")).treatments[0].per_ghz == ()


def test_an_experiment_that_is_no_suite_has_what_its_cases_come_to_alone() -> None:
    few = suiting(treatment("gcc"), treatment("clang"), kernels=("fft", "lu"))
    found = result({"gcc": [400.0, 900.0], "clang": [400.0, 900.0]}, of=few, monitors=CLOCKED, step=0.0)
    (told,) = found.treatments[0].per_ghz
    assert told.key == Key(WHOLE_RUN, "overall")
    assert told.estimate.value == pytest.approx(600.0 / 2.5)
