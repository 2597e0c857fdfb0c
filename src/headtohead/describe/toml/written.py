"""Write values and tables as TOML."""

import json
from collections.abc import Mapping, Sequence


def value_text(value: object) -> str:
    r"""Return a text, number, boolean, list or table as one TOML value.

    >>> value_text({"name": "nginx", "cpus": [1, True], "title": 'a "b"'})
    '{ name = "nginx", cpus = [1, true], title = "a \\"b\\"" }'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {value_text(each)}' for key, each in value.items())} }}"
    if isinstance(value, Sequence):
        return f"[{', '.join(value_text(each) for each in value)}]"
    return str(value)


def table_text(header: str, rows: Mapping[str, object]) -> str:
    """Return a table with its header (``[start]``; empty for the top) and a line for each row that is not None.

    >>> print(table_text("[start]", {"argv": ["nginx"], "directory": None, "within_s": 10}), end="")
    [start]
    argv     = ["nginx"]
    within_s = 10
    """
    there = {key: each for key, each in rows.items() if each is not None}
    width = max((len(key) for key in there), default=0)
    lines = [f"{key:<{width}} = {value_text(each)}" for key, each in there.items()]
    return "".join(f"{line}\n" for line in ([header] if header else []) + lines)


def _key(key: object) -> str:
    text = str(key)
    bare = text.replace("-", "").replace("_", "").isalnum() and text.isascii()
    return text if bare else value_text(text)
