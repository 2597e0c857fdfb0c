"""Batch records of a client program that asks a server: who used what, what limits, what the card says."""

import pytest

from headtohead.analyze.breakdown.bottlenecks import limits
from headtohead.analyze.breakdown.treatment_card import card
from headtohead.analyze.findings import judge
from headtohead.analyze.runs.cpu_use_by_case import see, subject_share
from headtohead.analyze.runs.driver_cpu_use_and_delay import driver_share
from headtohead.model.machine.link import Link
from headtohead.model.record import Recorded
from tests.analyze.building import batch_experiment, batch_record, readings, recorded, run, treatment

LINKED = treatment("iperf3", levels={"subject": "iperf3", "link": "1gbit"}, link=Link(1000))
ASKED = batch_experiment(asks="net/tcp-stream-v1", compare=None, treatments=(LINKED,), comparisons=())


def made(**used: float) -> Recorded:
    """Return a run of one case of two seconds in which so many CPUs were busy."""
    record = batch_record(from_ns=2_000_000_000, to_ns=4_000_000_000)
    note = run("iperf3", experiment=ASKED.name, read_back={"link_congestion": "cubic"})
    return recorded(note, records=[record], monitors=readings(**used))


def test_what_the_client_program_used_is_the_drivers_and_nobody_elses() -> None:
    seen = see(made(subject_cpu_ns=0.5, driver_cpu_ns=0.9), ASKED)
    (case,) = seen.cases
    assert subject_share(case, LINKED) == pytest.approx(0.5)
    assert driver_share(case, LINKED) == pytest.approx(0.9)
    assert case.cpus(case.cpu.foreign) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("subject", "driver", "limited", "driver_share"),
    [(0.99, 0.4, "cpu", None), (0.4, 0.99, "driver", 0.99), (0.99, 0.99, "cpu", None)],
)
def test_an_end_that_is_full_is_what_limited_the_run_and_no_fault_of_it(
    subject: float, driver: float, limited: str, driver_share: float | None
) -> None:
    one = made(subject_cpu_ns=subject, driver_cpu_ns=driver)
    assert judge(one, ASKED).status == "valid"
    (limit,) = limits([see(one, ASKED)])
    assert (limit.resource, limit.subject_cpus_allotted) == (limited, 1)
    assert limit.subject_cpus == pytest.approx(subject)
    assert limit.driver_share == pytest.approx(driver_share)


@pytest.mark.parametrize(
    ("used", "reason"),
    [
        ({"busy_ns": 2.0, "driver_cpu_ns": 0.5}, "foreign-cpu"),
        ({"steal_ns": 0.1, "cpu0_steal_ns": 0.1, "cpu1_steal_ns": 0.1}, "steal"),
    ],
)
def test_others_make_it_invalid_as_any_other_run(used: dict[str, float], reason: str) -> None:
    judged = judge(made(**used), ASKED)
    assert judged.status == "invalid"
    assert judged.reasons[0].startswith(reason)


def test_the_card_tells_the_link_and_what_passed_over_it() -> None:
    one = see(made(link_sent_bytes=110e6, link_received_bytes=2e6), ASKED)
    found = card(LINKED, [one], primary=[1.0], link_bytes_per_s=None)
    assert found is not None
    assert found.link == Link(1000)
    assert found.link_sent_bytes_per_s.mean == pytest.approx(110e6)
    assert found.link_received_bytes_per_s.mean == pytest.approx(2e6)
    assert found.driver_cpus_busy == pytest.approx(0.7)
    assert found.loop == (
        "a client program of its own, timed from inside it; two network namespaces joined by a veth pair, "
        "shaped to 1 Gbit/s, cubic, co-located"
    )


def test_what_the_kernel_does_for_the_link_while_a_cpu_is_idle_is_nobodys_and_is_shown() -> None:
    one = made(subject_cpu_ns=0.5, driver_cpu_ns=0.4, busy_ns=1.205, tasks_cpu_ns=0.915, irq_ns=0.37)
    assert judge(one, ASKED).status == "valid"
    (case,) = see(one, ASKED).cases
    assert case.cpus(case.cpu.foreign) == pytest.approx(0.01)
    found = card(LINKED, [see(one, ASKED)], primary=[1.0], link_bytes_per_s=None)
    assert found is not None
    assert found.interrupt_cpus_busy == pytest.approx(0.37)


def test_a_process_beside_a_link_is_still_seen() -> None:
    one = made(subject_cpu_ns=0.5, driver_cpu_ns=0.4, busy_ns=1.205, tasks_cpu_ns=1.055, irq_ns=0.37)
    assert judge(one, ASKED).reasons[0].startswith("foreign-cpu: other processes used 0.15 CPU")
