"""Servers as treatments: words resolved by each server's own machine, and compared by their meaning."""

import json
from dataclasses import replace

import pytest

from headtohead.model.errors import LimitedError
from headtohead.model.plan import PlannedExperiment
from headtohead.model.study.study import Experiment
from headtohead.model.study.workload import Load
from headtohead.plan.expand import make_plan
from headtohead.plan.servers import BenchMachines
from headtohead.store.convert import to_json
from tests.plan.machines import machine
from tests.plan.studies import WORKED, experiment, factor, plan, planned, study, subject

DUAL, QUAD = machine(cores=2), machine(cores=4)
BENCH = BenchMachines({"dual": DUAL, "quad": QUAD}, ("c1", "c2"))
NGINX, OPENSSL = subject("nginx"), subject("openssl", batch=True)


def on_bench(one: Experiment, bench: BenchMachines = BENCH) -> PlannedExperiment:
    asked = study(one)
    return make_plan(asked, bench, version="0", same_test={"one-1": "same"}).experiments[0]


def test_each_server_is_a_treatment_and_the_first_is_the_baseline() -> None:
    one = on_bench(experiment(factor("server", "each"), subjects=[NGINX], compare="server"))
    assert [(each.label, each.server, each.cpus) for each in one.treatments] == [
        ("nginx server=dual", "dual", (0, 1)),
        ("nginx server=quad", "quad", (0, 1, 2, 3)),
    ]
    (pair,) = one.comparisons
    assert (pair.factor, pair.baseline, pair.other) == ("server", "nginx server=dual", "nginx server=quad")
    for block in range(1, 11):
        assert {each.treatment for each in one.runs if each.block == block} == {each.label for each in one.treatments}


def test_the_order_of_the_list_is_the_studys() -> None:
    one = on_bench(experiment(factor("server", "quad", "dual"), subjects=[NGINX], compare="server"))
    assert one.comparisons[0].baseline == "nginx server=quad"


def test_drivers_are_other_machines_and_take_no_cpu_of_a_server() -> None:
    one = on_bench(experiment(factor("server", "each"), factor("cpus", "all"), subjects=[NGINX], compare="server"))
    assert {(each.driver_cpus, each.drivers, each.poll) for each in one.treatments} == {((), ("c1", "c2"), None)}
    worked = on_bench(experiment(factor("server", "each"), subjects=[OPENSSL], compare="server", load=WORKED))
    assert {each.drivers for each in worked.treatments} == {()}


def test_cpus_that_the_bench_leaves_out_are_apart() -> None:
    narrow = replace(DUAL, cpus=DUAL.cpus[:1], others=DUAL.cpus[1:])
    asked = experiment(factor("cpus", "all"), subjects=[NGINX, subject("noop")])
    one = on_bench(asked, BenchMachines({"dual": narrow}, ("c1",)))
    assert {(each.cpus, each.apart) for each in one.treatments} == {((0,), (1,))}


def test_the_plan_of_one_server_has_its_treatments_alone() -> None:
    asked = study(experiment(factor("server", "each"), subjects=[NGINX], compare="server"))
    whole = make_plan(asked, BENCH, version="0", same_test={"one-1": "same"})
    (part,) = whole.on("quad").experiments
    assert [each.server for each in part.treatments] == ["quad"]
    assert whole.on("other").experiments == ()
    assert whole.on(None).experiments == ()


def test_words_are_each_servers_own_and_are_compared_by_word() -> None:
    asked = experiment(factor("server", "each"), factor("cpus", 1, "half", "all"), subjects=[NGINX], compare="server")
    one = on_bench(asked)
    assert {each.label: len(each.cpus) for each in one.treatments} == {
        "nginx cpus=1 server=dual": 1,
        "nginx cpus=half server=dual": 1,
        "nginx cpus=all server=dual": 2,
        "nginx cpus=1 server=quad": 1,
        "nginx cpus=half server=quad": 2,
        "nginx cpus=all server=quad": 4,
    }
    assert [dict(pair.fixed) for pair in one.comparisons] == [{"cpus": "1"}, {"cpus": "half"}, {"cpus": "all"}]
    assert {pair.other: pair.baseline for pair in one.comparisons} == {
        f"nginx cpus={word} server=quad": f"nginx cpus={word} server=dual" for word in ("1", "half", "all")
    }
    assert "cpus = all: 2 of 2 on dual, 4 of 4 on quad." in one.notes


def test_what_one_server_lacks_is_refused_with_its_name_or_left_out() -> None:
    asked = experiment(factor("server", "each"), factor("cpus", 1, 2), subjects=[NGINX], compare="server")
    lacking = BenchMachines({"dual": replace(DUAL, missing={"nginx": ("nginx",)}), "quad": QUAD}, ("c1",))
    with pytest.raises(LimitedError, match="nginx is not installed"):
        on_bench(asked, lacking)
    optional = replace(asked, optional=True, compare="cpus")
    whole = make_plan(study(optional), lacking, version="0", same_test={"one-1": "same"})
    assert [each.label for each in whole.experiments[0].treatments] == [
        "nginx cpus=1 server=quad",
        "nginx cpus=2 server=quad",
    ]
    assert {each.treatment for each in whole.left_out} == {"nginx server=dual"}


@pytest.mark.parametrize(
    ("levels", "bench", "what"),
    [
        (("each",), BenchMachines({"dual": DUAL}), "no driver"),
        (("dual", "hexa"), BENCH, 'no server "hexa"'),
        ((), BENCH, "which server"),
    ],
)
def test_a_bench_that_does_not_fit_is_refused(levels: tuple[str, ...], bench: BenchMachines, what: str) -> None:
    factors = [factor("server", *levels)] if levels else []
    with pytest.raises(LimitedError, match=what):
        on_bench(experiment(*factors, subjects=[NGINX], compare=None), bench)


def test_servers_without_a_bench_are_refused_and_one_server_needs_no_factor() -> None:
    with pytest.raises(LimitedError, match="there is no bench"):
        planned(experiment(factor("server", "each"), subjects=[NGINX], compare=None), machine=DUAL)
    one = on_bench(experiment(subjects=[NGINX], compare=None), BenchMachines({"dual": DUAL}, ("c1",)))
    assert [(each.label, each.server) for each in one.treatments] == [("nginx", "dual")]


def test_a_plan_without_a_bench_keeps_its_bytes() -> None:
    text = to_json(plan(experiment(subjects=[NGINX], compare=None), machine=DUAL))
    treatment = json.loads(text)["experiments"][0]["treatments"][0]
    assert not {"server", "drivers", "words", "reach"} & treatment.keys()


def test_the_first_so_many_drivers_send_and_their_number_may_be_compared() -> None:
    one = on_bench(
        experiment(factor("server", "dual"), factor("drivers", 1, "all"), subjects=[NGINX], compare="drivers")
    )
    assert [(each.label, each.drivers, each.levels["drivers"]) for each in one.treatments] == [
        ("nginx drivers=1", ("c1",), 1),
        ("nginx drivers=2", ("c1", "c2"), 2),
    ]
    (pair,) = one.comparisons
    assert (pair.factor, pair.baseline, pair.other) == ("drivers", "nginx drivers=1", "nginx drivers=2")
    set_to_one = on_bench(
        experiment(factor("server", "each"), factor("drivers", 1), subjects=[NGINX], compare="server")
    )
    assert [(each.label, each.drivers) for each in set_to_one.treatments] == [
        ("nginx server=dual", ("c1",)),
        ("nginx server=quad", ("c1",)),
    ]


def test_a_number_of_drivers_that_all_of_them_make_is_one_level() -> None:
    one = on_bench(experiment(factor("server", "dual"), factor("drivers", "all", 2), subjects=[NGINX], compare=None))
    assert [(each.label, each.drivers) for each in one.treatments] == [("nginx", ("c1", "c2"))]
    assert any("merged" in note for note in one.notes)


def test_more_drivers_than_the_bench_has_are_refused_and_even_intervals_of_several() -> None:
    with pytest.raises(LimitedError, match="drivers = 3") as caught:
        on_bench(experiment(factor("server", "dual"), factor("drivers", 3), subjects=[NGINX], compare=None))
    assert "c1, c2" in caught.value.why
    even = Load("open", {"rate_per_s": (100,)}, {"arrivals": "uniform"}, warm_up_s=1, measure_s=3)
    asked = experiment(factor("server", "dual"), subjects=[NGINX], compare=None, load=even)
    with pytest.raises(LimitedError, match="even arrivals from 2 drivers"):
        on_bench(asked)
    one = on_bench(replace(asked, factors=(*asked.factors, factor("drivers", 1))))
    assert [each.drivers for each in one.treatments] == [("c1",)]


def test_a_number_of_drivers_without_a_bench_is_refused() -> None:
    with pytest.raises(LimitedError, match="there is no bench"):
        planned(experiment(factor("drivers", "all"), subjects=[NGINX], compare=None), machine=DUAL)
