"""The noise passport: the state of what is known to disturb measurements (METHOD.md section 7)."""

import os
import re
from collections.abc import Iterator

from headtohead.hosts.facts.load_now import LoadNow, cpu_times
from headtohead.hosts.facts.memory import kib_of
from headtohead.hosts.facts.sysctls import path_of
from headtohead.hosts.kernel_files import Group, Tree
from headtohead.hosts.processes import all_pids, name_of
from headtohead.model.machine.host import Fact
from headtohead.model.machine.settings import HALT_POLL_FILE

CPUS = "sys/devices/system/cpu"
CLOCKS = "sys/devices/system/clocksource/clocksource0"
THP = "sys/kernel/mm/transparent_hugepage"
KIB = 1024
PERCENT = 100.0
# Programs that wake up by themselves and work: cron's kinds, updaters, indexers.
WAKERS = frozenset(
    {"cron", "crond", "atd", "anacron", "systemd", "unattended-upgr", "packagekitd", "snapd", "updatedb", "mlocate"}
)
SETTINGS = {
    "address space randomization": "kernel.randomize_va_space",
    "perf sampling rate": "kernel.perf_event_max_sample_rate",
    "NUMA balancing": "kernel.numa_balancing",
    "swappiness": "vm.swappiness",
    "overcommit": "vm.overcommit_memory",
    "TCP metrics not saved": "net.ipv4.tcp_no_metrics_save",
    "TCP congestion control": "net.ipv4.tcp_congestion_control",
}


def read_passport(tree: Tree, load: LoadNow | None) -> Iterator[Fact]:
    """Yield the sources of noise; ``load`` is the half-second sample."""
    group = Group("passport", tree)
    yield from _clock_facts(group)
    yield from _isolation(group)
    names = (
        {name_of(pid, tree.root / "proc") for pid in all_pids(tree.root / "proc")} if tree.is_there("proc") else set()
    )
    yield group.known("IRQ balancing runs", "irqbalance" in names, source="/proc/*/comm (irqbalance)")
    wakers = ", ".join(sorted(names & WAKERS))
    yield group.known("timers and updaters running", wakers or "none seen", source="/proc/*/comm")
    for name, key in SETTINGS.items():
        yield group.file(name, path_of(key).removeprefix("/"))
    yield _chosen(group, "transparent huge pages", path=f"{THP}/enabled")
    yield _chosen(group, "transparent huge pages, defragmentation", path=f"{THP}/defrag")
    yield from _memory(group)
    yield from _heat(group)
    yield from _load(group, load)
    yield from _boot(group)


def _clock_facts(group: Group) -> Iterator[Fact]:
    tree = group.tree
    yield _each_cpu(group, "governor", file="cpufreq/scaling_governor")
    yield _each_cpu(group, "frequency driver", file="cpufreq/scaling_driver")
    for name, file in (("frequency floor", "scaling_min_freq"), ("frequency ceiling", "scaling_max_freq")):
        yield _each_cpu(group, name, file=f"cpufreq/{file}", unit="kHz")
    no_turbo = tree.integer(f"{CPUS}/intel_pstate/no_turbo")
    boost = tree.integer(f"{CPUS}/cpufreq/boost")
    if no_turbo is not None:
        yield group.known("turbo", "off" if no_turbo else "on", source=f"/{CPUS}/intel_pstate/no_turbo")
    elif boost is not None:
        yield group.known("turbo", "on" if boost else "off", source=f"/{CPUS}/cpufreq/boost")
    else:
        source = f"/{CPUS}/intel_pstate/no_turbo, /{CPUS}/cpufreq/boost"
        yield group.hidden("turbo", source=source, why_not="this machine has no such setting")
    yield group.file("idle driver", f"{CPUS}/cpuidle/current_driver")
    yield group.file("idle governor", f"{CPUS}/cpuidle/current_governor")
    yield group.number("halt polling", HALT_POLL_FILE, unit="ns")
    yield group.file("SMT", f"{CPUS}/smt/control")
    yield group.file("clock source", f"{CLOCKS}/current_clocksource")
    yield group.file("clock sources to choose from", f"{CLOCKS}/available_clocksource")


def _each_cpu(group: Group, name: str, *, file: str, unit: str | None = None) -> Fact:
    """Return the value of all CPUs, or all different values."""
    tree = group.tree
    said = [tree.text(f"{CPUS}/{each.name}/{file}") for each in tree.glob(f"{CPUS}/cpu[0-9]*")]
    values = sorted({text for text in said if text})
    source = f"/{CPUS}/cpu*/{file}"
    if not values:
        return group.hidden(name, source=source, why_not="this machine has no cpufreq driver")
    return group.known(name, ", ".join(values), source=source, unit=unit)


def _isolation(group: Group) -> Iterator[Fact]:
    tree = group.tree
    for name, file in (("isolated CPUs", "isolated"), ("CPUs without a tick", "nohz_full")):
        text = tree.text(f"{CPUS}/{file}")
        if text is None:
            yield group.hidden(name, source=f"/{CPUS}/{file}", why_not=tree.why_not(f"{CPUS}/{file}"))
        else:
            yield group.known(name, "none" if text in {"", "(null)"} else text, source=f"/{CPUS}/{file}")
    found = re.search(r"rcu_nocbs=(\S+)", tree.text("proc/cmdline") or "")
    yield group.known("CPUs without RCU callbacks", found[1] if found else "none", source="/proc/cmdline (rcu_nocbs)")
    yield group.known("cgroup version", _cgroup_version(tree), source="/proc/self/mounts")


def _cgroup_version(tree: Tree) -> str:
    kinds = {line.split()[2] for line in (tree.text("proc/self/mounts") or "").splitlines() if len(line.split()) > 2}
    versions = [name for kind, name in (("cgroup", "v1"), ("cgroup2", "v2")) if kind in kinds]
    return " and ".join(versions) or "none"


def _chosen(group: Group, name: str, *, path: str) -> Fact:
    """Return the word in brackets of a file that lists the choices."""
    found = re.search(r"\[(.+?)\]", group.tree.text(path) or "")
    if found is None:
        return group.hidden(name, source=f"/{path}", why_not=group.tree.why_not(path))
    return group.known(name, found[1], source=f"/{path}")


def _memory(group: Group) -> Iterator[Fact]:
    amounts = kib_of(group.tree.text("proc/meminfo") or "")
    if "SwapTotal" in amounts and "SwapFree" in amounts:
        yield group.known("swap", amounts["SwapTotal"] * KIB, source="/proc/meminfo (SwapTotal)", unit="B")
        used = (amounts["SwapTotal"] - amounts["SwapFree"]) * KIB
        yield group.known("swap in use", used, source="/proc/meminfo (SwapTotal - SwapFree)", unit="B")
    for name, key in (("not yet written to disk", "Dirty"), ("anonymous huge pages", "AnonHugePages")):
        if key in amounts:
            yield group.known(name, amounts[key] * KIB, source=f"/proc/meminfo ({key})", unit="B")
    kills = re.search(r"^oom_kill (\d+)$", group.tree.text("proc/vmstat") or "", re.MULTILINE)
    if kills:
        yield group.known(
            "processes killed for lack of memory since boot", int(kills[1]), source="/proc/vmstat (oom_kill)"
        )


def _heat(group: Group) -> Iterator[Fact]:
    tree = group.tree
    places = [*tree.glob("sys/class/hwmon/hwmon*/temp*_input"), *tree.glob("sys/class/thermal/thermal_zone*/temp")]
    heat = [value for each in places if (value := tree.integer(str(each.relative_to(tree.root)))) is not None]
    source = "/sys/class/hwmon, /sys/class/thermal"
    if heat:
        yield group.known("highest temperature", max(heat) / 1000, source=source, unit="degrees Celsius")
    else:
        yield group.hidden("highest temperature", source=source, why_not="this machine shows no temperature sensor")
    counts = [
        count
        for each in tree.glob(f"{CPUS}/cpu[0-9]*")
        if (count := tree.integer(f"{CPUS}/{each.name}/thermal_throttle/core_throttle_count")) is not None
    ]
    source = f"/{CPUS}/cpu*/thermal_throttle/core_throttle_count"
    if counts:
        yield group.known("times throttled by heat since boot", sum(counts), source=source)
    else:
        yield group.hidden(
            "times throttled by heat since boot", source=source, why_not="this machine counts no throttling"
        )


def _load(group: Group, load: LoadNow | None) -> Iterator[Fact]:
    tree = group.tree
    times = cpu_times(tree)
    total = sum(times.values())
    if total and "steal" in times:
        share = round(times["steal"] / total * PERCENT, 3)
        yield group.known("steal since boot", share, source="/proc/stat (steal, of all CPU time)", unit="%")
    else:
        yield group.hidden("steal since boot", source="/proc/stat", why_not=tree.why_not("proc/stat"))
    average = (tree.text("proc/loadavg") or "").split()
    if average:
        yield group.known("load of the last minute", float(average[0]), source="/proc/loadavg", unit="tasks")
    source = "/proc/*/stat, twice within half a second"
    if load is None:
        yield group.hidden("CPU used by others now", source=source, why_not=tree.why_not("proc/stat"))
        return
    yield group.known("CPU used by others now", load.cpus, source=source, unit="CPUs")
    busiest = ", ".join(f"{name} {cpus:g}" for name, cpus in load.busiest)
    yield group.known("busiest other processes", busiest or "none", source=source, unit="CPUs" if busiest else None)


def _boot(group: Group) -> Iterator[Fact]:
    tree = group.tree
    waiting = re.search(r"^TCP:.*\btw (\d+)", tree.text("proc/net/sockstat") or "", re.MULTILINE)
    if waiting:
        yield group.known("TCP connections in TIME_WAIT", int(waiting[1]), source="/proc/net/sockstat (tw)")
    yield group.known("pressure readable", tree.is_there("proc/pressure/cpu"), source="/proc/pressure")
    size = sum(len(key) + len(value) + 2 for key, value in os.environb.items())
    yield group.known("size of our environment", size, source="environ(7)", unit="B")
    yield group.known("our niceness", os.getpriority(os.PRIO_PROCESS, 0), source="getpriority(2)")
    yield group.file("boot id", "proc/sys/kernel/random/boot_id")
    uptime = (tree.text("proc/uptime") or "").split()
    if uptime:
        yield group.known("time since boot", round(float(uptime[0])), source="/proc/uptime", unit="s")
