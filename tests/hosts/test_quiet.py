from pathlib import Path

import pytest

from headtohead.hosts.facts import read_facts
from headtohead.hosts.machine.fitness import fit
from headtohead.model.finding import Severity
from headtohead.model.machine.host import Fact, HostFacts
from tests.hosts.recorded_trees import unpack


def facts_of(*known: tuple[str, str, object]) -> HostFacts:
    facts = tuple(
        Fact(group, name, value if isinstance(value, str | int | float) else None, None, "test")
        for group, name, value in known
    )
    return HostFacts("test", facts)


def test_a_machine_of_which_nothing_is_known_is_not_doubted() -> None:
    assert fit(facts_of()) == ()


@pytest.mark.parametrize(
    ("fact", "id_"),
    [
        (("passport", "governor", "powersave"), "governor"),
        (("passport", "clock source", "hpet"), "clock-source"),
        (("passport", "steal since boot", 2.5), "steal"),
        (("passport", "CPU used by others now", 0.4), "foreign-load"),
        (("passport", "swap in use", 1 << 30), "swap-in-use"),
        (("passport", "times throttled by heat since boot", 2), "throttled-by-heat"),
        (("passport", "address space randomization", "0"), "no-randomization"),
        (("cpu", "threads", 1), "one-cpu"),
        (("virtualization", "hypervisor", "KVM"), "virtual-machine"),
        (("virtualization", "free memory taken back", True), "memory-taken-back"),
        (("virtualization", "container", "docker"), "container"),
    ],
)
def test_each_source_of_noise_is_a_finding_with_advice(fact: tuple[str, str, object], id_: str) -> None:
    (finding,) = fit(facts_of(fact))
    assert finding.id == id_
    assert finding.advice
    assert finding.severity is not Severity.INVALID


@pytest.mark.parametrize(
    "fact",
    [
        ("passport", "governor", "performance"),
        ("passport", "clock source", "tsc"),
        ("passport", "steal since boot", 0.1),
        ("passport", "CPU used by others now", 0.02),
        ("passport", "swap in use", 0),
        ("cpu", "threads", 2),
        ("virtualization", "hypervisor", "none"),
        ("virtualization", "free memory taken back", False),
        ("virtualization", "container", "none seen"),
    ],
)
def test_a_fit_machine_has_no_findings(fact: tuple[str, str, object]) -> None:
    assert fit(facts_of(fact)) == ()


@pytest.mark.parametrize(
    ("governor", "polls_ns", "found"), [("haltpoll", 0, ["halts-at-once"]), ("haltpoll", 200_000, []), ("menu", 0, [])]
)
def test_a_guest_whose_idle_cpus_halt_at_once_is_doubted(governor: str, polls_ns: int, found: list[str]) -> None:
    facts = facts_of(("passport", "idle governor", governor), ("passport", "halt polling", polls_ns))
    assert [each.id for each in fit(facts)] == found


def test_a_whole_machine_is_judged_from_its_facts(tmp_path: Path) -> None:
    server = fit(read_facts("sut", tree=unpack("two-sockets", tmp_path / "a")))
    guest = fit(read_facts("sut", tree=unpack("small-guest", tmp_path / "b")))
    assert [each.id for each in server] == ["governor", "clock-source", "swap-in-use", "throttled-by-heat"]
    assert [each.id for each in guest] == ["steal", "one-cpu", "virtual-machine"]
