import os
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.hosts.facts import read_facts
from headtohead.hosts.facts.sysctls import DEFAULTS
from headtohead.hosts.kernel_files import cpu_list, cpu_text
from headtohead.model.machine.host import HostFacts
from tests.hosts.recorded_trees import fact, unpack

DMIDECODE = """# dmidecode 3.4
Handle 0x1000, DMI type 16, 23 bytes
Physical Memory Array
\tError Correction Type: Multi-bit ECC
\tNumber Of Devices: 4

Handle 0x1100, DMI type 17, 84 bytes
Memory Device
\tSize: 32 GB
\tLocator: CPU0_CHANNEL_A_DIMM1
\tBank Locator: NODE 0
\tType: DDR4
\tSpeed: 3200 MT/s
\tConfigured Memory Speed: 2933 MT/s

Handle 0x1101, DMI type 17, 84 bytes
Memory Device
\tSize: 32 GB
\tLocator: CPU0_CHANNEL_A_DIMM2
\tBank Locator: NODE 0
\tType: DDR4
\tSpeed: 3200 MT/s
\tConfigured Memory Speed: 2933 MT/s

Handle 0x1102, DMI type 17, 84 bytes
Memory Device
\tSize: No Module Installed
\tLocator: CPU0_CHANNEL_B_DIMM1
"""


@pytest.fixture
def server(tmp_path: Path) -> HostFacts:
    said = {"gcc": "gcc (Debian) 12.2.0\nCopyright", "getconf": "glibc 2.36\n"}
    return read_facts("sut", tree=unpack("two-sockets", tmp_path, said=said))


@pytest.fixture
def guest(tmp_path: Path) -> HostFacts:
    said = {"lscpu": "Hypervisor vendor:                       KVM\n"}
    return read_facts("guest", tree=unpack("small-guest", tmp_path, root=False, said=said))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("board: BIOS version", "2.19.1"),
        ("board: BIOS date", "06/04/2024"),
        ("cpu: model", "Example Server CPU @ 2.40GHz"),
        ("cpu: microcode", "0x5003604"),
        ("cpu: sockets", 2),
        ("cpu: cores", 4),
        ("cpu: threads", 8),
        ("cpu: base clock", 2_400_000_000),
        ("cpu: highest clock", 3_900_000_000),
        ("cpu: clock now, mean of CPUs", 2_450_000_000),
        ("cpu: mitigation mds", "Mitigation: Clear CPU buffers; SMT vulnerable"),
        ("caches: L1 data size", 32 * 1024),
        ("caches: L2 shared by CPUs", "0,4 | 1,5 | 2,6 | 3,7"),
        ("caches: L3 instances", 2),
        ("topology: CPUs of each package", "0-1,4-5 | 2-3,6-7"),
        ("topology: CPUs of each core", "0,4 | 1,5 | 2,6 | 3,7"),
        ("memory: DIMMs", "4 x 32768 MB"),
        ("memory: DIMMs per channel", "1"),
        ("memory: ECC", "S4ECD4ED"),
        ("memory: memory errors corrected", 4),
        ("numa: nodes", 2),
        ("numa: node1 distances", "21 10"),
        ("numa: node0 memory", 98_304_000 * 1024),
        ("network: eno1 driver", "ixgbe"),
        ("network: eno1 speed", 10_000_000_000),
        ("network: virtual interfaces", "lo"),
        ("disks: nvme0n1 scheduler", "none"),
        ("disks: nvme0n1 rotational", False),
        ("disks: nvme0n1 size", 7_501_476_528 * 512),
        ("disks: file system of the runs", "xfs on nvme0n1p2 (rw,relatime)"),
        ("software: kernel", "6.1.0-18-amd64"),
        ("software: distribution", "Debian GNU/Linux 12 (bookworm)"),
        ("software: gcc", "gcc (Debian) 12.2.0"),
        ("software: C library", "glibc 2.36"),
        ("virtualization: hypervisor", "none"),
        ("limits: open files", 1024),
        ("limits: open files (hard)", 1_048_576),
        ("limits: processes", "unlimited"),
        ("passport: governor", "performance, powersave"),
        ("passport: turbo", "on"),
        ("passport: SMT", "on"),
        ("passport: isolated CPUs", "6-7"),
        ("passport: CPUs without a tick", "6-7"),
        ("passport: CPUs without RCU callbacks", "6-7"),
        ("passport: IRQ balancing runs", True),
        ("passport: timers and updaters running", "cron, systemd"),
        ("passport: transparent huge pages", "always"),
        ("passport: swap in use", 104_858 * 1024),
        ("passport: times throttled by heat since boot", 3),
        ("passport: highest temperature", 61.0),
        ("passport: steal since boot", 0.4),
        ("passport: TCP connections in TIME_WAIT", 7),
        ("passport: cgroup version", "v2"),
        ("passport: processes killed for lack of memory since boot", 2),
    ],
)
def test_a_two_socket_server_shows_what_it_is(server: HostFacts, name: str, value: object) -> None:
    assert fact(server, name).value == value


@pytest.mark.parametrize(
    ("name", "why_not"),
    [
        ("board: BIOS version", "this machine shows no DMI tables"),
        ("memory: DIMM speed", "only root may read the firmware's tables"),
        ("memory: memory errors corrected", "no EDAC driver"),
        ("cpu: highest clock", "has no /sys/devices/system/cpu/cpu0/cpufreq"),
        ("passport: governor", "no cpufreq driver"),
        ("passport: highest temperature", "no temperature sensor"),
        ("network: interfaces", "no network interface has a device"),
        ("software: gcc", "gcc is not installed"),
    ],
)
def test_what_a_guest_does_not_show_is_missing_with_its_reason(guest: HostFacts, name: str, why_not: str) -> None:
    found = fact(guest, name)
    assert found.value is None
    assert why_not in (found.why_not or "")


def test_a_guest_names_its_hypervisor(guest: HostFacts) -> None:
    assert fact(guest, "virtualization: hypervisor").value == "KVM"


@pytest.mark.parametrize(
    ("devices", "told"),
    [
        ({"0x0002": "00000100", "0x0005": "01100101"}, True),
        ({"0x0002": "00000100", "0x0005": "01100001"}, False),
        ({"0x0005": ""}, False),
        ({"0x0002": "00000100"}, None),
        ({}, None),
    ],
)
def test_a_balloon_that_reports_free_pages_is_named(devices: dict[str, str], told: bool | None, tmp_path: Path) -> None:
    tree = unpack("small-guest", tmp_path)
    for number, (device, features) in enumerate(devices.items()):
        place = tmp_path / f"sys/bus/virtio/devices/virtio{number}"
        place.mkdir(parents=True)
        (place / "device").write_text(f"{device}\n")
        (place / "features").write_text(f"{features}\n")
    assert fact(read_facts("sut", tree=tree), "virtualization: free memory taken back").value is told


def test_every_fact_says_where_it_was_read_and_is_named_once(server: HostFacts, guest: HostFacts) -> None:
    for facts in (server, guest):
        names = [(each.group, each.name) for each in facts.facts]
        assert len(set(names)) == len(names)
        assert all(each.source for each in facts.facts)
        assert all((each.value is None) == (each.why_not is not None) for each in facts.facts)


def test_a_speed_that_the_driver_does_not_tell_is_not_minus_one(server: HostFacts) -> None:
    assert fact(server, "network: eno2 speed").value is None


def test_the_firmwares_tables_tell_speed_and_channels(tmp_path: Path) -> None:
    facts = read_facts("sut", tree=unpack("two-sockets", tmp_path, said={"dmidecode": DMIDECODE}))
    assert fact(facts, "memory: DIMMs").value == "2 x 32 GB"
    assert fact(facts, "memory: DIMMs per channel").value == "2"
    assert fact(facts, "memory: DIMM speed").value == "2933 MT/s"
    assert fact(facts, "memory: DIMM rated speed").value == "3200 MT/s"
    assert fact(facts, "memory: ECC").value == "Multi-bit ECC"
    assert fact(facts, "memory: theoretical bandwidth").why_not == "the tables do not show the width of the modules"


MODULE = """
Handle 0x11, DMI type 17, 84 bytes
Memory Device
\tData Width: 64 bits
\tSize: 32 GB
\tLocator: {locator}
\tBank Locator: {bank}
\tSpeed: 3200 MT/s
\tConfigured Memory Speed: {speed}
"""


@pytest.mark.parametrize(
    ("sockets", "speeds", "known"),
    [
        ([("CPU0_CHANNEL_A_DIMM1", "NODE 0"), ("CPU0_CHANNEL_A_DIMM2", "NODE 0")], ["3200 MT/s"], 25_600_000_000),
        ([("ChannelA-DIMM0", "BANK 0"), ("ChannelA-DIMM1", "BANK 1")], ["3200 MT/s"], 25_600_000_000),
        ([("ChannelA-DIMM0", "BANK 0"), ("ChannelB-DIMM0", "BANK 2")], ["2400 MT/s"], 38_400_000_000),
        ([("DIMM 0", "P0 CHANNEL A"), ("DIMM 0", "P1 CHANNEL A")], ["3200 MT/s"], 51_200_000_000),
        ([("DIMM 1", "bank 1")], ["3200 MT/s"], "the names of the sockets do not show their channel"),
        ([("ChannelA-DIMM0", "")], ["Unknown"], "the tables do not show the speed of the modules"),
        ([("ChannelA-DIMM0", ""), ("ChannelB-DIMM0", "")], ["3200 MT/s", "2400 MT/s"], "the modules differ in speed"),
    ],
)
def test_channels_times_speed_times_width_are_told_or_why_not(
    sockets: list[tuple[str, str]], speeds: list[str], known: int | str, tmp_path: Path
) -> None:
    each = (speeds * len(sockets))[: len(sockets)]
    tables = "".join(
        MODULE.format(locator=locator, bank=bank, speed=speed)
        for (locator, bank), speed in zip(sockets, each, strict=True)
    )

    found = fact(read_facts("sut", tree=unpack("two-sockets", tmp_path, said={"dmidecode": tables})), BANDWIDTH)

    assert known in (found.value, found.why_not)
    assert (found.value is None) == isinstance(known, str)


BANDWIDTH = "memory: theoretical bandwidth"


def test_only_settings_that_differ_from_the_kernels_default_are_named(server: HostFacts) -> None:
    differing = {each.name: each.value for each in server.facts if each.group == "sysctls"}
    assert differing == {
        "settings compared": 10,
        "vm.nr_hugepages": "1024 (the kernel's default is 0)",
        "vm.swappiness": "10 (the kernel's default is 60)",
        "net.core.rmem_max": "16777216 (the kernel's default is 212992 or 4194304)",
    }


def test_no_setting_is_in_the_table_twice() -> None:
    assert len({each.name for each in DEFAULTS}) == len(DEFAULTS)


def test_a_process_that_works_during_the_sample_is_named(tmp_path: Path) -> None:
    tree = unpack("two-sockets", tmp_path)
    stat = tmp_path / "proc/900/stat"

    def pause(seconds: float) -> None:
        ticks = round(0.8 * seconds * os.sysconf("SC_CLK_TCK"))
        stat.write_text(stat.read_text().replace(" 1000 0 0 ", f" {1000 + ticks} 0 0 "))

    facts = read_facts("sut", tree=replace(tree, pause=pause))
    assert fact(facts, "passport: CPU used by others now").value == pytest.approx(0.8, abs=0.02)
    assert fact(facts, "passport: busiest other processes").value == "backup (old) 0.8"


def test_an_empty_machine_shows_nothing_and_says_so(tmp_path: Path) -> None:
    tree = replace(unpack("small-guest", tmp_path / "unused"), root=tmp_path / "empty")
    facts = read_facts("nothing", tree=tree)
    assert fact(facts, "cpu: model").value is None
    assert fact(facts, "passport: CPU used by others now").why_not == "this machine has no /proc/stat"


def test_this_machine_is_read_within_a_few_seconds() -> None:
    began = os.times()
    facts = read_facts("local")
    ended = os.times()
    # 1.2 s on a quiet machine; beside other work its CPU time still says how much it does
    assert min(ended.elapsed - began.elapsed, sum(ended[:4]) - sum(began[:4])) < 5
    assert fact(facts, "software: kernel").value == os.uname().release


def test_lists_of_cpus_are_read_and_written_as_the_kernel_does() -> None:
    assert cpu_list("0-2,5,7-8\n") == (0, 1, 2, 5, 7, 8)
    assert cpu_text((8, 0, 1, 2, 5, 7)) == "0-2,5,7-8"
    assert cpu_list("") == ()
