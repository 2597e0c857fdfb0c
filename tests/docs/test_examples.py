"""Every example in a docstring gives what it says."""

import doctest
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import benches
import headtohead


def modules() -> Iterator[str]:
    for package in (headtohead, benches):
        found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        yield from (each.name for each in found if not each.name.endswith("__main__"))


@pytest.mark.parametrize("name", sorted(modules()))
def test_examples_give_what_they_say(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_there_are_examples() -> None:
    """The tests above would hold of docstrings that are not looked for where they stand."""
    found = doctest.DocTestFinder().find(importlib.import_module("headtohead.store.convert"))
    assert sum(len(each.examples) for each in found) >= 2
