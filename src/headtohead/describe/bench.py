"""The bench file: the machines that a study is carried out on, read into types."""

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headtohead.describe.home import Home
from headtohead.describe.toml.document import read_toml
from headtohead.describe.toml.folder_paths import existing_file
from headtohead.describe.toml.position import Place
from headtohead.model.errors import WordsError
from headtohead.model.machine.bench import Bench, BenchHost, Role

ROLES: tuple[Role, ...] = ("server", "driver")
MOST_CPU = 8191
"""The highest number of a CPU that a Linux kernel is built for (NR_CPUS is at most 8192)."""


def read_bench(path: Path, home: Home) -> Bench:
    """Return the bench that a file describes; raises WordsError for the first error in it."""
    if not path.exists():
        raise Place(home.shown(path)).wrong(
            "no such bench", why="There is no file of that name.", remedy="Name a bench file, as --bench lab.toml."
        )
    written = read_toml(path, "bench", home=home)
    hosts: dict[str, BenchHost] = {}
    for role in ROLES:
        for label, table in written.data.get(role, {}).items():
            place = written.place.at(f"{role}.{label}")
            if label in hosts:
                why = f"Results name machines by label, and [{hosts[label].role}.{label}] has it already."
                raise place.wrong("two machines have the same label", why=why, remedy="Rename one of them.")
            hosts[label] = _host(label, role, table, folder=path.parent, place=place)
            _check_distinct(hosts, label, place)
    return Bench(tuple(hosts.values()))


def _host(label: str, role: Role, table: Mapping[str, Any], *, folder: Path, place: Place) -> BenchHost:
    if "system" in table:
        if role == "driver":
            why = "Prices and power are those of the machine that is measured."
            raise place.at("system").wrong("a driver has no system file", why=why, remedy="Remove it.")
        existing_file(folder, table["system"], place=place.at("system"))
    return BenchHost(
        label=label,
        role=role,
        ssh=table["ssh"],
        address=_address(table["address"], place.at("address")) if "address" in table else None,
        cpus=_cpus(table["cpus"], place.at("cpus")) if "cpus" in table else None,
        system=table.get("system"),
    )


def _check_distinct(hosts: Mapping[str, BenchHost], label: str, place: Place) -> None:
    """Raise WordsError if an earlier machine has the same destination or address: it would be measured by itself."""
    own = hosts[label]
    for each in hosts.values():
        for word in ("ssh", "address"):
            value = getattr(own, word)
            if each is not own and value is not None and getattr(each, word) == value:
                why = f"[{each.role}.{each.label}] has it too, and each machine has one role."
                raise place.at(word).wrong(f'"{value}" is named twice', why=why, remedy="Name another machine.")


def _address(text: str, place: Place) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as error:
        why = "The measured network may differ from the one that names lead to, so names are not looked up."
        raise place.wrong(f'"{text}" is not an IP address', why=why, remedy='For example "192.0.2.11".') from error


def _cpus(text: str, place: Place) -> tuple[int, ...]:
    """Return the CPUs of a list, rising, each once."""
    found: set[int] = set()
    for part in text.split(","):
        low, _, high = part.partition("-")
        first, last = int(low), int(high or low)
        if first > last or last > MOST_CPU:
            raise _no_cpus(part, place)
        found |= set(range(first, last + 1))
    return tuple(sorted(found))


def _no_cpus(part: str, place: Place) -> WordsError:
    why = f"A range goes from its lowest CPU to its highest, at most {MOST_CPU}."
    return place.wrong(f'"{part}" is not a range of CPUs', why=why, remedy='For example cpus = "0-15".')
