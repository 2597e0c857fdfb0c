"""What people say of a machine and of prices: ``systems/<name>.toml`` and ``prices.toml``."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from headtohead.describe.home import Home
from headtohead.describe.toml.document import written_in
from headtohead.describe.toml.position import Place, alike
from headtohead.model.external.prices import Power, Price, Prices, System, SystemPrice
from headtohead.model.machine.host import HostFacts
from headtohead.model.quantity import scalar_text

GIB = 2**30


def system_in(content: bytes, *, home: Home, place: Place) -> System:
    """Return the machine that a file describes; raises WordsError for the first thing that is wrong in it."""
    data = written_in(content, "system", home=home, place=place).data
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
    """Return the prices that a file gives; raises WordsError for the first thing that is wrong in it."""
    data = written_in(content, "prices", home=home, place=place).data
    told = {
        name: _price(data[name], currency=data["currency"], place=place.at(name))
        for name in ("gb_sent", "kwh")
        if name in data
    }
    if not told:
        raise place.wrong(
            "no price",
            why="It gives neither the price of a GB sent (gb_sent) nor that of a kWh (kwh).",
            remedy='For example gb_sent = { amount = 0.05, date = "2026-11-20", source = "the provider\'s list" }.',
        )
    return Prices(told.get("gb_sent"), told.get("kwh"))


def ask_one_currency(system: System | None, prices: Prices | None, *, places: tuple[Place, Place]) -> None:
    """Raise WordsError where the prices of a system and of what it uses are in two currencies.

    ``places`` are the files of the two.
    """
    own = system.price.price.currency if system and system.price else None
    others = [each.currency for each in (prices.gb_sent, prices.kwh) if each] if prices else []
    if own is not None and others and others[0] != own:
        raise (
            places[1]
            .at("currency")
            .wrong(
                f'"{others[0]}" beside "{own}"',
                why=f"{places[0]} gives the price of the system in {own}, and no rate of exchange is assumed.",
                remedy="Write both in one currency, by a rate and a day that you state in source.",
            )
        )


def misfit(system: System, hosts: Sequence[HostFacts]) -> str:
    """Return why a system's file is not about the first host; empty where every fact that it names is as it was read.

    Values are compared as they are written: 2 and "2" are one.
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
    """Return the index of the one system that fits the machine, None where none does; WordsError where several do."""
    fits = [index for index, (_, system) in enumerate(found) if not misfit(system, hosts)]
    if len(fits) > 1:
        first, second = (found[index][0] for index in fits[:2])
        raise second.at("fits").wrong(
            "more than one file fits this machine",
            why=f"{first} fits it too, and a machine has one.",
            remedy="Name more facts that tell the two machines apart, or take one of the files away.",
        )
    return fits[0] if fits else None


def _system_price(table: Mapping[str, Any], place: Place) -> SystemPrice:
    per, years = table.get("per", "once"), table.get("years")
    if per == "once" and years is None:
        raise place.wrong(
            '"years" is missing',
            why="What was paid once is written off over years; without them an hour of the machine has no price.",
            remedy='Write years = 4, or per = "month" or "hour" where it is rented.',
        )
    if per != "once" and years is not None:
        why = f"What is paid for every {per} is not written off."
        raise place.wrong(f'years beside per = "{per}"', why=why, remedy='Remove years, or write per = "once".')
    price = _price(table, currency=table["currency"], place=place)
    return SystemPrice(price, per, float(years) if years is not None else None, table.get("covers", ""))


def _price(table: Mapping[str, Any], *, currency: str, place: Place) -> Price:
    return Price(float(table["amount"]), currency, _day(table["date"], place), table["source"])


def _power(table: Mapping[str, Any], place: Place) -> Power:
    idle, load = table.get("idle_w"), table.get("load_w")
    if idle is None and load is None:
        why = "It gives neither idle_w nor load_w."
        raise place.wrong("no power", why=why, remedy="Write one of them, or take [power] away.")
    if idle is not None and load is not None and idle > load:
        why = f"It would draw more idle ({idle:g} W) than under load ({load:g} W)."
        raise place.wrong("idle_w above load_w", why=why, remedy="Change one of them.")
    return Power(
        idle_w=None if idle is None else float(idle),
        load_w=None if load is None else float(load),
        by=table["by"],
        date=_day(table["date"], place),
        how=table["how"],
    )


def _day(text: str, place: Place) -> str:
    """Return the day, which the schema has as four, two and two digits; WordsError where the calendar has none such."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        why = "The calendar has no such day."
        raise place.at("date").wrong(f'"{text}" is no day', why=why, remedy='For example "2026-11-20".') from error
