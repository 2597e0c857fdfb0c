"""All facts about a host, group by group."""

from collections.abc import Callable, Iterable

from headtohead.hosts.facts.board import read_board
from headtohead.hosts.facts.caches import read_caches
from headtohead.hosts.facts.cpu import read_cpu
from headtohead.hosts.facts.disks import read_disks
from headtohead.hosts.facts.limits import read_limits
from headtohead.hosts.facts.load_now import sample_load
from headtohead.hosts.facts.memory import read_memory
from headtohead.hosts.facts.network import read_network
from headtohead.hosts.facts.numa import read_numa
from headtohead.hosts.facts.passport import read_passport
from headtohead.hosts.facts.power import read_power
from headtohead.hosts.facts.software import read_software, read_virtualization
from headtohead.hosts.facts.sysctls import read_sysctls
from headtohead.hosts.facts.topology import read_topology
from headtohead.hosts.kernel_files import Tree
from headtohead.model.machine.host import Fact, HostFacts

READERS: tuple[Callable[[Tree], Iterable[Fact]], ...] = (
    read_board,
    read_cpu,
    read_caches,
    read_memory,
    read_numa,
    read_topology,
    read_network,
    read_disks,
    read_software,
    read_virtualization,
    read_limits,
    read_sysctls,
)


def read_facts(name: str, *, tree: Tree | None = None) -> HostFacts:
    """Return the facts about this host, with the reason for those that cannot be read; takes a second or two.

    Load and power are sampled first: the other readings are load themselves.
    """
    look = tree or Tree()
    load = sample_load(look)
    power = tuple(read_power(look, load))
    facts = [fact for reader in READERS for fact in reader(look)]
    return HostFacts(name, (*facts, *power, *read_passport(look, load)))
