"""Energy per unit of work: from the processors' counters, else by the power that people gave, else none."""

from dataclasses import replace

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.case import WHOLE_RUN
from headtohead.model.external.prices import Stated
from headtohead.model.record import Recorded, Recording
from tests.analyze.building import batch_experiment, batch_record, plan, readings, recorded, run
from tests.analyze.pricing import HOST, POWER, PRICES, STATED, SYSTEM, board

POWERED = Stated(replace(SYSTEM, power=POWER), PRICES)


def test_what_the_packages_drew_is_shared_by_the_right_answers_of_the_case() -> None:
    plain, packed = (each.energy for each in analyze(board(watts=20.0)).experiments[0].treatments)
    assert [(each.kind, each.case) for each in plain] == [("read", WHOLE_RUN)]
    assert plain[0].joules.value == pytest.approx(20 / 1000)
    assert packed[0].joules.value == pytest.approx(20 / 800)
    assert plain[0].watts is not None
    assert plain[0].watts.value == pytest.approx(20)
    assert plain[0].per_million is not None
    assert plain[0].per_million.value == pytest.approx(20_000 / 3.6e6 * 0.36)


def test_what_was_read_goes_before_what_was_given() -> None:
    found = analyze(board(POWERED, watts=20.0)).experiments[0].treatments[0].energy
    assert [each.kind for each in found] == ["read"]


def test_given_power_is_shared_by_the_rate() -> None:
    (found,) = analyze(board(POWERED)).experiments[0].treatments[0].energy
    assert (found.kind, found.watts) == ("given", None)
    assert found.joules.value == pytest.approx(0.2)
    assert found.joules.n == 6


def test_without_a_price_of_a_kwh_energy_has_none() -> None:
    (found,) = analyze(board(Stated(POWERED.system), watts=20.0)).experiments[0].treatments[0].energy
    assert found.per_million is None


def test_idle_power_alone_tells_nothing_of_work() -> None:
    idle = replace(SYSTEM, power=replace(POWER, load_w=None))
    assert analyze(board(Stated(idle))).experiments[0].treatments[0].energy == ()


def test_where_power_was_neither_read_nor_given_there_is_no_energy() -> None:
    assert all(each.energy == () for each in analyze(board(STATED)).experiments[0].treatments)


def test_a_run_that_did_not_tell_leaves_its_case_without_energy() -> None:
    whole, blind = board(watts=20.0), board()
    runs = (*whole.runs[:-1], blind.runs[-1])
    plain, packed = (each.energy for each in analyze(replace(whole, runs=runs)).experiments[0].treatments)
    assert len(plain) == 1
    assert packed == ()


@pytest.mark.parametrize(("stamped", "joules"), [(True, 20 / 1000), (False, None)])
def test_a_batch_program_has_energy_where_its_own_time_was_watched(stamped: bool, joules: float | None) -> None:
    of, runs = batch_experiment(), list[Recorded]()
    own = replace(batch_record(1000.0), from_ns=3_000_000_000, to_ns=5_000_000_000)
    record = own if stamped else batch_record(1000.0)  # two seconds of work, in a phase of five
    for block in range(1, 7):
        for label in ("cpus=1", "cpus=2"):
            made = run(label, number=len(runs) + 1, block=block, experiment=of.name)
            runs.append(recorded(made, records=[record], monitors=readings(package_energy_uj=20e6)))
    found = analyze(Recording("2026-11-20-rsa", plan(of), (HOST,), tuple(runs))).experiments[0].treatments[0].energy
    assert [each.joules.value for each in found] == ([] if joules is None else [pytest.approx(joules)])
