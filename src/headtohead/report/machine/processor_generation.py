"""What a processor is called by those who buy one: its generation, by vendor, family and model number.

Numbers from the Linux kernel (arch/x86/include/asm/intel-family.h, arch/x86/kernel/cpu/amd.c) and from Arm's Technical
Reference Manuals. A hypervisor may give another number than the chip has, so a name from here shows where it is from.
"""

from collections.abc import Mapping
from typing import Final

Named = Mapping[tuple[int, int], str]

_AMD: Final[Named] = {
    (23, 1): "Naples",
    (23, 49): "Rome",
    (25, 1): "Milan",
    (25, 17): "Genoa",
    (25, 160): "Bergamo",
    (26, 2): "Turin",
    (26, 17): "Turin Dense",
}
_INTEL: Final[Named] = {
    (6, 63): "Haswell",
    (6, 79): "Broadwell",
    (6, 85): "Skylake or Cascade Lake",
    (6, 106): "Ice Lake",
    (6, 143): "Sapphire Rapids",
    (6, 173): "Granite Rapids",
    (6, 207): "Emerald Rapids",
}
_VENDORS: Final = {"AuthenticAMD": _AMD, "GenuineIntel": _INTEL}


def generation(vendor: object, family: object, number: object) -> str:
    """Return the generation of a server processor by these facts of /proc/cpuinfo; empty if it is not known.

    Results folders have the numbers as text.

    >>> generation("AuthenticAMD", "25", "1"), generation("GenuineIntel", 6, 999)
    ('Milan', '')
    """
    known = [int(each) for each in map(str, (family, number)) if each.isascii() and each.isdecimal()]
    return _VENDORS.get(str(vendor), {}).get((known[0], known[1]), "") if len(known) == 2 else ""
