"""Where responses that should be the same begin to differ, for an error."""

from bisect import bisect_left
from collections.abc import Sequence

from headtohead.model.harmless_text import harmless

BEFORE, AFTER = 16, 24
"""Bytes of each response that are shown before the first difference, and from it on."""


def first_difference(names: Sequence[str], bodies: Sequence[bytes]) -> str:
    r"""Return from which byte on the bodies differ, counted from 1, and what each has there; empty if none differs.

    >>> first_difference(("a", "b"), (b'{"n": 1}', b'{"n": 2}'))
    'from byte 7 on they differ: a has {"n": 1}, b has {"n": 2}'
    >>> first_difference(("a", "b"), (b"one\n", b"one"))
    'from byte 4 on they differ: a has one\\n, b has one and then ends'
    """
    # Bodies that agree up to a byte agree before it too, so halving finds the place: a body may have 64 MiB.
    place = bisect_left(range(min(map(len, bodies))), True, key=lambda at: len({each[: at + 1] for each in bodies}) > 1)
    if all(each == bodies[0] for each in bodies):
        return ""
    shown = [f"{name} has {_excerpt(body, place)}" for name, body in zip(names, bodies, strict=True)]
    return f"from byte {place + 1} on they differ: {', '.join(shown)}"


def _excerpt(body: bytes, place: int) -> str:
    part = body[max(0, place - BEFORE) : place + AFTER]
    text = part.decode("utf-8", "replace").replace("\n", "\\n").replace("\t", "\\t")
    ends = " and then ends" if place >= len(body) else ""
    return f"{'... ' if place > BEFORE else ''}{harmless(text)}{' ...' if place + AFTER < len(body) else ''}{ends}"
