"""Settings of the system: restored to what was found, whatever ends the run; refused where they cannot be set."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.kernel_files import Tree
from headtohead.hosts.machine.missing_settings import settings_lacking
from headtohead.hosts.machine.resources import read_machine
from headtohead.hosts.software.programs import PROBE, find_program
from headtohead.hosts.supervise import restore_settings

BOOT = "3214e261"
SCRIPT = Path(__file__).with_name("settings_by_force.py")
WAYS = ("success", "failure", "ctrl-c", "owner killed", "supervise killed")
TEN = {
    "net.core.somaxconn": ("2000", "8192"),
    "net.ipv4.tcp_fin_timeout": ("47", "33"),
    "net.ipv4.tcp_keepalive_intvl": ("50", "20"),
    "net.ipv4.tcp_keepalive_probes": ("7", "4"),
    "net.ipv4.tcp_keepalive_time": ("5000", "600"),
    "net.ipv4.tcp_max_syn_backlog": ("300", "8192"),
    "net.ipv4.tcp_rmem": ("4096 131000 6000000", "4096 262144 8388608"),
    "net.ipv4.tcp_slow_start_after_idle": ("0", "1"),
    "net.ipv4.tcp_syn_retries": ("5", "3"),
    "net.ipv4.tcp_wmem": ("4096 16000 4000000", "4096 65536 8388608"),
}
"""By name what is found, never the kernel's default, and the level: what is restored can only have been found."""
KILLED = tuple(f"both killed after {0.004 * moment:.3f} s" for moment in range(20))


def machine(folder: Path, *, root_user: bool = True) -> Tree:
    """Return a machine with a few settings."""
    for name, text in {
        "proc/sys/kernel/random/boot_id": BOOT,
        "proc/sys/vm/swappiness": "37",
        "proc/sys/fs/nr_open": "1048576",
        "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "powersave",
        "sys/devices/system/cpu/cpufreq/policy0/scaling_available_governors": "performance powersave",
        "proc/self/ns/net": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{text}\n")
    return Tree(folder, root_user=root_user)


def journal(folder: Path, *, boot: str = BOOT, network: int | None = None) -> Path:
    kept = folder / "journals" / "headtohead-7-8-9.settings"
    kept.parent.mkdir(mode=0o700)
    found = {"path": str(folder / "proc/sys/vm/swappiness"), "value": "60", "network": network}
    kept.write_text(json.dumps({"boot": boot, "found": [found]}))
    return kept


def test_a_journal_is_restored_and_removed(tmp_path: Path) -> None:
    tree, kept = machine(tmp_path), journal(tmp_path)

    assert list(restore_settings.left_in(kept.parent)) == [(kept, "7-8-9")]
    assert restore_settings.settle(kept, proc=tmp_path / "proc") is None
    assert (tree.text("proc/sys/vm/swappiness"), kept.exists()) == ("60", False)


def test_what_could_not_be_put_back_is_lacking_before_anything_starts(tmp_path: Path) -> None:
    tree = machine(tmp_path)
    for name, text in (("dirty_bytes", "0"), ("dirty_ratio", "20")):
        (tmp_path / f"proc/sys/vm/{name}").write_text(f"{text}\n")
    asked = [("sysctl.vm.dirty_ratio", "10"), ("sysctl.vm.dirty_bytes", "4096")]
    why = {"sysctl.vm.dirty_bytes": "it leaves another setting changed when it is put back"}
    assert settings_lacking(tree, asked) == why
    (tmp_path / "proc/sys/vm/dirty_bytes").write_text("4096\n")
    instead = "vm.dirty_bytes holds instead of it here, and could not be put back"
    assert settings_lacking(tree, asked) == {**why, "sysctl.vm.dirty_ratio": instead}


def test_a_setting_that_cannot_be_restored_keeps_no_other_from_it_and_the_journal_stays(tmp_path: Path) -> None:
    tree, kept = machine(tmp_path), journal(tmp_path)
    document = json.loads(kept.read_text())
    gone = {"path": str(tmp_path / "sys/gone"), "value": "1", "network": None}
    kept.write_text(json.dumps({**document, "found": [*document["found"], gone]}))
    refused = restore_settings.settle(kept, proc=tmp_path / "proc")
    assert refused is not None
    assert refused.startswith(str(tmp_path / "sys/gone"))
    assert (tree.text("proc/sys/vm/swappiness"), kept.exists()) == ("60", True)


@pytest.mark.parametrize("elsewhere", [{"boot": "another"}, {"network": 1}])
def test_a_journal_of_another_boot_or_network_changes_nothing(tmp_path: Path, elsewhere: dict[str, Any]) -> None:
    tree, kept = machine(tmp_path), journal(tmp_path, **elsewhere)

    assert restore_settings.settle(kept, proc=tmp_path / "proc") is None
    assert (tree.text("proc/sys/vm/swappiness"), kept.exists()) == ("37", False)


def test_a_journal_where_others_may_write_is_not_read(tmp_path: Path) -> None:
    kept = journal(tmp_path)
    kept.parent.chmod(0o777)

    assert list(restore_settings.left_in(kept.parent)) == []


def test_a_garbled_journal_stays_and_is_named(tmp_path: Path) -> None:
    machine(tmp_path)
    kept = journal(tmp_path)
    kept.write_text("[1]")

    assert "no journal" in str(restore_settings.settle(kept, proc=tmp_path / "proc"))
    assert kept.exists()


def test_a_machine_says_which_settings_it_cannot_set(tmp_path: Path) -> None:
    asked = [("governor", "ondemand"), ("governor", "performance"), ("boost", "off"), ("nofile", "2000000")]
    asked += [("sysctl.vm.swappiness", "10"), ("sysctl.vm.not_there", "1"), ("transparent_huge_pages", "never")]

    assert settings_lacking(machine(tmp_path), [*asked, ("subject", "nginx")]) == {
        "governor=ondemand": "the governors here are performance, powersave",
        "boost": "the machine shows no frequencies that could be chosen (/sys/devices/system/cpu/cpufreq)",
        "nofile=2000000": "the kernel allows 1048576 at most (/proc/sys/fs/nr_open)",
        "sysctl.vm.not_there": "this machine has no /proc/sys/vm/not_there",
        "transparent_huge_pages": "this machine has no /sys/kernel/mm/transparent_hugepage/enabled",
    }


@pytest.mark.parametrize(("capabilities", "lacking"), [("000001fffeffffff", True), ("000001ffffffffff", False)])
def test_root_without_its_capability_cannot_raise_the_limit_of_open_files(
    tmp_path: Path, capabilities: str, lacking: bool
) -> None:
    tree = machine(tmp_path)
    own = tree.root / "proc/self"
    own.mkdir(parents=True, exist_ok=True)
    (own / "limits").write_text(
        "Max processes             94000  94000  processes\nMax open files  1024  20000  files\n"
    )
    (own / "status").write_text(f"Name:\tpython\nCapEff:\t{capabilities}\n")
    found = settings_lacking(tree, [("nofile", "1024"), ("nofile", "64000")])
    assert list(found) == (["nofile=64000"] if lacking else [])
    assert not lacking or found["nofile=64000"].startswith("the hard limit is 20000")


def test_without_root_none_can_be_set(tmp_path: Path) -> None:
    tree = machine(tmp_path, root_user=False)
    lacks = read_machine((), host=FakeHost(), tree=tree, allowed={0}, levels=[("nofile", "1024")]).lacks

    assert lacks["nofile"] == "only root may set it"


@pytest.mark.real
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change settings")
def test_ten_settings_are_restored_to_what_was_found_however_the_run_ends(tmp_path: Path) -> None:
    argv = ("unshare", "--net", sys.executable, str(SCRIPT), str(find_program(PROBE)), str(tmp_path), "nobody")
    ways = (json.dumps(TEN), *WAYS, *KILLED)
    ended = subprocess.run((*argv, *ways), check=True, capture_output=True, text=True, timeout=120)
    outcomes = json.loads(ended.stdout)

    found = {name: each for name, (each, _) in TEN.items()}
    assert {way: (each["held"], each["left"]) for way, each in outcomes.items()} == dict.fromkeys(
        (*WAYS, *KILLED), (found, [])
    )
    assert outcomes["success"]["seen"] == {name: level for name, (_, level) in TEN.items()}
