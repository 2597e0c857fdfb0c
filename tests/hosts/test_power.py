"""The power of the packages while nothing works: from two looks, and hidden where that cannot be known."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.hosts.facts.load_now import LoadNow
from headtohead.hosts.facts.power import read_power
from headtohead.hosts.kernel_files import Tree
from headtohead.model.machine.host import Fact

QUIET = LoadNow(0.0, ())


def machine(folder: Path, *, then: Callable[[Path], object]) -> Tree:
    """Return a machine of two packages, to which something happens between the two looks."""
    zones = folder / "sys/class/powercap"
    for name, energy in (("intel-rapl:0", 5_000_000), ("intel-rapl:1", 9_000_000), ("intel-rapl:0:0", 1)):
        (zones / name).mkdir(parents=True)
        (zones / name / "energy_uj").write_text(f"{energy}\n")
        (zones / name / "max_energy_range_uj").write_text("9999999\n")

    def pause(_: float) -> None:
        then(zones)

    return replace(Tree(folder), pause=pause)


def told(tree: Tree, load: LoadNow | None = QUIET) -> Fact:
    (found,) = read_power(tree, load)
    return found


def rise(zones: Path) -> None:
    """Let the first package use 3 J, and the second 2 J, which takes its counter past its end."""
    (zones / "intel-rapl:0/energy_uj").write_text("8000000\n")
    (zones / "intel-rapl:1/energy_uj").write_text("1000000\n")


def test_what_the_packages_used_in_the_second_is_their_power(tmp_path: Path) -> None:
    found = told(machine(tmp_path, then=rise))
    assert (found.value, found.unit) == (5.0, "W")


def test_on_a_machine_that_is_not_idle_there_is_no_idle_power(tmp_path: Path) -> None:
    found = told(machine(tmp_path, then=rise), LoadNow(0.4, ()))
    assert (found.value, found.why_not) == (None, "others used 0.40 CPU when it was read")


@pytest.mark.parametrize("file", ["intel-rapl:0/energy_uj", "intel-rapl:1/energy_uj"])
def test_a_package_that_does_not_tell_hides_the_power_of_all(file: str, tmp_path: Path) -> None:
    found = told(machine(tmp_path, then=lambda zones: (zones / file).unlink()))
    assert found.value is None
    assert found.why_not


def test_a_machine_without_counters_says_so(tmp_path: Path) -> None:
    assert told(Tree(tmp_path)).why_not == "no processor package counts its energy here"
