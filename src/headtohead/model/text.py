"""Text of others: what steers a terminal, or hides and turns round what people read, is replaced wherever it is met."""

import re

INSTEAD = "\ufffd"
"""Unicode's own mark for a letter that could not be told."""

_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # the escape of terminals among them; a tab and a line's end may stay
_TURNS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction of reading
_NO_LETTERS = r"\ud800-\udfff\ufffe\uffff"  # halves of letters, which no file can hold; XML wants none of the others
_UNSHOWN = re.compile(f"[{_CONTROLS}{_TURNS}{_NO_LETTERS}]")
_ASCII = bytes(number for number in range(128) if _UNSHOWN.match(chr(number)))


def harmless(text: str) -> str:
    r"""Return text that can be shown anywhere: nothing in it steers a terminal or changes the order of reading.

    >>> harmless("\x1b[2Jnginx\r\n") == "\ufffd[2Jnginx\ufffd\n"
    True
    """
    if text.isascii() and len(text.encode("ascii").translate(None, _ASCII)) == len(text):
        return text  # six times as fast as searching, and nearly all there is
    return _UNSHOWN.sub(INSTEAD, text)
