"""Which CPUs a treatment had and what they share, where its memory came from, and what 32-bit programs are."""

from dataclasses import replace

import pytest

from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.machine.topology import MemoryFrom, Shares
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Scalar
from headtohead.report.terminal.plan import Forecast, render_plan
from headtohead.report.text.cpus_and_memory_in_words import level_notes, memory_text, placement_sentences, shares_text
from headtohead.report.text.setup_names import setup_names
from tests.report import pages
from tests.report.plans import EXPERIMENTS, PLAN
from tests.report.sample import ANALYSIS, RECORDING

PAIR = Shares(2, 2, 1, 1, 3, 1, (0,))
APART = Shares(2, 2, 2, 2, 3, 2, (0, 2))
SIBLINGS = Shares(2, 1, 2, 1, 3, 1, (0,))


@pytest.mark.parametrize(
    ("shares", "text"),
    [
        (PAIR, "two cores of one package, one L3 cache"),
        (SIBLINGS, "both threads of one core of one package, one L3 cache"),
        (APART, "one thread of each of two cores of two packages, two L3 caches, two NUMA nodes"),
        (Shares(4, 2, 2, 1, 3, 1, (0,)), "all threads of two cores of one package, one L3 cache"),
        (Shares(3, 2, 2, 1, None, 1, (0,)), "three threads of two cores of one package, one last-level cache"),
        (Shares(12, 12, 1, None, None, 1, (0,)), "12 cores of one package"),
        (Shares(1, 1, 2, 1, 3, 1, (0,)), "one thread of a core, the rest of it idle"),
        (Shares(1, 1, 1, 1, 3, 1, (0,)), ""),
        (None, ""),
    ],
)
def test_what_cpus_share_is_said_in_words(shares: Shares | None, text: str) -> None:
    assert shares_text(shares) == text


def test_where_memory_comes_from_is_said_beside_the_node_of_the_cpus() -> None:
    assert memory_text(MemoryFrom("bind", (2,)), PAIR) == "node 2 alone (its CPUs are of node 0)"
    assert memory_text(MemoryFrom("interleave", (0, 1)), None) == "nodes 0 and 1, interleaved"
    assert memory_text(None, PAIR) == ""


def placed(**levels: tuple[Scalar, Scalar]) -> PlannedExperiment:
    """Return the sweep of kernels, its two treatments with these levels, the second on CPUs that are apart."""
    sweep = next(each for each in EXPERIMENTS if each.name == "kernel-sweep")
    first, second = (
        replace(each, levels={**each.levels, **{name: pair[at] for name, pair in levels.items()}})
        for at, each in enumerate(sweep.treatments)
    )
    near = replace(first, shares=SIBLINGS, cpus=(0, 8), memory=MemoryFrom("bind", (0,)))
    far = replace(second, shares=APART, cpus=(0, 4), memory=MemoryFrom("bind", (1,)))
    return replace(sweep, treatments=(near, far))


def rendered(planned: PlannedExperiment, *, hosts: tuple[HostFacts, ...] = ()) -> str:
    plan = replace(PLAN, experiments=tuple(planned if each.name == planned.name else each for each in EXPERIMENTS))
    return pages.markdown(ANALYSIS, replace(RECORDING, plan=plan, hosts=hosts)).replace("\\", "")


def test_the_values_stand_above_the_cpus_that_each_placement_came_to() -> None:
    planned = placed(placement=("siblings", "spread"))
    assert placement_sentences(planned) == (
        "cpus=2, placement=siblings: CPUs 0, 8, both threads of one core of one package, one L3 cache.",
        "cpus=2, placement=spread: CPUs 0, 4, one thread of each of two cores of two packages, two L3 caches, "
        "two NUMA nodes.",
    )
    text = rendered(planned)
    assert all(each in text for each in placement_sentences(planned))
    assert "- placement=siblings: whole cores, every thread of them." in text
    assert placement_sentences(planned)[1] in render_plan(
        replace(PLAN, experiments=(planned,)), Forecast(1.0, 1.0, {}), width=400
    )


def test_the_card_says_what_cpus_share_and_where_memory_came_from() -> None:
    result = next(each for each in ANALYSIS.experiments if each.name == "kernel-sweep")
    first = result.treatments[0]
    assert first.card is not None
    card = replace(first.card, shares=PAIR, memory=MemoryFrom("bind", (0,)))
    result = replace(result, treatments=(replace(first, card=card), *result.treatments[1:]))
    text = pages.markdown(replace(ANALYSIS, experiments=(result,)), RECORDING)
    assert "two cores of one package, one L3 cache" in text
    assert "node 0 alone" in text
    assert "Memory from" not in pages.markdown(ANALYSIS, RECORDING)


def test_levels_of_memory_are_explained_with_what_they_do_not_move() -> None:
    told = tuple(level_notes(placed(numa=("local", "remote")), ()))
    assert [each.partition(":")[0] for each in told[:2]] == ["numa=local", "numa=remote"]
    assert "page cache" in told[2]


@pytest.mark.parametrize(
    ("sizes", "architecture", "says"),
    [
        ((64, 32), None, "bits=32: 32-bit programs on a 64-bit kernel."),
        ((32, 32), "x86_64", "bits=32: 32-bit programs on a 64-bit kernel."),
        ((32, 32), "i686", "bits=32: 32-bit programs on a kernel whose word size is not visible."),
        ((64, 64), "x86_64", None),
    ],
)
def test_32_bit_programs_are_said_to_run_on_a_64_bit_kernel(
    sizes: tuple[int, int], architecture: str | None, says: str | None
) -> None:
    hosts = (HostFacts("local", (Fact("software", "architecture", architecture, None, "uname -m"),)),)
    text = rendered(placed(bits=sizes), hosts=hosts)
    assert ("32-bit programs" in text) == (says is not None)
    assert says is None or says in text


def test_memory_that_the_kernel_chooses_is_shown_as_that() -> None:
    planned = placed(numa=("default", "remote"))
    kernel = replace(planned.treatments[0], memory=None)
    sentences = placement_sentences(replace(planned, treatments=(kernel, planned.treatments[1])))
    assert "numa=default: " in sentences[0]
    assert sentences[0].endswith("; memory as the kernel chooses.")
    assert [each.partition(":")[0] for each in level_notes(planned, ())][:2] == ["numa=default", "numa=remote"]


def test_smt_is_shown_as_cores_and_their_threads() -> None:
    planned = placed(cpus=(1, 2), smt=("on", "off"))
    assert placement_sentences(planned)[1] == (
        "cpus=2, smt=off: CPUs 0, 4, one thread of each of two cores of two packages, two L3 caches, two NUMA nodes."
    )
    assert [each.partition(":")[0] for each in level_notes(planned, ())] == ["smt=on", "smt=off"]
    labels = ("a cpus=1 smt=on", "a cpus=2 smt=off")
    treatments = zip(planned.treatments, labels, strict=True)
    named = replace(planned, treatments=tuple(replace(each, label=label) for each, label in treatments))
    titles = {each.subject: "Kernels" for each in planned.treatments}
    assert list(setup_names(named, titles).values()) == [
        "Kernels on 1 core with all threads of each core",
        "Kernels on 2 cores with one thread of each core",
    ]


@pytest.mark.parametrize(
    ("shown", "names"),
    [
        ("a server={server}", ["Kernels on lab1", "Kernels on lab2"]),
        ("a cpus={cpus} server={server}", ["Kernels on 1 CPU of lab1", "Kernels on 2 CPUs of lab2"]),
    ],
)
def test_a_setup_is_on_its_server(shown: str, names: list[str]) -> None:
    planned = placed(cpus=(1, 2))
    treatments = tuple(
        replace(each, levels=levels, label=shown.format(**levels))
        for each, server in zip(planned.treatments, ("lab1", "lab2"), strict=True)
        for levels in [{**each.levels, "server": server}]
    )
    titles = {each.subject: "Kernels" for each in treatments}
    assert list(setup_names(replace(planned, treatments=treatments), titles).values()) == names


def test_a_forum_is_over_its_database_which_has_its_title() -> None:
    planned = placed(cpus=(1, 2))
    treatments = tuple(
        replace(each, levels=levels, label="a cpus={cpus} database={database}".format(**levels))
        for each, database in zip(planned.treatments, ("mariadb", "h2"), strict=True)
        for levels in [{**each.levels, "database": database}]
    )
    titles = {**{each.subject: "Board" for each in treatments}, "mariadb": "MariaDB, a server"}
    named = setup_names(replace(planned, treatments=treatments), titles)
    assert list(named.values()) == ["Board over MariaDB on 1 CPU", "Board over h2 on 2 CPUs"]


def test_a_number_of_cores_names_the_idle_threads_where_there_are_some() -> None:
    sentences = placement_sentences(placed(cpus=(1, 2)))
    assert sentences[1].startswith("cpus=2: CPUs 0, 4, one thread of each of two cores")
