"""The texts that people read, taken from pages, from ``--help``, from schemas, from TOML and from Python."""

import ast
import io
import json
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from typer.main import get_command

from headtohead.cli.app import app
from headtohead.model import errors

_FENCED: Final = re.compile(r"^( *)```.*?^ *```", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"``[^`]+``|`[^`]+`", re.DOTALL)
_TARGET: Final = re.compile(r"\]\([^)]*\)")
_ERRORS: Final = frozenset({"wrong"} | {each.__name__ for each in vars(errors).values() if isinstance(each, type)})
"""The names of calls that make an error: our classes, and the method of a place in a file."""
_PARTS: Final = frozenset({"why", "remedy", "says", "advice"})
"""The keyword arguments, and the names, that hold the sentences of an error or a finding."""
_PROSE: Final = frozenset({"description", "x-expected"})
_ON_REPORTS: Final = frozenset({"title", "question", "says"})
"""The keys of TOML files whose texts are on reports."""


def of_page(page: Path) -> Iterator[str]:
    """Yield the paragraphs of a Markdown page, without code and without the targets of links."""
    text = _FENCED.sub("", page.read_text("utf-8"))
    for paragraph in re.split(r"\n\s*\n", text):
        yield _prose(_TARGET.sub("]", paragraph))


def commands() -> dict[str, Any]:
    """Return the commands by their names; the one that has all others has the name ""."""
    group = get_command(app)
    return {"": group, **getattr(group, "commands", {})}


def of_help(name: str) -> str:
    """Return what ``--help`` of a command prints."""
    found = commands()[name]
    return " ".join(found.get_help(found.context_class(found, info_name=name, terminal_width=200)).split())


def of_schema(path: Path) -> Iterator[str]:
    """Yield the sentences of a JSON schema."""
    yield from _sentences(json.loads(path.read_text("utf-8")))


def _sentences(node: Any) -> Iterator[str]:  # noqa: ANN401  whatever JSON holds
    if isinstance(node, list):
        for each in node:
            yield from _sentences(each)
    if isinstance(node, dict):
        for key, value in node.items():
            if key in _PROSE and isinstance(value, str):
                yield _prose(value)
            elif key == "x-refused":
                yield from map(_prose, value.values())
            else:
                yield from _sentences(value)


def of_table(path: Path) -> Iterator[str]:
    """Yield the titles, questions and meanings of a TOML file."""
    yield from _on_reports(tomllib.loads(path.read_text("utf-8")))


def _on_reports(node: Any) -> Iterator[str]:  # noqa: ANN401  whatever TOML holds
    if isinstance(node, list):
        for each in node:
            yield from _on_reports(each)
    if isinstance(node, dict):
        yield from (_prose(each) for key, each in node.items() if key in _ON_REPORTS and isinstance(each, str))
        for each in node.values():
            yield from _on_reports(each)


def of_module(path: Path) -> Iterator[str]:
    """Yield the docstrings, the comments and the texts of errors of a Python file."""
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield _prose(token.string)
    for node in ast.walk(tree):
        yield from map(_prose, _of_node(node))


def of_strings(path: Path) -> Iterator[str]:
    """Yield every text in the code of a Python file, its docstrings left out; of an f-string its fixed parts."""
    tree = ast.parse(path.read_text("utf-8"))
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield _prose(node.value)


def _of_node(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        yield node.value.value
    if isinstance(node, ast.Call):
        made = getattr(node.func, "id", getattr(node.func, "attr", ""))
        yield from (_literal(each) for each in (node.args if made in _ERRORS else ()))
        yield from (_literal(each.value) for each in node.keywords if each.arg in _PARTS)
    if isinstance(node, ast.Assign):
        for target in node.targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            if any(isinstance(each, ast.Name) and each.id.lower() in _PARTS for each in names):
                yield _literal(node.value)


def _literal(node: ast.expr) -> str:
    """Return the text that stands in an expression itself, with a gap for each part that is computed."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal(each) if isinstance(each, ast.Constant) else "…" for each in node.values)
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return " … ".join(
        filter(None, (_literal(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)))
    )


def _prose(text: str) -> str:
    return _CODE.sub("`…`", text)
