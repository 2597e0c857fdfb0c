"""The network interfaces: driver, firmware and speed. Addresses are left out, as results are published."""

from collections.abc import Iterator

from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model.machine.host import Fact

NICS = "sys/class/net"
BITS_PER_MBIT = 1_000_000


def read_network(tree: Tree) -> Iterator[Fact]:
    """Yield the facts of the interfaces that have a device; the others are named only."""
    group = Group("network", tree)
    names = [each.name for each in tree.glob(f"{NICS}/*") if tree.is_there(f"{NICS}/{each.name}/mtu")]
    real = [name for name in names if tree.is_there(f"{NICS}/{name}/device")]
    if not real:
        yield group.hidden(
            "interfaces", source=f"/{NICS}/*/device", why_not="no network interface has a device of its own"
        )
    for name in real:
        yield from _interface(group, name)
    virtual = [name for name in names if name not in real]
    if virtual:
        yield group.known("virtual interfaces", ", ".join(virtual), source=f"/{NICS}")


def _interface(group: Group, name: str) -> Iterator[Fact]:
    tree, place = group.tree, f"{NICS}/{name}"
    driver = tree.link_name(f"{place}/device/driver") or tree.text(f"{place}/device/driver/name")
    source = f"/{place}/device/driver"
    if driver:
        yield group.known(f"{name} driver", driver, source=source)
    else:
        yield group.hidden(f"{name} driver", source=source, why_not="the device names no driver")
    firmware = tree.firmware(name)
    if firmware:
        yield group.known(f"{name} firmware", firmware, source="ioctl SIOCETHTOOL (ethtool -i)")
    else:
        why = "the driver reports no firmware version"
        yield group.hidden(f"{name} firmware", source="ioctl SIOCETHTOOL (ethtool -i)", why_not=why)
    speed = tree.integer(f"{place}/speed")
    if speed is not None and speed > 0:
        yield group.known(f"{name} speed", speed * BITS_PER_MBIT, source=f"/{place}/speed", unit="bit/s")
    else:
        yield group.hidden(f"{name} speed", source=f"/{place}/speed", why_not="the driver reports no link speed")
    yield group.number(f"{name} MTU", f"{place}/mtu", unit="B")
    queues = len(tree.glob(f"{place}/queues/rx-*"))
    if queues:
        yield group.known(f"{name} receive queues", queues, source=f"/{place}/queues")
