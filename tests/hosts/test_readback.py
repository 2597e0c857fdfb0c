from dataclasses import replace

import pytest

from headtohead.hosts.answers import ReadBack
from headtohead.hosts.readback import check
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
        (replace(ANSWER, processes=0, cpus=()), "no process of the subject was there to be read back"),
    ],
)
def test_each_difference_is_a_reason(answer: ReadBack, reason: str) -> None:
    assert check(TREATMENT, answer) == (reason,)


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
