"""The articles' own studies on a server of two packages: what they ask, and on which CPUs."""

from dataclasses import replace

import pytest

from headtohead.cli.wiring import read_question
from headtohead.describe.home import find_home
from headtohead.model.machine.host import Machine, Node
from headtohead.model.plan import Plan
from headtohead.plan.servers import BenchMachines
from tests.plan.machines import machine

_MADE = machine(nodes=2, cores=4, siblings=2)
LARGE = replace(
    _MADE,
    cpus=tuple(replace(each, cache=each.package * 4, cache_level=3) for each in _MADE.cpus),
    memory_mib=65_536,
    nodes=(Node(0, has_memory=True, distances={0: 10, 1: 21}), Node(1, has_memory=True, distances={0: 21, 1: 10})),
)
ARTICLES = ("aces-2003", "openbench-2003", "linux-magazine-2003", "anandtech-2005", "woodcrest-2006")


def plan_of(name: str, on: Machine = LARGE) -> Plan:
    home = find_home()
    return read_question(home.studies / f"{name}.toml", home=home).plan(on)


def cpus_of(name: str, experiment: str) -> dict[str, set[tuple[int, ...]]]:
    """Return the CPUs of each level of the factor that the experiment compares."""
    planned = next(each for each in plan_of(name).experiments if each.name == experiment)
    found: dict[str, set[tuple[int, ...]]] = {}
    for each in planned.treatments:
        found.setdefault(str(each.levels[planned.compare or "cpus"]), set()).add(each.cpus)
    return found


@pytest.mark.parametrize("name", ARTICLES)
def test_a_server_of_two_packages_can_be_asked_all_that_the_article_asked(name: str) -> None:
    assert plan_of(name).left_out == ()


def test_quad_against_dual_is_all_cores_against_half_of_them_without_the_drivers() -> None:
    assert cpus_of("anandtech-2005", "quad") == {"3": {(0, 1, 2)}, "6": {(0, 1, 2, 3, 4, 5)}}


def test_two_processors_against_two_cores_of_one() -> None:
    assert cpus_of("anandtech-2005", "dual-core") == {"spread": {(0, 4)}, "same-package": {(0, 1)}}


@pytest.mark.parametrize(
    ("name", "experiment", "cores"),
    [
        ("anandtech-2005", "hyper-threading", 7),
        ("aces-2003", "hyper-threading", 7),
        ("woodcrest-2006", "rsa-threads", 8),
        ("woodcrest-2006", "rsa-verify-threads", 8),
    ],
)
def test_hyper_threading_compares_the_same_cores(name: str, experiment: str, cores: int) -> None:
    first = tuple(range(cores))
    both = (*first, *(8 + each for each in first))
    assert cpus_of(name, experiment) == {"off": {first}, "on": {both}}


def test_a_kernel_that_knows_its_nodes_is_compared_with_memory_spread_over_all() -> None:
    planned = next(each for each in plan_of("aces-2003").experiments if each.name == "numa")
    assert [(each.levels["numa"], each.memory and each.memory.kind) for each in planned.treatments] == [
        ("interleave", "interleave"),
        ("default", None),
    ]


@pytest.mark.parametrize("drivers", [1, 6])
@pytest.mark.parametrize("name", ARTICLES)
def test_between_servers_each_question_compares_every_server_of_a_bench(name: str, drivers: int) -> None:
    bench = BenchMachines(
        {"first": LARGE, "second": LARGE}, drivers=tuple(f"driver-{number}" for number in range(drivers))
    )
    home = find_home()
    plan = read_question(home.studies / f"{name}-machines.toml", home=home).plan(bench)
    assert plan.left_out == ()
    for each in plan.experiments:
        assert {one.levels["server"] for one in each.treatments} == {"first", "second"}
        assert all(pair.factor == "server" for pair in each.comparisons)
        assert each.comparisons


def test_two_extra_processors_are_all_cores_against_half_in_the_java_forum() -> None:
    planned = next(each for each in plan_of("aces-2003").experiments if each.name == "board-index")
    assert {each.cpus for each in planned.treatments} == {(0, 1, 2), (0, 1, 2, 3, 4, 5)}


def test_apache_is_asked_on_each_doubling_of_its_cores() -> None:
    assert {level: len(*cpus) for level, cpus in cpus_of("aces-2003", "processors").items()} == {
        "1": 1,
        "2": 2,
        "4": 4,
        "7": 7,
    }


def test_rates_rise_past_what_a_forum_carries_with_the_articles_calls() -> None:
    planned = next(each for each in plan_of("aces-2003").experiments if each.name == "board-index-ladder")
    assert planned.load.settings["calls"] == 5
    assert len(planned.cases) == 7


def test_mysql_is_asked_over_tcp_with_the_articles_settings() -> None:
    plan = plan_of("anandtech-2005")
    named = ("engines", "dual", "quad", "dual-core", "hyper-threading", "query-cache")
    asked = [one for each in plan.experiments if each.name in named for one in each.treatments]
    assert {one.reach for one in asked} == {"tcp"}
    assert {one.settings["tuning"] for one in asked if one.settings.get("engine") == "MyISAM"} == {"article"}


def test_bonnie_moves_twice_the_memory_of_the_articles_machines() -> None:
    planned = next(each for each in plan_of("linux-magazine-2003").experiments if each.name == "bonnie")
    assert planned.load.settings["size_mib"] == 2 * 8192
