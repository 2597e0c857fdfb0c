"""Servers that already run (``--url``): where they are, and which processes they are."""

import errno
import ipaddress
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from headtohead.describe.race.race import Racer
from headtohead.model.errors import WordsError

PORTS = {"http": 80, "https": 443}
FIRST_PID = 2


def running_servers(urls: Sequence[str], *, pids: Sequence[int], cgroups: Sequence[str]) -> tuple[Racer, ...]:
    """Return what the URLs reach; one of this machine without a process or group is found by its port.

    Raises WordsError for a URL that no driver can use, and for processes that are not one for each URL.
    """
    for option, given in (("--pid", pids), ("--cgroup", cgroups)):
        if given and len(given) != len(urls):
            why = f"There are {len(urls)} URLs and {len(given)} of {option}, which go together in their order."
            raise WordsError(option, why=why, remedy=f"Give {option} once for each --url, or not at all.")
    if pids and cgroups:
        raise WordsError("--pid and --cgroup", why="Both name the server's processes.", remedy="Keep one of the two.")
    path_of(urls)
    if len({urlsplit(each).scheme for each in urls}) > 1:
        why = "The verdict would be about TLS as well as about the servers."
        raise WordsError("--url with http and https", why=why, remedy="Use one of the two for all servers.")
    named: list[Mapping[str, object] | None] = [None] * len(urls)
    if pids:
        named = [{"pids": [_pid(each)]} for each in pids]
    elif cgroups:
        named = [{"cgroup": _cgroup(each)} for each in cgroups]
    return tuple(_server(url, attach) for url, attach in zip(urls, named, strict=True))


def path_of(urls: Sequence[str]) -> str:
    """Return the path that all URLs have, ``/`` without one; raises WordsError if they have different ones."""
    paths = {(urlsplit(each).path or "/") + (f"?{query}" if (query := urlsplit(each).query) else "") for each in urls}
    if len(paths) > 1:
        why = f"All servers get the same requests, and these URLs have {' and '.join(sorted(paths))}."
        raise WordsError("--url with different paths", why=why, remedy="Give the path by --get.")
    return next(iter(paths), "/")


def _server(url: str, attach: Mapping[str, object] | None) -> Racer:
    parts = urlsplit(url)
    try:
        address = ipaddress.ip_address("127.0.0.1" if parts.hostname == "localhost" else parts.hostname or "")
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError as error:
        why = "A driver connects to an address, and looks up no name."
        raise WordsError(f"--url {url}", why=why, remedy="Write http://127.0.0.1:8080/path.") from error
    if parts.scheme not in PORTS or parts.username or parts.fragment:
        why = "A race sends HTTP or HTTPS; a user's name and a fragment are no part of it."
        raise WordsError(f"--url {url}", why=why, remedy="Write http://127.0.0.1:8080/path.")
    here = is_here(address)
    if not here and attach is not None:
        why = f"{address} is another machine, and its processes are not visible here."
        raise WordsError(f"--url {url} with a process", why=why, remedy="Leave out --pid and --cgroup.")
    found = attach or ({"port": port} if here else {"elsewhere": True})
    host = f"[{address}]" if address.version == 6 else str(address)
    if parts.scheme == "https" and parts.hostname == "localhost":
        host = "localhost"  # which the certificate is for
    return Racer("", (), Path(), url=f"{parts.scheme}://{host}:{port}", attach=found)


def is_here(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return whether an address is this machine's: only then may a program bind to it."""
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with socket.socket(family) as probe:
        try:
            probe.bind((str(address), 0))
        except OSError as error:
            return error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
    return True


def _pid(pid: int) -> int:
    if pid < FIRST_PID:
        raise WordsError(f"--pid {pid}", why="It is not the number of a server.", remedy="See `ss -ltnp`.")
    return pid


def _cgroup(path: str) -> str:
    if not path.startswith("/") or ".." in path:
        why = "A control group is a path as in /proc/<pid>/cgroup."
        raise WordsError(f"--cgroup {path}", why=why, remedy="Write /system.slice/nginx.service.")
    return path
