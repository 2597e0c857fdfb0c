"""A machine as ``hosts`` would read it: a virtual machine that hides part of what it runs on."""

from headtohead.model.machine.host import Fact, HostFacts

HIDDEN = "the hypervisor does not pass it on"

FACTS = HostFacts(
    name="local",
    facts=(
        Fact("virtualization", "hypervisor", "KVM", None, "lscpu"),
        Fact("board", "board", None, None, "/sys/class/dmi/id/board_name", HIDDEN),
        Fact("board", "BIOS version", None, None, "/sys/class/dmi/id/bios_version", HIDDEN),
        Fact("board", "BIOS date", None, None, "/sys/class/dmi/id/bios_date", HIDDEN),
        Fact("cpu", "model", "AMD EPYC 9B14", None, "/proc/cpuinfo"),
        Fact("cpu", "stepping", 1, None, "/proc/cpuinfo"),
        Fact("cpu", "microcode", "0xffffffff", None, "/proc/cpuinfo"),
        Fact("cpu", "sockets", 1, None, "/sys/devices/system/cpu/cpu*/topology/physical_package_id"),
        Fact("cpu", "cores", 2, None, "/sys/devices/system/cpu/cpu*/topology/core_id"),
        Fact("cpu", "threads", 2, None, "/sys/devices/system/cpu/online"),
        Fact("cpu", "L2 cache", 1048576, "B", "/sys/devices/system/cpu/cpu0/cache/index2/size"),
        Fact("cpu", "L2 shared by", "CPU 0", None, "/sys/devices/system/cpu/cpu0/cache/index2/shared_cpu_list"),
        Fact("cpu", "clock now", 2600.0e6, "Hz", "/proc/cpuinfo"),
        Fact(
            "cpu",
            "mitigations",
            "spectre_v2: Mitigation: Retpolines; meltdown: Not affected",
            None,
            "/sys/devices/system/cpu/vulnerabilities",
        ),
        Fact("memory", "total", 8330301440, "B", "/proc/meminfo"),
        Fact("memory", "DIMMs", None, None, "dmidecode", "dmidecode shows no memory device"),
        Fact("memory", "ECC errors", None, None, "/sys/devices/system/edac/mc", "there is no EDAC driver"),
        Fact("memory", "NUMA nodes", 1, None, "/sys/devices/system/node/online"),
        Fact("network", "eth0 driver", "virtio_net", None, "/sys/class/net/eth0/device/driver"),
        Fact("network", "eth0 speed", None, "bit/s", "/sys/class/net/eth0/speed", "the driver does not know it"),
        Fact("disks", "vda scheduler", "none", None, "/sys/block/vda/queue/scheduler"),
        Fact("disks", "file system of results", "ext4", None, "/proc/self/mountinfo"),
        Fact("software", "distribution", "Debian GNU/Linux 12 (bookworm)", None, "/etc/os-release"),
        Fact("software", "kernel", "6.1.0-44-amd64", None, "uname"),
        Fact("software", "libc", "glibc 2.36", None, "ldd --version"),
        Fact("software", "compiler", "gcc 12.2.0", None, "gcc --version"),
        Fact("limits", "open files", 1048576, None, "getrlimit"),
        Fact("limits", "net.core.somaxconn", 8192, None, "/proc/sys; the kernel's default is 4096"),
        Fact("passport", "CPU governor", None, None, "/sys/devices/system/cpu/cpu0/cpufreq", "there is no cpufreq"),
        Fact("passport", "SMT", False, None, "/sys/devices/system/cpu/smt/active"),
        Fact("passport", "clock source", "kvm-clock", None, "/sys/devices/system/clocksource/clocksource0"),
        Fact("passport", "address randomization", 2, None, "/proc/sys/kernel/randomize_va_space"),
        Fact("passport", "transparent huge pages", "madvise", None, "/sys/kernel/mm/transparent_hugepage/enabled"),
        Fact("passport", "steal while idle", 0.0004, None, "/proc/stat, 1 s"),
    ),
)
