"""Every example in a docstring gives what it says."""

import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import benches
import headtohead


def modules() -> Iterator[str]:
    """Yield the modules whose text has an example anywhere."""
    for package in (headtohead, benches):
        root = Path(package.__path__[0])
        for path in root.rglob("*.py"):
            if ">>> " in path.read_text("utf-8"):
                yield ".".join(path.relative_to(root.parent).with_suffix("").parts)


@pytest.mark.parametrize("name", sorted(modules()))
def test_examples_give_what_they_say(name: str) -> None:
    module = importlib.import_module(name)
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
