"""The firmware version of a network interface, which no file shows: the kernel returns it.

Layout of ``struct ethtool_drvinfo`` and of ``struct ifreq``: linux/ethtool.h and linux/if.h.
"""

import array
import fcntl
import socket
import struct

SIOCETHTOOL = 0x8946
ETHTOOL_GDRVINFO = 0x00000003
# cmd, driver[32], version[32], fw_version[32], bus_info[32], erom_version[32], reserved2[12], five counts
DRIVER_INFO = struct.Struct("=I32s32s32s32s32s12s5I")
NAME_BYTES = 15


def read_firmware(interface: str) -> str | None:
    """Return the firmware version of a network interface, None if its driver reports none."""
    info = array.array("B", DRIVER_INFO.pack(ETHTOOL_GDRVINFO, b"", b"", b"", b"", b"", b"", 0, 0, 0, 0, 0))
    address, _ = info.buffer_info()
    request = struct.pack("16sP", interface.encode()[:NAME_BYTES], address)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as anyone:
            fcntl.ioctl(anyone, SIOCETHTOOL, request)
    except OSError:
        return None
    firmware: bytes = DRIVER_INFO.unpack(info.tobytes())[3]
    return firmware.split(b"\0")[0].decode(errors="replace").strip() or None
