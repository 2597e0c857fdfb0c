"""The board: who made it, and its firmware."""

from collections.abc import Iterator

from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model.machine.host import Fact

DMI = "sys/class/dmi/id"
FILES = {
    "system vendor": "sys_vendor",
    "system": "product_name",
    "board vendor": "board_vendor",
    "board": "board_name",
    "BIOS vendor": "bios_vendor",
    "BIOS version": "bios_version",
    "BIOS date": "bios_date",
}
DEVICE_TREE = "sys/firmware/devicetree/base/model"


def read_board(tree: Tree) -> Iterator[Fact]:
    """Yield the facts of the board; serial numbers are left out, as results are published."""
    group = Group("board", tree)
    has_tables = tree.is_there(DMI)
    if tree.is_there(DEVICE_TREE):
        yield group.file("system", DEVICE_TREE)
    for name, file in FILES.items():
        if has_tables:
            yield group.file(name, f"{DMI}/{file}")
        elif not (name == "system" and tree.is_there(DEVICE_TREE)):
            yield group.hidden(name, source=f"/{DMI}/{file}", why_not="this machine shows no DMI tables")
