"""What runs below the subjects: kernel, distribution, C library, compilers, and the hypervisor."""

import re
from collections.abc import Iterator

from headtohead.hosts.facts.cpu import field_of
from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model.machine.host import Fact

RELEASE_FILES = ("etc/os-release", "usr/lib/os-release")
# Tried in this order; each prints its version first.
COMPILERS = ("gcc", "clang", "rustc", "go")
CONTAINER_MARKS = (".dockerenv", "run/.containerenv")
BALLOON = "0x0005"
REPORTS_FREE_PAGES = 5
"""Bit of a balloon's features, the lowest first: VIRTIO_BALLOON_F_REPORTING of the virtio specification, 5.5.3."""
VIRTUAL_SYSTEMS = ("KVM", "VMware", "VirtualBox", "QEMU", "Virtual Machine", "HVM domU", "Google Compute", "Amazon EC2")


def read_software(tree: Tree) -> Iterator[Fact]:
    """Yield the facts of kernel, distribution, C library and compilers."""
    group = Group("software", tree)
    yield group.file("kernel", "proc/sys/kernel/osrelease")
    yield _said(group, "architecture", argv=("uname", "-m"))
    yield group.file("kernel build", "proc/sys/kernel/version")
    yield group.file("kernel command line", "proc/cmdline")
    yield _distribution(group)
    yield _said(group, "C library", argv=("getconf", "GNU_LIBC_VERSION"))
    for compiler in COMPILERS:
        yield _said(group, compiler, argv=(compiler, "version" if compiler == "go" else "--version"))


def read_virtualization(tree: Tree) -> Iterator[Fact]:
    """Yield whether the machine is a guest, and of which hypervisor."""
    group = Group("virtualization", tree)
    yield _hypervisor(group)
    yield _memory_taken_back(group)
    marks = [f"/{mark}" for mark in CONTAINER_MARKS if tree.is_there(mark)]
    kind = (tree.said(("systemd-detect-virt", "--container")) or "").strip()
    if kind and kind != "none":
        yield group.known("container", kind, source="systemd-detect-virt --container")
    elif marks:
        yield group.known("container", "yes", source=marks[0])
    else:
        yield group.known("container", "none seen", source=", ".join(f"/{mark}" for mark in CONTAINER_MARKS))


def _hypervisor(group: Group) -> Fact:
    tree = group.tree
    if tree.text("sys/hypervisor/type"):
        return group.file("hypervisor", "sys/hypervisor/type")
    system = " ".join(tree.text(f"sys/class/dmi/id/{file}") or "" for file in ("sys_vendor", "product_name"))
    guest = "hypervisor" in (field_of(tree.text("proc/cpuinfo") or "", "flags") or "").split()
    if not guest and not any(name in system for name in VIRTUAL_SYSTEMS):
        return group.known("hypervisor", "none", source="/proc/cpuinfo (no flag 'hypervisor'), /sys/class/dmi/id")
    vendor = re.search(r"^Hypervisor vendor:\s*(.+)$", tree.said(("lscpu",)) or "", re.MULTILINE)
    if vendor:
        return group.known("hypervisor", vendor[1], source="lscpu")
    kind = (tree.said(("systemd-detect-virt", "--vm")) or "").strip()
    if kind and kind != "none":
        return group.known("hypervisor", kind, source="systemd-detect-virt --vm")
    return group.known("hypervisor", "of an unknown kind", source="/proc/cpuinfo (flag 'hypervisor')")


def _memory_taken_back(group: Group) -> Fact:
    """Return whether the guest reports free pages to the hypervisor, which may take them back."""
    name, devices = "free memory taken back", "/sys/bus/virtio/devices"
    for each in group.tree.glob("sys/bus/virtio/devices/*"):
        path = each.relative_to(group.tree.root)
        if group.tree.text(f"{path}/device") == BALLOON:
            features = group.tree.text(f"{path}/features") or ""
            return group.known(name, features[REPORTS_FREE_PAGES : REPORTS_FREE_PAGES + 1] == "1", source=f"/{path}")
    return group.hidden(name, source=devices, why_not="no virtio balloon that would tell")


def _distribution(group: Group) -> Fact:
    for file in RELEASE_FILES:
        found = re.search(r'^PRETTY_NAME="?(.*?)"?$', group.tree.text(file) or "", re.MULTILINE)
        if found:
            return group.known("distribution", found[1], source=f"/{file}")
    return group.hidden("distribution", source=f"/{RELEASE_FILES[0]}", why_not=group.tree.why_not(RELEASE_FILES[0]))


def _said(group: Group, name: str, *, argv: tuple[str, ...]) -> Fact:
    first = (group.tree.said(argv) or "").strip().partition("\n")[0]
    source = " ".join(argv)
    return (
        group.known(name, first, source=source)
        if first
        else group.hidden(name, source=source, why_not=f"{argv[0]} is not installed")
    )
