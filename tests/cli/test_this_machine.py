"""What a measurement here holds and waits for: the locks of its cache and its machine, and quiet before each case."""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from headtohead.cli import machines, this_machine, wiring
from headtohead.cli.commands.run import Wanted
from headtohead.cli.race import command as race_command
from headtohead.cli.wiring import Question
from headtohead.hosts import machine_lock
from headtohead.hosts.cache_locks import measuring
from headtohead.hosts.machine_lock import measuring_alone
from headtohead.hosts.paths import lock_path
from headtohead.hosts.software import subjects_user
from headtohead.model.errors import BusyError, HostError
from headtohead.model.rules import GATE, PATIENT_S
from tests.conftest import Command
from tests.describe.homes import TWO_CPUS

STUDY = """format = 1
title = "On any machine"
seed = 1

[[experiment]]
name = "kernels"
question = "Does it wait?"
workload = "kernel-sweep-8"

[experiment.factors]
subject = [{ name = "c-kernels", label = "A" }, { name = "c-kernels", label = "B" }]
"""

Locks = dict[str, Callable[[], AbstractContextManager[None]]]


@pytest.fixture
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Locks:
    """Give a measurement here a cache of its own and a machine's lock that no other test has; return what holds them.

    The machine's lock is then held by somebody with another cache.
    """
    alone = partial(measuring_alone, name=f"h2h-test-{secrets.token_hex(8)}")
    monkeypatch.setattr(machine_lock, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(this_machine, "cache_dir", lambda: tmp_path)
    monkeypatch.setattr(this_machine, "measuring_alone", alone)
    return {"cache": lambda: measuring(lock_path(tmp_path), study="first", since="10:02"), "machine": alone}


@pytest.mark.parametrize("held", ["cache", "machine"])
def test_a_second_measurement_is_refused_whichever_of_the_two_locks_the_first_holds(held: str, locks: Locks) -> None:
    refused = pytest.raises(BusyError, match="Another measurement is going on here")
    with locks[held](), refused, this_machine.measuring_here("second", since="10:03", wait=False):
        pass


@pytest.mark.parametrize("wanted", ["cache", "machine"])
def test_a_measurement_holds_both_locks_to_its_end(wanted: str, locks: Locks) -> None:
    with this_machine.measuring_here("first", since="10:02", wait=False), pytest.raises(BusyError), locks[wanted]():
        pass
    with locks[wanted]():
        pass


@pytest.mark.parametrize("held", ["cache", "machine"])
def test_one_that_waits_begins_when_the_first_ends_and_names_it(
    held: str, locks: Locks, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    with ExitStack() as first:
        first.enter_context(locks[held]())

        def end(text: str) -> None:
            shown.append(text)
            first.close()

        monkeypatch.setattr(this_machine, "say", end)
        with this_machine.measuring_here("second", since="10:03", wait=True):
            pass
    (text,) = shown
    assert text.startswith("Waiting: ")
    assert f"process {os.getpid()} " in text


@pytest.mark.parametrize(("patient", "within_s"), [(False, GATE.within_s), (True, PATIENT_S)])
def test_only_who_waits_has_ten_minutes_for_quiet_before_each_case(
    patient: bool, within_s: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(this_machine, "find_program", lambda name: tmp_path / name)
    monkeypatch.setattr(this_machine, "install_programs", lambda programs, **_: programs[0].parent)
    monkeypatch.setattr(subjects_user, "ensure_user", lambda *_, **__: None)

    assert this_machine.environment_here(patient=patient).gate.within_s == within_s
    assert PATIENT_S == 600
    assert GATE.within_s < PATIENT_S


@pytest.mark.parametrize(("words", "waits"), [((), False), (("--wait",), True)])
def test_the_option_of_run_reaches_the_locks_and_the_wait_for_quiet(
    words: tuple[str, ...], waits: bool, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: dict[str, bool] = {}

    @contextmanager
    def locked(*_: object, wait: bool, **__: object) -> Iterator[None]:
        waited["the end of another"] = wait
        yield

    def environment(*, patient: bool = False) -> NoReturn:
        waited["quiet"] = patient
        raise HostError("The test ends here", why="It has seen enough.", remedy="None.")

    (tmp_path / "study.toml").write_text(STUDY)
    monkeypatch.setattr(wiring, "read_machine", lambda *_, **__: TWO_CPUS)
    monkeypatch.setattr(machines, "sweep", tuple)
    monkeypatch.setattr(this_machine, "measuring_here", locked)
    monkeypatch.setattr(this_machine, "environment_here", environment)

    code, _, err = command("run", tmp_path / "study.toml", "--results", tmp_path / "results", *words)

    assert code == 1
    assert "The test ends here" in err
    assert waited == {"the end of another": waits, "quiet": waits}


@pytest.mark.parametrize(("words", "waits"), [((), False), (("--wait",), True)])
def test_the_option_of_race_reaches_the_locks_of_its_trial_and_its_study(
    words: tuple[str, ...], waits: bool, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[bool] = []

    def locked(*_: object, wait: bool, **__: object) -> AbstractContextManager[None]:
        waited.append(wait)
        return nullcontext()

    def measure(_: Question, wanted: Wanted) -> NoReturn:
        waited.append(wanted.wait)
        raise SystemExit

    monkeypatch.setattr(race_command, "measuring_here", locked)
    monkeypatch.setattr(race_command, "environment_here", lambda: None)
    monkeypatch.setattr(race_command, "tried", lambda race, *_, **__: race)
    monkeypatch.setattr(race_command, "measure", measure)

    assert command("race", "--batch", "echo one", "--batch", "echo two", *words)[0] == 0
    assert waited == [waits, waits]
