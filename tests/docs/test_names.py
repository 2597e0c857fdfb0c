"""Names in code state what they hold: ``told`` holds nothing in particular."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "headtohead"
AVOIDED = "told"


def names(tree: ast.AST) -> Iterator[str]:
    """Yield every name that a module gives."""
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.FunctionDef | ast.ClassDef):
            yield each.name


def avoided(source: str) -> list[str]:
    return [each for each in names(ast.parse(source)) if AVOIDED in each.lower().split("_")]


def test_no_name_is_told() -> None:
    found = {str(each.relative_to(SOURCE)): avoided(each.read_text("utf-8")) for each in SOURCE.rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("source", ["told = 1", "def f(told): ...", "class Told: ...", "for told_ns in x: ..."])
def test_such_a_name_is_found(source: str) -> None:
    assert len(avoided(source)) == 1


def test_other_names_are_not() -> None:
    assert avoided("untold = f(told=1)") == []
