from dataclasses import replace

import pytest

from headtohead.hosts.supervise.messages import Linked, ReadBack
from headtohead.hosts.supervise.readback import check, placed
from headtohead.model.machine.host import Cpu
from headtohead.model.machine.link import Link
from headtohead.model.machine.topology import MemoryFrom
from headtohead.model.plan import Treatment

TREATMENT = Treatment("t", "nginx", {"subject": "nginx"}, {}, (0, 1), (2,), None, floor=False)
ANSWER = ReadBack(0, (0, 1), None, None, None, (999,), 3, 12)


def test_what_was_asked_and_holds_gives_no_reason() -> None:
    assert check(TREATMENT, ANSWER) == ()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (replace(ANSWER, cpus=(0,)), "asked for CPUs 0-1, its processes may run on 0"),
        (replace(ANSWER, cpus=(0, 1, 2)), "asked for CPUs 0-1, its processes may run on 0-2"),
        (replace(ANSWER, uids=(0, 999)), "a process of the subject runs as root"),
        (replace(ANSWER, cpu_quota=1.5), "no CPU quota was asked for, 1.5 CPUs are allowed"),
        (
            replace(ANSWER, processes=0, cpus=()),
            "no process of the subject was there to be read back: give it more work",
        ),
    ],
)
def test_each_difference_is_a_reason(answer: ReadBack, reason: str) -> None:
    assert check(TREATMENT, answer) == (reason,)


@pytest.mark.parametrize(("userland", "reasons"), [("own", 0), ("host", 1), ("mixed", 1), (None, 1)])
def test_every_process_must_be_in_the_userland(userland: str | None, reasons: int) -> None:
    treatment = replace(TREATMENT, levels={"userland": "debian-12"})
    assert len(check(treatment, replace(ANSWER, userland=userland))) == reasons
    assert check(replace(TREATMENT, levels={"userland": "host"}), replace(ANSWER, userland=None)) == ()


def test_a_quota_that_allows_all_cpus_is_no_limit() -> None:
    assert check(TREATMENT, replace(ANSWER, cpu_quota=2.0)) == ()


@pytest.mark.parametrize(("given", "reasons"), [(0.85, 0), (0.843, 0), (0.857, 0), (0.84, 1), (0.86, 1), (None, 1)])
def test_a_quota_must_hold_within_one_percent(given: float | None, reasons: int) -> None:
    treatment = replace(TREATMENT, cpu_quota=0.85)
    assert len(check(treatment, replace(ANSWER, cpu_quota=given))) == reasons


@pytest.mark.parametrize(("given", "reasons"), [(100, 0), (99, 0), (90, 1), (None, 1)])
def test_a_memory_limit_must_hold_to_the_page(given: int | None, reasons: int) -> None:
    treatment = replace(TREATMENT, levels={"memory_mib": 100})
    assert len(check(treatment, replace(ANSWER, memory_mib=given))) == reasons


SIBLINGS = (Cpu(0, 0, 0, 0, 0, 3), Cpu(1, 0, 0, 0, 0, 3), Cpu(2, 0, 0, 2, 0, 3))


def test_cpus_are_held_against_the_topology_of_the_moment() -> None:
    treatment = replace(TREATMENT, levels={"subject": "nginx", "placement": "siblings"})
    assert placed(treatment, ANSWER, machine=SIBLINGS) == "siblings"
    assert check(treatment, ANSWER, machine=SIBLINGS) == ()
    alone = tuple(replace(each, core=each.index) for each in SIBLINGS)
    assert placed(treatment, ANSWER, machine=alone) is None
    (reason,) = check(treatment, ANSWER, machine=alone)
    assert reason == "asked for CPUs placed as siblings, CPUs 0-1 are not, by the topology now"


@pytest.mark.parametrize(
    ("memory", "policies", "others"),
    [
        (MemoryFrom("bind", (1,)), ("bind:1",), None),
        (MemoryFrom("interleave", (0, 1, 3)), ("interleave:0-1,3",), None),
        (MemoryFrom("bind", (1,)), ("bind:1", "default"), "default"),
        (MemoryFrom("bind", (1,)), ("bind:0", "unreadable"), "bind:0 and unreadable"),
        (MemoryFrom("bind", (1,)), (), "none"),
        (None, None, None),
    ],
)
def test_every_mapping_has_the_policy_that_was_asked_for(
    memory: MemoryFrom | None, policies: tuple[str, ...] | None, others: str | None
) -> None:
    reasons = check(replace(TREATMENT, memory=memory), replace(ANSWER, memory_policies=policies))
    assert len(reasons) == (others is not None)
    assert all(f"have {others} (numa_maps)" in each for each in reasons)


LINKED = Linked(0, "192.0.2.1", "192.0.2.2", "h2h0", 1500, "cubic", 1000)
AT_ITS_END = replace(ANSWER, network="own")


def test_a_link_as_it_was_asked_for_gives_no_reason() -> None:
    assert check(replace(TREATMENT, link=Link(1000)), AT_ITS_END, linked=LINKED) == ()
    assert check(replace(TREATMENT, link=Link(None)), AT_ITS_END, linked=replace(LINKED, rate_mbit=None)) == ()


@pytest.mark.parametrize(
    ("answer", "linked", "reason"),
    [
        (AT_ITS_END, None, "asked for a link, there is none"),
        (AT_ITS_END, replace(LINKED, rate_mbit=None), "asked for a link of 1000 Mbit/s, one of no rate came out"),
        (
            replace(ANSWER, network="mixed"),
            LINKED,
            "processes of the subject are in the network mixed, not at their end of the link",
        ),
    ],
)
def test_a_link_that_came_out_otherwise_is_a_reason(answer: ReadBack, linked: Linked | None, reason: str) -> None:
    assert check(replace(TREATMENT, link=Link(1000)), answer, linked=linked) == (reason,)
