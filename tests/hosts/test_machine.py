from pathlib import Path

from headtohead.describe.home import find_home
from headtohead.describe.subjects import read_subject
from headtohead.hosts.fake import FakeHost
from headtohead.hosts.machine import read_cpus, read_machine
from headtohead.model.host import Cpu
from tests.hosts.recorded_trees import unpack


def test_siblings_share_package_and_core(tmp_path: Path) -> None:
    cpus = read_cpus(unpack("two-sockets", tmp_path), allowed=range(8))
    assert cpus[:2] == (Cpu(0, 0, 0, 0), Cpu(1, 0, 0, 1))
    assert cpus[4] == Cpu(4, 0, 0, 0)
    assert cpus[7] == Cpu(7, 1, 1, 3)
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
    assert set(machine.lacks) == {"cpu_quota", "memory_mib"}
    assert "only root" in machine.lacks["cpu_quota"]


def test_on_one_node_without_siblings_numa_smt_kernel_tls_and_huge_pages_are_lacking(tmp_path: Path) -> None:
    machine = read_machine((), host=FakeHost(), tree=unpack("small-guest", tmp_path), allowed={0})
    assert set(machine.lacks) == {"cpu_quota", "memory_mib", "numa", "smt", "ktls=on", "huge_pages=on"}
    assert "tcp_available_ulp" in machine.lacks["ktls=on"]
    assert machine.lacks["cpu_quota"] == "the cpu controller at /sys/fs/cgroup/cpu is read-only here"
    assert machine.lacks["memory_mib"] == "no control group hierarchy with the memory controller is mounted here"


def test_a_level_whose_packages_are_not_installed_is_lacking(tmp_path: Path) -> None:
    kernels = read_subject(find_home().subjects / "c-kernels", home=find_home())
    host = FakeHost(
        say=lambda argv: "installed\tgcc\tamd64\ninstalled\tgcc-multilib\tamd64\n" * (argv[0] == "dpkg-query")
    )
    machine = read_machine((kernels,), host=host, tree=unpack("two-sockets", tmp_path), allowed=range(8))
    assert set(machine.lacks) == {"compiler=clang"}
    assert "clang" in machine.lacks["compiler=clang"]


def test_half_of_a_core_has_no_sibling_to_choose(tmp_path: Path) -> None:
    machine = read_machine((), host=FakeHost(), tree=unpack("two-sockets", tmp_path), allowed={0, 1})
    assert set(machine.lacks) == {"numa", "smt"}
