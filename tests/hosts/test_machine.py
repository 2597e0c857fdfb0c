from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.describe.subject.subjects import read_subject
from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.machine.resources import read_cpus, read_machine, read_nodes
from headtohead.model.machine.host import Cpu
from tests.hosts.recorded_trees import unpack


def test_siblings_share_package_and_core(tmp_path: Path) -> None:
    cpus = read_cpus(unpack("two-sockets", tmp_path), allowed=range(8))
    assert cpus[:2] == (Cpu(0, 0, 0, 0, 0, 3), Cpu(1, 0, 0, 1, 0, 3))
    assert cpus[4] == Cpu(4, 0, 0, 0, 0, 3)
    assert cpus[7] == Cpu(7, 1, 1, 3, 2, 3)
    assert len({(each.package, each.core) for each in cpus}) == 4


def test_cpus_that_we_may_not_run_on_are_not_given_out(tmp_path: Path) -> None:
    cpus = read_cpus(unpack("two-sockets", tmp_path), allowed={2, 3, 9})
    assert [each.index for each in cpus] == [2, 3]


def test_a_two_socket_server_lacks_nothing(tmp_path: Path) -> None:
    machine = read_machine((), host=FakeHost(), tree=unpack("two-sockets", tmp_path), allowed=range(8))
    assert machine.lacks == {}
    assert machine.root


def test_what_an_ordinary_user_cannot_set_is_lacking_with_the_reason(tmp_path: Path) -> None:
    tree = unpack("two-sockets", tmp_path, root=False)
    machine = read_machine((), host=FakeHost(), tree=tree, allowed=range(8))
    assert set(machine.lacks) == {"cpu_quota", "memory_mib", "link"}
    assert "only root" in machine.lacks["cpu_quota"]
    assert "only root" in machine.lacks["link"]


@pytest.mark.parametrize(
    ("lacking", "why"),
    [
        ("ip", "ip is not installed (package iproute2)"),
        ("tc", "tc is not installed (package iproute2)"),
        ("unshare", "makes no network namespace with a veth pair"),
    ],
)
def test_a_machine_that_cannot_join_namespaces_lacks_links(lacking: str, why: str, tmp_path: Path) -> None:
    tree = unpack("two-sockets", tmp_path)
    here = replace(tree, said=lambda argv: None if argv[0] == lacking else tree.said(argv))
    machine = read_machine((), host=FakeHost(), tree=here, allowed=range(8))
    assert set(machine.lacks) == {"link"}
    assert why in machine.lacks["link"]


def test_on_one_node_numa_kernel_tls_and_huge_pages_are_lacking(tmp_path: Path) -> None:
    machine = read_machine((), host=FakeHost(), tree=unpack("small-guest", tmp_path), allowed={0})
    assert set(machine.lacks) == {"cpu_quota", "memory_mib", "numa", "ktls=on", "huge_pages=on"}
    assert "tcp_available_ulp" in machine.lacks["ktls=on"]
    assert machine.lacks["cpu_quota"] == "the cpu controller at /sys/fs/cgroup/cpu is read-only here"
    assert machine.lacks["memory_mib"] == "no control group hierarchy with the memory controller is mounted here"


def test_a_level_whose_packages_are_not_installed_is_lacking(tmp_path: Path) -> None:
    kernels = read_subject(find_home().subjects / "c-kernels", home=find_home())
    host = FakeHost(
        say=lambda argv: "installed\tgcc\tamd64\ninstalled\tgcc-multilib\tamd64\n" * (argv[0] == "dpkg-query")
    )
    machine = read_machine((kernels,), host=host, tree=unpack("two-sockets", tmp_path), allowed=range(8))
    assert set(machine.lacks) == {"compiler=clang with c-kernels"}
    assert "clang" in machine.lacks["compiler=clang with c-kernels"]


def test_the_last_level_cache_is_the_one_of_the_highest_level(tmp_path: Path) -> None:
    cpus = read_cpus(unpack("one-socket-two-caches", tmp_path), allowed=range(8))
    assert [each.cache for each in cpus] == [0, 0, 0, 0, 4, 4, 4, 4]
    assert {each.cache_level for each in cpus} == {3}


def test_a_machine_that_hides_its_caches_has_none_to_go_by(tmp_path: Path) -> None:
    cpus = read_cpus(unpack("small-guest", tmp_path), allowed={0})
    assert [(each.cache, each.cache_level) for each in cpus] == [(None, None)]


def test_nodes_have_the_distances_of_the_kernels_table(tmp_path: Path) -> None:
    nodes = read_nodes(unpack("four-sockets-in-a-ring", tmp_path))
    assert [each.index for each in nodes if each.has_memory] == [0, 1, 2, 3]
    assert nodes[1].distances == {0: 16, 1: 10, 2: 16, 3: 22}


def test_memory_that_we_may_not_use_is_none(tmp_path: Path) -> None:
    tree = unpack("two-sockets", tmp_path)
    (tmp_path / "proc/self/status").write_text("Name:\tcat\nMems_allowed_list:\t1\n")
    assert [(each.index, each.has_memory) for each in read_nodes(tree)] == [(0, False), (1, True)]
    lacks = read_machine((), host=FakeHost(), tree=tree, allowed=range(8)).lacks
    assert lacks == {"numa": "all memory that may be used belongs to one NUMA node"}


def test_a_policy_that_could_not_be_read_back_is_lacking(tmp_path: Path) -> None:
    tree = unpack("two-sockets", tmp_path)
    (tmp_path / "proc/self/numa_maps").unlink()
    assert "numa_maps" in read_machine((), host=FakeHost(), tree=tree, allowed=range(8)).lacks["numa"]


@pytest.mark.parametrize(
    ("arch", "abi", "cmdline", "why"),
    [
        ("x86_64", "vsyscall32", "ro", None),
        ("x86_64", "ldt16", "ro", "built without 32-bit programs"),
        ("x86_64", "vsyscall32", "ro ia32_emulation=0", "set at boot"),
        ("x86_64", "vsyscall32", "ro ia32_emulation=off ia32_emulation=on", None),
        ("x86_64", "", "ro", None),
        ("aarch64", "cp15_barrier", "ro", None),
    ],
)
def test_a_kernel_without_32_bit_programs_lacks_that_level(
    arch: str, abi: str, cmdline: str, why: str | None, tmp_path: Path
) -> None:
    tree = unpack("two-sockets", tmp_path, said={"uname": f"{arch}\n"})
    (tmp_path / "proc/cmdline").write_text(cmdline)
    if abi:
        (tmp_path / "proc/sys/abi").mkdir()
        (tmp_path / "proc/sys/abi" / abi).write_text("1\n")
    told = read_machine((), host=FakeHost(), tree=tree, allowed=range(8)).lacks.get("bits=32")
    assert (told is None) if why is None else (told is not None and why in told)
