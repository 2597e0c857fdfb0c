"""Machines as values: by how many nodes, cores and CPUs a core."""

from headtohead.model.machine.host import Cpu, Machine


def machine(*, nodes: int = 1, cores: int = 2, siblings: int = 1) -> Machine:
    """Return a machine numbered as Linux does: first one CPU of every core, then their siblings."""
    count = nodes * cores
    cpus = tuple(
        Cpu(index=sibling * count + node * cores + core, node=node, package=node, core=core)
        for sibling in range(siblings)
        for node in range(nodes)
        for core in range(cores)
    )
    return Machine(name="made-up", cpus=cpus, root=True)
