"""The memory: how much, in which modules, how fast, and whether it corrects its errors."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model.machine.host import Fact

INFO = "proc/meminfo"
EDAC = "sys/devices/system/edac/mc"
DMIDECODE = ("dmidecode", "--type", "16,17")
KIB = 1024
PEAK = "theoretical bandwidth"
PROCESSOR = re.compile(r"(?:^|[ _-])(?:p|cpu|proc|socket|node)[ _-]?[0-9]+", re.IGNORECASE)
CHANNEL = re.compile(r"channel[ _-]?([a-z0-9]+)", re.IGNORECASE)


def read_memory(tree: Tree) -> Iterator[Fact]:
    """Yield the facts of memory and its modules."""
    group = Group("memory", tree)
    amounts = kib_of(tree.text(INFO) or "")
    for name, key in (("total", "MemTotal"), ("available", "MemAvailable"), ("huge page size", "Hugepagesize")):
        if key in amounts:
            yield group.known(name, amounts[key] * KIB, source=f"/{INFO} ({key})", unit="B")
        else:
            yield group.hidden(name, source=f"/{INFO} ({key})", why_not=f"/{INFO} has no line {key}")
    yield from _modules(group)
    yield from _errors(group)


def kib_of(info: str) -> dict[str, int]:
    """Return /proc/meminfo: from each name to its number (KiB, or pages for counts)."""
    return {key: int(value) for key, value in re.findall(r"^([\w()]+):\s+(\d+)", info, re.MULTILINE)}


def _modules(group: Group) -> Iterator[Fact]:
    """Yield the modules from the firmware's tables, else from the memory controllers' driver."""
    tables = group.tree.said(DMIDECODE) if group.tree.root_user else None
    devices = [
        each for each in _tables(tables or "", "Memory Device") if "Size" in each and "No Module" not in each["Size"]
    ]
    if devices:
        yield from _from_tables(group, devices, arrays=_tables(tables or "", "Physical Memory Array"))
        return
    controllers = group.tree.glob(f"{EDAC}/mc[0-9]*/dimm[0-9]*")
    if controllers:
        yield from _from_driver(group, [str(each.relative_to(group.tree.root)) for each in controllers])
        return
    why = "this machine shows no memory modules: no EDAC driver, and " + (
        "dmidecode is missing or shows none" if group.tree.root_user else "only root may read the firmware's tables"
    )
    for name in ("DIMMs", "DIMMs per channel", "DIMM type", "DIMM speed", "ECC", PEAK):
        yield group.hidden(name, source=" ".join(DMIDECODE), why_not=why)


def _from_tables(
    group: Group, devices: Sequence[Mapping[str, str]], *, arrays: Sequence[Mapping[str, str]]
) -> Iterator[Fact]:
    source = " ".join(DMIDECODE)
    yield group.known("DIMMs", _counted(each["Size"] for each in devices), source=source)
    channels = [channel for each in devices if (channel := _channel(each)) is not None]
    known = channels if len(channels) == len(devices) else []
    yield _per_channel(group, known, source=source)
    yield _peak(group, devices, channels=known, source=source)
    for name, key in (("DIMM type", "Type"), ("DIMM rated speed", "Speed"), ("DIMM speed", "Configured Memory Speed")):
        said = [each[key] for each in devices if each.get(key, "Unknown") != "Unknown"]
        yield _stated(group, name, words=said, source=source)
    ecc = [each["Error Correction Type"] for each in arrays if "Error Correction Type" in each]
    yield _stated(group, "ECC", words=ecc, source=source)


def _channel(device: Mapping[str, str]) -> str | None:
    """Return what identifies a module's channel: the socket's name up to the channel, and the processor."""
    places = [device.get(key, "") for key in ("Locator", "Bank Locator")]
    named = [place[: found.end()] for place in places if (found := CHANNEL.search(place))]
    processors = [found[0] for place in places if (found := PROCESSOR.search(place))]
    return " ".join([*named[:1], *processors]).upper() if named else None


def _peak(group: Group, devices: Sequence[Mapping[str, str]], *, channels: Sequence[str], source: str) -> Fact:
    """Return channels times speed times width if the tables have all three; never a guess."""
    speeds, widths = (
        {found[1] for each in devices if (found := re.match(rf"(\d+) {unit}$", each.get(key, "")))}
        for key, unit in (("Configured Memory Speed", "MT/s"), ("Data Width", "bits"))
    )
    why = ""
    if not channels:
        why = "the names of the sockets do not show their channel"
    elif len(speeds) != 1:
        why = "the modules differ in speed" if speeds else "the tables do not show the speed of the modules"
    elif len(widths) != 1:
        why = "the modules differ in width" if widths else "the tables do not show the width of the modules"
    if why:
        return group.hidden(PEAK, source=source, why_not=why)
    (speed,), (bits,) = speeds, widths
    factors = f"{source} ({len(set(channels))} channels, {speed} MT/s, {bits} bits)"
    return group.known(PEAK, len(set(channels)) * int(speed) * 1_000_000 * int(bits) // 8, source=factors, unit="B/s")


def _from_driver(group: Group, places: Sequence[str]) -> Iterator[Fact]:
    tree, source = group.tree, f"/{EDAC}/mc*/dimm*"
    sizes = [tree.text(f"{place}/size") or "?" for place in places]
    yield group.known("DIMMs", _counted(f"{size} MB" for size in sizes), source=f"{source}/size")
    channels = []
    for place in places:
        found = CHANNEL.search(tree.text(f"{place}/dimm_location") or "")
        channels += [f"{place.split('/')[-2]} {found[1]}"] if found else []
    yield _per_channel(group, channels if len(channels) == len(places) else [], source=f"{source}/dimm_location")
    for name, file in (("DIMM type", "dimm_mem_type"), ("ECC", "dimm_edac_mode")):
        said = [text for place in places if (text := tree.text(f"{place}/{file}"))]
        yield _stated(group, name, words=said, source=f"{source}/{file}")
    yield group.hidden(
        "DIMM speed", source=" ".join(DMIDECODE), why_not="EDAC does not report it, and dmidecode showed none"
    )
    yield group.hidden(PEAK, source=source, why_not="EDAC does not report the speed of the modules")


def _stated(group: Group, name: str, *, words: Sequence[str], source: str) -> Fact:
    if not words:
        return group.hidden(name, source=source, why_not=f"{source} does not say")
    return group.known(name, _same(words), source=source)


def _per_channel(group: Group, channels: Sequence[str], *, source: str) -> Fact:
    name = "DIMMs per channel"
    if not channels:
        return group.hidden(name, source=source, why_not="the names of the sockets do not show their channel")
    return group.known(name, _same([str(count) for count in Counter(channels).values()]), source=source)


def _errors(group: Group) -> Iterator[Fact]:
    for name, file in (("memory errors corrected", "ce_count"), ("memory errors uncorrected", "ue_count")):
        counts = [
            count
            for each in group.tree.glob(f"{EDAC}/mc[0-9]*")
            if (count := group.tree.integer(f"{EDAC}/{each.name}/{file}")) is not None
        ]
        if counts:
            yield group.known(name, sum(counts), source=f"/{EDAC}/mc*/{file}")
        else:
            yield group.hidden(name, source=f"/{EDAC}/mc*/{file}", why_not="no EDAC driver counts memory errors here")


def _tables(text: str, title: str) -> list[dict[str, str]]:
    """Return the tables of that title in dmidecode's output, each as its fields."""
    found = []
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if any(line.strip() == title for line in lines):
            pairs = (line.strip().partition(": ") for line in lines)
            found.append({key: value.strip() for key, colon, value in pairs if colon})
    return found


def _counted(words: Iterator[str]) -> str:
    """Return the count of each word: ``8 x 32 GB``."""
    return ", ".join(f"{count} x {word}" for word, count in sorted(Counter(words).items()))


def _same(words: Sequence[str]) -> str:
    """Return the one word if all are equal, else all different ones."""
    return ", ".join(sorted(set(words)))
