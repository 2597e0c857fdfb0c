"""Servers head to head: the machines side by side, each with its own facts, prices and energy."""

from dataclasses import replace

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.external.prices import Power, Price, Stated, System, SystemPrice
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.plan import Comparison, Treatment
from headtohead.model.quantity import Scalar
from headtohead.model.record import Recording
from headtohead.report.document import Section, Table, every_block
from headtohead.report.study.study_page import study_page
from tests.analyze.building import ALPHA, experiment, load_record, plan, readings, recorded, run, treatment
from tests.report import pages

DAY = "2026-11-01"


def on(server: str, *, cpus: int) -> Treatment:
    return replace(
        treatment(f"nginx server={server}", subject="nginx", levels={"subject": "nginx", "server": server}),
        server=server,
        drivers=("c1", "c2"),
        cpus=tuple(range(cpus)),
        driver_cpus=(),
    )


def host(label: str, threads: int, *others: Fact) -> HostFacts:
    told: dict[str, Scalar] = {"model": f"CPU of {label}", "cores": threads, "threads": threads}
    return HostFacts(label, (*(Fact("cpu", name, value, None, "made up") for name, value in told.items()), *others))


DUAL = host(
    "dual",
    2,
    Fact("memory", "total", 8 * 1024**3, "B", "made up"),
    Fact("network", "eth0 driver", "igb", None, "made up"),
    Fact("network", "eth0 speed", 1_000_000_000, "bit/s", "made up"),
    Fact("disks", "sda model", "A DISK", None, "made up"),
)
QUAD = host("quad", 4)
DRIVERS = (host("c1", 8), host("c2", 8))


def system(title: str, amount: float, watts: float) -> System:
    price = SystemPrice(Price(amount, "EUR", DAY, "an offer"), "once", 1.0, "")
    return System(title, {}, price=price, power=Power(None, watts, "A. Person", DAY, "meter at the wall"))


def study(stated: Stated | None = None) -> Recording:
    of = experiment(
        name="page",
        compare="server",
        treatments=(on("dual", cpus=2), on("quad", cpus=4)),
        comparisons=(Comparison("server", "nginx server=dual", "nginx server=quad", {}, ALPHA),),
    )
    runs = [
        recorded(
            replace(
                run(f"nginx server={label}", number=2 * block + place, block=block, place=place, experiment="page"),
                hosts={"sut": label, "drivers": ("c1", "c2")},
            ),
            records=[load_record(rate + block)],
            monitors=readings(subject_cpu_ns=0.5),
        )
        for block in range(1, 7)
        for place, (label, rate) in enumerate((("dual", 1000.0), ("quad", 2000.0)), start=1)
    ]
    return Recording("servers", plan(of), (DUAL, QUAD, *DRIVERS), tuple(runs), stated=stated or Stated())


def machines(recording: Recording) -> Section:
    page = study_page(analyze(recording), recording, pictures=False)
    return next(each for each in page.sections if each.anchor == "machines")


def rows(recording: Recording) -> dict[str, list[str]]:
    (table,) = (each for each in every_block(machines(recording).blocks) if isinstance(each, Table))
    assert table.columns == ("dual", "quad")
    return {row.head: [cell.text for cell in row.cells] for group in table.groups for row in group.rows}


def test_the_machines_are_side_by_side_each_with_its_own_facts() -> None:
    found = rows(study())
    assert found["CPU"] == ["CPU of dual", "CPU of quad"]
    assert found["Cores"] == ["2 cores, 2 threads", "4 cores, 4 threads"]
    assert found["Memory"] == ["8.00 GiB", "not visible"]
    assert found["Network"] == ["eth0 igb, 1.00 Gbit/s", "not visible"]
    assert found["Disks"] == ["sda A DISK", "not visible"]
    assert found["Price"] == ["not given", "not given"]


def test_the_page_says_that_they_were_interleaved_on_one_day_by_the_same_drivers() -> None:
    text = pages.markdown(analyze(study()), study())
    assert "These two machines, on 20 November 2026, interleaved: each block has every setup on every machine" in text
    assert "Requests came from the same load generators: c1 and c2." in text
    assert "Only dual and quad were compared, each as it is" in text
    assert "nginx web server on quad is 100 % faster than on dual: " in text
    assert 'For these machines; "at least": the low end of an interval.' in text
    head = study_page(analyze(study()), study()).head[0]
    assert head.startswith("dual: 2 CPUs, CPU of dual, 8.00 GiB of memory | quad: 4 CPUs, CPU of quad;")


def test_a_study_of_one_server_has_no_such_table() -> None:
    whole = study()
    of = whole.plan.experiments[0]
    alone = replace(of, treatments=of.treatments[:1], comparisons=())
    runs = tuple(each for each in whole.runs if each.run.label == "nginx server=dual")
    recording = replace(whole, plan=plan(alone), runs=runs)
    assert "machines" not in [each.anchor for each in study_page(analyze(recording), recording).sections]
    assert "interleaved" not in pages.markdown(analyze(recording), recording)


def test_prices_and_energy_are_those_of_the_server_that_did_the_work() -> None:
    given = Stated(servers={"dual": system("A dual", 8766.0, 100.0), "quad": system("A quad", 2 * 8766.0, 300.0)})
    recording = study(given)
    assert rows(recording)["Price"] == ["8,766 EUR (1 November 2026)", "17,532 EUR (1 November 2026)"]
    assert rows(recording)["Power under load"] == ["100 W", "300 W"]
    dual, quad = analyze(recording).experiments[0].treatments
    assert dual.price is not None
    assert quad.price is not None
    assert quad.price.per_million.value == pytest.approx(dual.price.per_million.value, rel=0.01)
    assert (dual.energy[0].joules.value, quad.energy[0].joules.value) == pytest.approx((0.1, 0.15), rel=0.01)
    text = pages.markdown(analyze(recording), recording)
    assert "The system dual costs 8,766 EUR" in text
    assert "The system quad costs 17,532 EUR" in text
    assert "energy rests on what was given under load: 100 W of dual (by A. Person" in text
    assert "and 300 W of quad (by" in text


def test_a_server_without_a_price_has_none_and_costs_nothing_of_another() -> None:
    recording = study(Stated(servers={"quad": system("A quad", 8766.0, 300.0)}))
    dual, quad = analyze(recording).experiments[0].treatments
    assert (dual.price, dual.energy) == (None, ())
    assert quad.price is not None
    assert rows(recording)["Price"] == ["not given", "8,766 EUR (1 November 2026)"]
