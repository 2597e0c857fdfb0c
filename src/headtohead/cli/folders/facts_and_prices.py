"""The files with facts that no probe reads and with prices, and which of them are kept with the results."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from headtohead.cli.folders.prove_plan_and_runs import proved
from headtohead.describe.external.prices import (
    check_one_currency,
    check_servers_currency,
    fitting,
    misfit,
    prices_in,
    system_in,
)
from headtohead.describe.home import Home, find_home
from headtohead.describe.toml.document import content_of
from headtohead.describe.toml.position import Place
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.external.prices import Prices, Stated, System
from headtohead.model.machine.host import HostFacts
from headtohead.model.record import Recording
from headtohead.store import read
from headtohead.store.convert import REMEDY
from headtohead.store.given_facts import PRICES, SYSTEM, keep_stated, read_stated, system_of

SystemsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="A TOML file, or a folder of them, with what no probe reads of a machine, such as its price. The file "
        "that fits the machine is kept with the results.",
    ),
]
PricesOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A TOML file with the price of a GB sent and of a kWh. Kept with the results."),
]
MOST_MISFITS = 3


@dataclass(frozen=True)
class StatedFiles:
    """Files that were read and are valid, each with its bytes, not yet compared with a machine.

    ``named`` is the folder or file of systems given by the user, or None: if given, one of its systems must fit.
    """

    systems: tuple[tuple[Place, System, bytes], ...]
    prices: tuple[Place, Prices, bytes] | None
    named: Path | None


def read_stated_files(systems: Path | None, prices: Path | None, *, home: Home, ours: bool = False) -> StatedFiles:
    """Return the content of the named files; with ``ours``, files of the home replace those that are not named.

    Raises WordsError for the first file that is wrong.
    """
    folder = systems or (home.systems if ours else None)
    paths = [] if folder is None else [folder] if folder.is_file() else sorted(folder.glob("*.toml"))
    if systems is not None and not paths:
        place = Place(home.shown(systems))
        raise place.wrong(
            "no system", why="There is no TOML file.", remedy="Name a TOML file, or a folder that has some."
        )
    file = prices or (home.prices if ours and home.prices.is_file() else None)
    return StatedFiles(tuple(_system(each, home) for each in paths), _prices(file, home) if file else None, systems)


def keep(stated_files: StatedFiles, root: Path, hosts: Sequence[HostFacts]) -> None:
    """Keep what applies to the machine with the results; see ``chosen``."""
    for name, content in chosen(stated_files, root, hosts).items():
        keep_stated(root, name, content)


def chosen(stated_files: StatedFiles, root: Path, hosts: Sequence[HostFacts]) -> dict[str, bytes]:
    """Return the files to keep with the results of these hosts, by their names there.

    Raises WordsError if several systems fit the machine, if named ones do not, or if the currencies differ, also from
    those of files that are kept already.
    """
    if len(hosts) > 1:
        return _chosen_of_bench(stated_files, root, hosts)
    at = fitting([each[:2] for each in stated_files.systems], hosts)
    if at is None and stated_files.named is not None:
        raise _none_fits(stated_files, hosts)
    before = Stated() if at is not None and stated_files.prices else stated_of(root, hosts)
    place, system = stated_files.systems[at][:2] if at is not None else (Place(str(root / SYSTEM)), before.system)
    where, prices = stated_files.prices[:2] if stated_files.prices else (Place(str(root / PRICES)), before.prices)
    check_one_currency(system, prices, places=(place, where))
    files = {SYSTEM: stated_files.systems[at][2]} if at is not None else {}
    return files | ({PRICES: stated_files.prices[2]} if stated_files.prices else {})


def _chosen_of_bench(stated_files: StatedFiles, root: Path, hosts: Sequence[HostFacts]) -> dict[str, bytes]:
    """Return the files to keep with the results of several machines: a system of its own for each that one fits."""
    before = stated_of(root, hosts)
    prices = stated_files.prices or (Place(str(root / PRICES)), before.prices, b"")
    systems = {each.name: (Place(str(root / system_of(each.name))), before.servers.get(each.name)) for each in hosts}
    files = {PRICES: stated_files.prices[2]} if stated_files.prices else {}
    for host in hosts:
        at = fitting([each[:2] for each in stated_files.systems], (host,))
        if at is not None:
            systems[host.name] = stated_files.systems[at][:2]
            files[system_of(host.name)] = stated_files.systems[at][2]
    if stated_files.named is not None and files.keys() <= {PRICES}:
        raise _none_fits(stated_files, hosts)
    for place, system in systems.values():
        check_one_currency(system, prices[1], places=(place, prices[0]))
    check_servers_currency(systems)
    return files


def stated_of(root: Path, hosts: Sequence[HostFacts]) -> Stated:
    """Return the facts and prices that a results folder keeps; raise if they are wrong, or of another machine."""
    if len(hosts) > 1:
        return _stated_of_bench(root, hosts)
    system = read_stated(root, SYSTEM)
    home, places = find_home(), (Place(str(root / SYSTEM)), Place(str(root / PRICES)))
    found = Stated(
        system_in(system, home=home, place=places[0]) if system is not None else None,
        _kept_prices(root, places[1]),
    )
    why = misfit(found.system, hosts) if found.system else ""
    if why:
        raise RecordError(f"{places[0]} does not belong here", why=f"{why}.", remedy=REMEDY)
    check_one_currency(found.system, found.prices, places=places)
    return found


def _stated_of_bench(root: Path, hosts: Sequence[HostFacts]) -> Stated:
    place, servers = Place(str(root / PRICES)), dict[str, System]()
    prices = _kept_prices(root, place)
    for host in hosts:
        own = Place(str(root / system_of(host.name)))
        content = read_stated(root, system_of(host.name))
        if content is None:
            continue
        system = servers[host.name] = system_in(content, home=find_home(), place=own)
        if why := misfit(system, (host,)):
            raise RecordError(f"{own} does not belong here", why=f"{why}.", remedy=REMEDY)
        check_one_currency(system, prices, places=(own, place))
    check_servers_currency({name: (Place(str(root / system_of(name))), each) for name, each in servers.items()})
    return Stated(None, prices, servers)


def _kept_prices(root: Path, place: Place) -> Prices | None:
    content = read_stated(root, PRICES)
    return prices_in(content, home=find_home(), place=place) if content is not None else None


def recording_of(root: Path) -> Recording:
    """Return a results folder as types, checked, with the stated facts of its machine."""
    recording = proved(read.recording(root), root)
    return replace(recording, stated=stated_of(root, recording.hosts))


def _system(path: Path, home: Home) -> tuple[Place, System, bytes]:
    place = Place(home.shown(path))
    content = content_of(path, place)
    return place, system_in(content, home=home, place=place), content


def _prices(path: Path, home: Home) -> tuple[Place, Prices, bytes]:
    place = Place(home.shown(path))
    content = content_of(path, place)
    return place, prices_in(content, home=home, place=place), content


def _none_fits(stated_files: StatedFiles, hosts: Sequence[HostFacts]) -> WordsError:
    why = [f"{place}: {misfit(system, hosts)}" for place, system, _ in stated_files.systems]
    more = f"; and {len(why) - MOST_MISFITS} more" if len(why) > MOST_MISFITS else ""
    return Place(f"--systems {stated_files.named}").wrong(
        "no file fits this machine",
        why=f"{'; '.join(why[:MOST_MISFITS])}{more}.",
        remedy="Correct [fits] in the file of this machine; `headtohead host` prints the facts.",
    )
