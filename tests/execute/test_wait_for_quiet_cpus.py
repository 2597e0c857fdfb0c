from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from headtohead.execute.context import wait_for_quiet_cpus
from headtohead.hosts.supervise.messages import Gate
from headtohead.model.rules import GATE, PATIENT_S, GateRule

if TYPE_CHECKING:
    from headtohead.execute.supervise_process_of_run import SupervisedRun


@pytest.fixture(autouse=True)
def _chrome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wait_for_quiet_cpus, "BusiestProcess", lambda: SimpleNamespace(look=lambda: "chrome (pid 123)"))


def waited(*, quiet_after_s: float, rule: GateRule = GATE, in_vain: Sequence[float] = ()) -> tuple[Gate, list[str]]:
    """Wait on a machine that becomes quiet at some time; return what came of it, and what was shown."""
    spent, shown, in_vain = [0.0], list[str](), list(in_vain)

    def gate(*, within_s: float, **_: object) -> Gate:
        calm = spent[0] + within_s > quiet_after_s
        took_s = max(0.0, quiet_after_s - spent[0]) if calm else within_s
        spent[0] += took_s
        return Gate(0, calm, took_s, 0.01 if calm else 1.5, 0.0)

    here = SimpleNamespace(gate=rule, elsewhere=None, waits_in_vain=in_vain)
    supervised = SimpleNamespace(environment=here, supervisor=SimpleNamespace(gate=gate), drivers=())
    return wait_for_quiet_cpus.wait_for_quiet(cast("SupervisedRun", supervised), apart=(), show=shown.append), shown


def test_a_wait_shows_how_much_cpu_is_used_and_by_whom_until_it_is_quiet() -> None:
    gate, shown = waited(quiet_after_s=5.0)

    assert gate.quiet
    assert gate.waited_s == pytest.approx(5.0)
    assert shown == 2 * ["waiting for quiet: 1.5 CPU by chrome (pid 123)"]


def test_on_a_quiet_machine_nothing_is_shown() -> None:
    assert waited(quiet_after_s=0.3)[1] == []


def test_a_wait_ends_after_the_time_of_its_rule() -> None:
    gate, shown = waited(quiet_after_s=1e9)

    assert not gate.quiet
    assert gate.waited_s == pytest.approx(GATE.within_s)
    assert len(shown) == 8


def test_a_long_wait_in_vain_makes_later_ones_short_and_says_so() -> None:
    patient = replace(GATE, within_s=PATIENT_S)

    gate, shown = waited(quiet_after_s=1e9, rule=patient)
    assert gate.waited_s == pytest.approx(PATIENT_S)
    assert shown[-1] == "not quiet after 10 minutes: later runs wait 15 s each"

    gate, shown = waited(quiet_after_s=1e9, rule=patient, in_vain=[PATIENT_S])
    assert gate.waited_s == pytest.approx(GATE.within_s)
    assert not shown[-1].startswith("not quiet after")
