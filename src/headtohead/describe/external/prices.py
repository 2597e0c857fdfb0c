"""Facts that people write down about a machine and about prices: ``systems/<name>.toml`` and ``prices.toml``."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from headtohead.describe.home import Home
from headtohead.describe.toml.document import toml_in
from headtohead.describe.toml.position import Place, alike
from headtohead.model.external.prices import Power, Price, Prices, System, SystemPrice
from headtohead.model.machine.host import HostFacts
from headtohead.model.quantity import scalar_text

GIB = 2**30


def system_in(content: bytes, *, home: Home, place: Place) -> System:
    """Return the machine that a file describes; raises WordsError for the first error in it."""
    data = toml_in(content, "system", home=home, place=place).data
    limit = data.get("memory_limit_gib")
    return System(
        title=data["title"],
        fits=data["fits"],
        price=_system_price(data["price"], place.at("price")) if "price" in data else None,
        power=_power(data["power"], place.at("power")) if "power" in data else None,
        chassis=data.get("chassis", ""),
        supplies=data.get("supplies", ""),
        cooling=data.get("cooling", ""),
        memory_limit_bytes=round(limit * GIB) if limit is not None else None,
        warranty=data.get("warranty", ""),
        remarks=data.get("remarks", ""),
    )


def prices_in(content: bytes, *, home: Home, place: Place) -> Prices:
    """Return the prices that a file gives; raises WordsError for the first error in it."""
    data = toml_in(content, "prices", home=home, place=place).data
    prices = {
        name: _price(data[name], currency=data["currency"], place=place.at(name))
        for name in ("gb_sent", "kwh")
        if name in data
    }
    if not prices:
        raise place.wrong(
            "no price",
            why="The file gives neither the price of a GB sent (gb_sent) nor the price of a kWh (kwh).",
            remedy='For example gb_sent = { amount = 0.05, date = "2026-11-20", source = "the provider\'s list" }.',
        )
    return Prices(prices.get("gb_sent"), prices.get("kwh"))


def check_one_currency(system: System | None, prices: Prices | None, *, places: tuple[Place, Place]) -> None:
    """Raise WordsError if the price of a system and the other prices are in different currencies.

    ``places`` are the two files: the system's, then the prices'.
    """
    own = system.price.price.currency if system and system.price else None
    others = [each.currency for each in (prices.gb_sent, prices.kwh) if each] if prices else []
    if own is not None and others and others[0] != own:
        raise (
            places[1]
            .at("currency")
            .wrong(
                f'"{others[0]}" does not match "{own}"',
                why=f"{places[0]} gives the price of the system in {own}, and headtohead assumes no exchange rate.",
                remedy="Write both in one currency; state the exchange rate and its date in source.",
            )
        )


def check_servers_currency(systems: Mapping[str, tuple[Place, System | None]]) -> None:
    """Raise WordsError if the prices of several servers, each with its file, are in different currencies."""
    first: tuple[Place, str] | None = None
    for place, system in systems.values():
        if system is None or system.price is None:
            continue
        own = system.price.price.currency
        if first is not None and own != first[1]:
            raise place.at("price", "currency").wrong(
                f'"{own}" does not match "{first[1]}"',
                why=f"{first[0]} gives its price in {first[1]}, and headtohead assumes no exchange rate.",
                remedy="Write both in one currency; state the exchange rate and its date in source.",
            )
        first = first or (place, own)


def misfit(system: System, hosts: Sequence[HostFacts]) -> str:
    """Return why a system's file does not describe the first host; empty if every fact in it matches.

    Values are compared as text: 2 and "2" are equal.
    """
    facts = {(each.group, each.name): each for host in hosts[:1] for each in host.facts}
    for group, wanted in system.fits.items():
        for name, value in wanted.items():
            found = facts.get((group, name))
            if found is None:
                return f"no fact {group}: {name} was read"
            if found.value is None:
                return f"{group}: {name} is not visible here"
            if not alike(found.value, value) and scalar_text(found.value) != scalar_text(value):
                return f"{group}: {name} is {scalar_text(found.value)} here, not {scalar_text(value)}"
    return ""


def fitting(found: Sequence[tuple[Place, System]], hosts: Sequence[HostFacts]) -> int | None:
    """Return the index of the system that fits the machine, or None if none fits; raises WordsError if several fit."""
    fits = [index for index, (_, system) in enumerate(found) if not misfit(system, hosts)]
    if len(fits) > 1:
        first, second = (found[index][0] for index in fits[:2])
        raise second.at("fits").wrong(
            "more than one file fits this machine",
            why=f"{first} fits it too, and only one file may describe a machine.",
            remedy="Add facts under fits that distinguish the two machines, or remove one of the files.",
        )
    return fits[0] if fits else None


def _system_price(table: Mapping[str, Any], place: Place) -> SystemPrice:
    per, years = table.get("per", "once"), table.get("years")
    if per == "once" and years is None:
        raise place.wrong(
            '"years" is missing',
            why="A one-time price is spread over years of use; without them the machine has no price per hour.",
            remedy='Write years = 4, or per = "month" or "hour" if the machine is rented.',
        )
    if per != "once" and years is not None:
        why = f"A price per {per} is not spread over years."
        raise place.wrong(
            f'years does not go with per = "{per}"', why=why, remedy='Remove years, or write per = "once".'
        )
    price = _price(table, currency=table["currency"], place=place)
    return SystemPrice(price, per, float(years) if years is not None else None, table.get("covers", ""))


def _price(table: Mapping[str, Any], *, currency: str, place: Place) -> Price:
    return Price(float(table["amount"]), currency, _day(table["date"], place), table["source"])


def _power(table: Mapping[str, Any], place: Place) -> Power:
    idle, load = table.get("idle_w"), table.get("load_w")
    if idle is None and load is None:
        why = "The table gives neither idle_w nor load_w."
        raise place.wrong("no power", why=why, remedy="Write at least one of them, or remove [power].")
    if idle is not None and load is not None and idle > load:
        why = f"The machine would draw more power idle ({idle:g} W) than under load ({load:g} W)."
        raise place.wrong("idle_w is above load_w", why=why, remedy="Change one of them.")
    return Power(
        idle_w=None if idle is None else float(idle),
        load_w=None if load is None else float(load),
        by=table["by"],
        date=_day(table["date"], place),
        how=table["how"],
    )


def _day(text: str, place: Place) -> str:
    """Return the date, whose digits the schema has checked; raises WordsError if the calendar has no such date."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        why = "The calendar has no such date."
        raise place.at("date").wrong(f'"{text}" is not a date', why=why, remedy='For example "2026-11-20".') from error
