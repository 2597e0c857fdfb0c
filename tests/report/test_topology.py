"""The drawn machine and bench: every CPU once, where it sits and who had it; all of it within the picture."""

import re
from xml.etree import ElementTree

import pytest

from headtohead.model.machine.host import Fact, HostFacts
from headtohead.report.drawing.chart_style import NARROW, WIDE
from headtohead.report.machine.cpu_allocation import arrangements, draw_arrangements
from headtohead.report.machine.cpu_tree import MOST_CPUS, cpu_tree_of, cpus_of
from headtohead.report.machine.topology import MOST_DRAWN, draw_topology, topology_sentences
from tests.report.facts import FACTS
from tests.report.plans import PLAN
from tests.report.sample import RECORDING

SVG = "{http://www.w3.org/2000/svg}"
LETTER = 5.2
"""About as narrow as a letter of 12 px gets on average: what is wider than the picture even so is cut off."""


def host(**topology: str) -> HostFacts:
    """Return a machine of two packages and nodes, four cores of two threads, a last-level cache each package."""
    told = {"package": "0-1,4-5 | 2-3,6-7", "core": "0,4 | 1,5 | 2,6 | 3,7", "last-level cache": "0-1,4-5 | 2-3,6-7"}
    told = {**told, **topology}
    facts = [Fact("topology", f"CPUs of each {name}", value, None, "/sys") for name, value in told.items()]
    facts += [
        Fact("numa", f"node{n} {what}", value, unit, "/sys")
        for n, cpus in enumerate(("0-1,4-5", "2-3,6-7"))
        for what, value, unit in (("CPUs", cpus, None), ("memory", 2**34, "B"))
    ]
    caches = (("L1 data", "0,4 | 1,5 | 2,6 | 3,7", 32768, 4), ("L3", "0-1,4-5 | 2-3,6-7", 2**25, 2))
    for name, shared, size, number in caches:
        facts.append(Fact("caches", f"{name} size", size, "B", "/sys"))
        facts.append(Fact("caches", f"{name} instances", number, None, "/sys"))
        facts.append(Fact("caches", f"{name} shared by CPUs", shared, None, "/sys"))
    return HostFacts("server", tuple(facts))


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def big(cpus: int) -> HostFacts:
    """Return a machine of one package with so many cores, two of them beneath each last-level cache."""
    pairs = " | ".join(f"{n}-{n + 1}" for n in range(0, cpus, 2))
    told = {"package": f"0-{cpus - 1}", "core": " | ".join(map(str, range(cpus))), "last-level cache": pairs}
    return HostFacts("big", tuple(Fact("topology", f"CPUs of each {n}", v, None, "/sys") for n, v in told.items()))


def test_cpus_sit_where_the_facts_say() -> None:
    seats = cpu_tree_of(host())
    assert seats is not None
    assert [(cpu.package, cpu.node, cpu.core, cpu.cache, cpu.cache_level) for cpu in seats.cpus[:3]] == [
        (0, 0, 0, 0, 3),
        (0, 0, 1, 0, 3),
        (1, 1, 2, 2, 3),
    ]
    assert [cpu.core for cpu in seats.cpus[4:]] == [0, 1, 2, 3]
    assert seats.hidden == ()


def test_a_folder_of_before_these_facts_is_told_by_caches_and_nodes() -> None:
    old = HostFacts(
        "old",
        (
            Fact("cpu", "sockets", 1, None, "/sys"),
            Fact("cpu", "threads", 4, None, "/sys"),
            *(each for each in host().facts if each.group == "caches" and "shared" in each.name),
        ),
    )
    seats = cpu_tree_of(old)
    assert seats is not None
    assert [(cpu.index, cpu.package, cpu.core) for cpu in seats.cpus] == [(0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 0, 3)]


def test_what_the_facts_do_not_tell_is_not_drawn_as_if_they_did() -> None:
    (chart,) = draw_topology(FACTS, prefix="s")
    assert "which CPUs share a core and which CPUs share a last-level cache" in chart.caption
    assert not [text for text in texts(chart.wide) if "core" in text]


def test_every_cpu_is_drawn_once_with_its_package_cache_and_memory() -> None:
    (chart,) = draw_topology(host(), prefix="s")
    for svg in (chart.wide, chart.narrow):
        told = texts(svg)
        assert sorted(text for text in told if text.isdecimal()) == [str(n) for n in range(8)]
        assert [text for text in told if text.startswith("Package")] == [
            "Package 0: 2 cores, 4 CPUs",
            "Package 1: 2 cores, 4 CPUs",
        ]
        assert "node 1, 16.0 GiB, L3 32.0 MiB" in told


def test_the_same_stands_there_in_words() -> None:
    assert topology_sentences(host()) == (
        "Package 0: node 0, 16.0 GiB, L3 32.0 MiB: CPUs 0-1, 4-5.",
        "Package 1: node 1, 16.0 GiB, L3 32.0 MiB: CPUs 2-3, 6-7.",
        "Caches: 4 x L1 data 32.0 KiB, 2 x L3 32.0 MiB.",
    )


@pytest.mark.parametrize("machine", [host(), FACTS, big(2), big(64), big(MOST_DRAWN)], ids=lambda each: each.name)
def test_nothing_reaches_out_of_the_picture(machine: HostFacts) -> None:
    (chart,) = draw_topology(machine, prefix="s")
    (bench,) = draw_arrangements(RECORDING)
    for svg, width in ((chart.wide, WIDE), (chart.narrow, NARROW), (bench.wide, WIDE), (bench.narrow, NARROW)):
        root = ElementTree.fromstring(svg)
        height = float(root.attrib["viewBox"].split()[3])
        for each in root.iter(f"{SVG}rect"):
            left, top, wide, high = (float(each.attrib[name]) for name in ("x", "y", "width", "height"))
            assert 0 <= left <= left + wide <= width
            assert 0 <= top <= top + high <= height
        for each in root.iter(f"{SVG}text"):
            assert 0 < float(each.attrib["y"]) <= height
            if "middle" not in each.attrib["style"]:
                assert float(each.attrib["x"]) + LETTER * len(each.text or "") <= width


def test_a_machine_of_too_many_cpus_is_told_and_not_drawn() -> None:
    many = big(MOST_DRAWN + 2)
    assert draw_topology(many, prefix="s") == ()
    assert topology_sentences(many)
    assert cpu_tree_of(big(MOST_CPUS + 2)) is None


@pytest.mark.parametrize("text", ["0-99999999999999", "x", "0 | <script>", "", "1,,2"])
def test_a_list_that_is_none_is_not_believed(text: str) -> None:
    assert cpus_of(text) == ()


def test_what_a_name_says_stays_text() -> None:
    hostile = HostFacts("<script>alert(1)</script>", host().facts)
    (chart,) = draw_topology(hostile, prefix="s")
    assert "<script" not in chart.wide


def test_every_arrangement_of_the_study_is_told_once() -> None:
    assert [each.text for each in arrangements(PLAN)] == [
        "Load generator on CPU 1 sends requests over the loopback to the program on CPU 0: static-page; threads.",
        "Program on CPU 0, no load generator: rsa (openssl cpus=1).",
        "Program on CPUs 0-1, no load generator: rsa (openssl cpus=2); kernel-sweep.",
    ]


def test_letters_tell_who_had_a_cpu_as_well_as_colors() -> None:
    (chart,) = draw_arrangements(RECORDING)
    letters = [text for text in texts(chart.wide) if re.fullmatch("P|L|PL", text)]
    assert letters == ["P", "L", "P", "P", "P"]


def test_a_lone_node_needs_no_name_and_a_cache_without_a_size_is_one() -> None:
    assert topology_sentences(big(4)) == ("Package 0: one cache: CPUs 0-1; one cache: CPUs 2-3.",)
