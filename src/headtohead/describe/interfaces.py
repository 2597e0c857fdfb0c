"""The facts that an interface's name gives: its kind, and whether it uses TLS."""

import re

_OVER_TLS = re.compile(r"http/[a-z0-9-]+-tls-v[0-9]+")


def kind_of(interface: str) -> str:
    """Return the kind of an interface: ``http``, ``sql``, ``net`` or ``batch``.

    >>> kind_of("sql/forum-v1")
    'sql'
    """
    return interface.partition("/")[0]


def is_work(interface: str) -> bool:
    """Return whether a program of the subject does the work of the cases, and times it.

    >>> is_work("batch/rsa-v1"), is_work("net/tcp-stream-v1"), is_work("sql/forum-v1")
    (True, True, False)
    """
    return kind_of(interface) in ("batch", "net")


def over_tls(interface: str) -> bool:
    """Return whether requests to an interface use TLS, at the subject's ``tls_url``.

    >>> over_tls("http/static-tls-v1"), over_tls("http/static-v1")
    (True, False)
    """
    return _OVER_TLS.fullmatch(interface) is not None
