"""The CPUs: model, topology, clocks, and mitigations."""

import re
from collections.abc import Iterator

from headtohead.hosts.kernel_files import Group, Tree, cpu_list
from headtohead.model.machine.host import Fact

CPUS = "sys/devices/system/cpu"
INFO = "proc/cpuinfo"
# Keys of /proc/cpuinfo on x86, and the equivalent ones on ARM.
FIELDS = {
    "vendor": ("vendor_id", "CPU implementer"),
    "model": ("model name", "Processor"),
    "family": ("cpu family", "CPU architecture"),
    "model number": ("model", "CPU part"),
    "stepping": ("stepping", "CPU revision"),
    "microcode": ("microcode",),
}
HZ_PER_KHZ = 1_000
HZ_PER_MHZ = 1_000_000


def read_cpu(tree: Tree) -> Iterator[Fact]:
    """Yield the facts of the CPUs."""
    group = Group("cpu", tree)
    info = tree.text(INFO) or ""
    for name, keys in FIELDS.items():
        found = next((value for key in keys if (value := field_of(info, key))), None)
        if found is None:
            yield group.hidden(name, source=f"/{INFO}", why_not=f"/{INFO} has no line {keys[0]!r}")
        else:
            yield group.known(name, found, source=f"/{INFO}")
    yield from _counts(group)
    yield from _clocks(group, info)
    yield from _mitigations(group)


def instructions_of(tree: Tree) -> str:
    """Return what identifies this CPU to a compiler: vendor, family, model, stepping and flags.

    A virtual machine may hide flags that the model has, so the model's name is not enough.
    """
    info = tree.text(INFO) or ""
    keys = [key for name in ("vendor", "family", "model number", "stepping") for key in FIELDS[name]]
    return "\n".join(f"{key}: {field_of(info, key) or ''}" for key in (*keys, "flags", "Features"))


def field_of(info: str, key: str) -> str | None:
    """Return the first value of a key of /proc/cpuinfo."""
    found = re.search(rf"^{re.escape(key)}\s*:\s*(.+)$", info, re.MULTILINE)
    return found[1].strip() if found else None


def _counts(group: Group) -> Iterator[Fact]:
    tree = group.tree
    online = cpu_list(tree.text(f"{CPUS}/online") or "")
    if not online:
        for name in ("sockets", "cores", "threads"):
            yield group.hidden(name, source=f"/{CPUS}/online", why_not=tree.why_not(f"{CPUS}/online"))
        return
    place = f"{CPUS}/cpu{{}}/topology"
    packages = {tree.text(f"{place.format(cpu)}/physical_package_id") for cpu in online}
    cores = {tree.text(f"{place.format(cpu)}/thread_siblings_list") or str(cpu) for cpu in online}
    yield group.known("sockets", len(packages), source=f"/{CPUS}/cpu*/topology/physical_package_id")
    yield group.known("cores", len(cores), source=f"/{CPUS}/cpu*/topology/thread_siblings_list")
    yield group.known("threads", len(online), source=f"/{CPUS}/online")
    offline = tree.text(f"{CPUS}/offline")
    if offline:
        yield group.known("CPUs offline", offline, source=f"/{CPUS}/offline")


def _clocks(group: Group, info: str) -> Iterator[Fact]:
    base = f"{CPUS}/cpu0/cpufreq"
    named = re.search(r"@ ([\d.]+)\s?GHz", field_of(info, "model name") or "")
    if group.tree.integer(f"{base}/base_frequency") is None and named:
        yield group.known("base clock", round(float(named[1]) * 1e9), source=f"the model's name in /{INFO}", unit="Hz")
    else:
        yield group.number("base clock", f"{base}/base_frequency", unit="Hz", scale=HZ_PER_KHZ)
    yield group.number("lowest clock", f"{base}/cpuinfo_min_freq", unit="Hz", scale=HZ_PER_KHZ)
    yield group.number("highest clock", f"{base}/cpuinfo_max_freq", unit="Hz", scale=HZ_PER_KHZ)
    cpus = [each.name for each in group.tree.glob(f"{CPUS}/cpu[0-9]*")]
    now = [khz for cpu in cpus if (khz := group.tree.integer(f"{CPUS}/{cpu}/cpufreq/scaling_cur_freq"))]
    listed = [float(mhz) for mhz in re.findall(r"^cpu MHz\s*:\s*([\d.]+)", info, re.MULTILINE)]
    name = "clock now, mean of CPUs"
    if now:
        mean = round(sum(now) / len(now) * HZ_PER_KHZ)
        yield group.known(name, mean, source=f"/{CPUS}/cpu*/cpufreq/scaling_cur_freq", unit="Hz")
    elif listed:
        mean = round(sum(listed) / len(listed) * HZ_PER_MHZ)
        yield group.known(name, mean, source=f"/{INFO} (cpu MHz; without cpufreq this is the nominal clock)", unit="Hz")
    else:
        yield group.hidden(
            name, source=f"/{CPUS}/cpu*/cpufreq/scaling_cur_freq", why_not="this machine has no cpufreq driver"
        )


def _mitigations(group: Group) -> Iterator[Fact]:
    place = f"{CPUS}/vulnerabilities"
    found = group.tree.glob(f"{place}/*")
    if not found:
        yield group.hidden("mitigations", source=f"/{place}", why_not=group.tree.why_not(place))
    for each in found:
        yield group.file(f"mitigation {each.name}", f"{place}/{each.name}")
