"""What is asked over a link has a driver, and a link that the machine must be able to make."""

import json
from dataclasses import replace

import pytest

from headtohead.model.case import Case
from headtohead.model.errors import LimitedError
from headtohead.model.machine.link import Link
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Batch
from headtohead.model.study.workload import Load
from headtohead.plan.expand import make_plan
from headtohead.plan.forecast.duration import run_s
from headtohead.store.convert import to_json
from tests.plan.machines import machine
from tests.plan.studies import experiment, factor, planned, study, subject

LOAD = Load("batch", {"clients": (1, 2, 4)}, {"seconds": 2})
SERVER = replace(subject("iperf3"), serves=("net/tcp-stream-v1",), driver=Batch(("client", "@clients@"), None))
TWO = machine(cores=2)
LACKING = replace(TWO, lacks={"link": "the program tc is not installed (package iproute2)"})


def asked(*links: str, optional: bool = False) -> Experiment:
    factors = [factor("link", *links)] if links else []
    one = experiment(*factors, subjects=[SERVER], compare="link" if len(links) > 1 else None, load=LOAD)
    return replace(one, optional=optional)


def test_the_client_program_has_a_cpu_of_its_own() -> None:
    one = planned(asked(), machine=TWO)
    assert [(each.cpus, each.driver_cpus) for each in one.treatments] == [((0,), (1,))]
    assert [each.poll for each in one.treatments] == [None]
    assert one.over_link


def test_the_link_is_unshaped_where_no_study_names_it() -> None:
    one = planned(asked(), machine=TWO)
    assert one.treatments[0].link == Link(None)
    assert one.treatments[0].levels["link"] == "unshaped"
    assert one.treatments[0].label == "iperf3"


def test_each_level_is_a_treatment_with_its_rate() -> None:
    one = planned(asked("unshaped", "1gbit", "100mbit"), machine=TWO)
    assert [each.link for each in one.treatments] == [Link(None), Link(1000), Link(100)]
    assert [each.label for each in one.treatments] == [
        "iperf3 link=unshaped",
        "iperf3 link=1gbit",
        "iperf3 link=100mbit",
    ]


def test_what_is_not_asked_over_a_link_has_none() -> None:
    one = planned(experiment(subjects=[subject("nginx")], compare=None), machine=LACKING)
    assert one.treatments[0].link is None
    assert "link" not in one.treatments[0].levels


@pytest.mark.parametrize("links", [(), ("1gbit",)])
def test_a_machine_that_makes_no_links_is_told_why(links: tuple[str, ...]) -> None:
    with pytest.raises(LimitedError, match="no link between server and client program") as raised:
        planned(asked(*links), machine=LACKING)
    assert raised.value.why == "The program tc is not installed (package iproute2)."


def test_an_optional_experiment_is_left_out_with_the_reason() -> None:
    plan = make_plan(study(asked(optional=True)), LACKING, version="0", same_test={"one": "0"})
    assert plan.experiments == ()
    assert "iproute2" in plan.left_out[0].reason


def test_a_run_takes_a_start_for_each_case_that_the_client_program_names() -> None:
    cases = tuple(Case({"clients": each}) for each in (1, 2, 4))
    assert run_s(SERVER, LOAD, cases=cases) == pytest.approx(1 + 3 * 0.35 + 3 * 2)


def test_a_database_is_reached_through_its_socket_over_tcp_or_over_a_link() -> None:
    fields = {"protocol": "mysql", "socket": "@run@/sock", "host": "@address@", "port": "@port@"}
    database = replace(subject("mariadb"), serves=("sql/forum-v1",), reach=fields)
    ways = {
        tuple(each.name for each in factors): planned(
            experiment(*factors, subjects=[database], compare=None), machine=TWO
        ).treatments[0]
        for factors in ((), (factor("reach", "tcp"),), (factor("link", "1gbit"),))
    }
    assert [(each.reach, each.link) for each in ways.values()] == [
        ("socket", None),
        ("tcp", None),
        ("tcp", Link(1000)),
    ]
    text = json.dumps(json.loads(to_json(ways[("link",)])))
    assert '"reach": "tcp"' in text


def test_what_is_no_database_server_has_no_reach_and_its_plan_does_not_name_one() -> None:
    one = planned(experiment(subjects=[subject("nginx")], compare=None), machine=TWO).treatments[0]
    assert one.reach is None
    assert "reach" not in json.loads(to_json(one))
