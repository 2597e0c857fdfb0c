"""The table of rules: every rule is listed once, and a check uses it."""

from pathlib import Path

import pytest

from headtohead.model import rules
from headtohead.model.rules import Rule

SOURCES = Path(rules.__file__).parents[1]
NAMED = {name: value for name, value in vars(rules).items() if isinstance(value, Rule)}


def test_every_rule_is_of_runs_or_of_experiments() -> None:
    listed = [*rules.OF_RUNS, *rules.OF_EXPERIMENTS]
    assert len(listed) == len(NAMED)
    assert all(each in listed for each in NAMED.values())


@pytest.mark.parametrize("name", NAMED)
def test_every_rule_is_used_by_a_check(name: str) -> None:
    checks = (SOURCES / "analyze" / "findings").rglob("*.py")
    assert any(f"rules.{name}.id" in file.read_text("utf-8") for file in checks)


@pytest.mark.parametrize("rule", NAMED.values(), ids=NAMED)
def test_a_share_is_a_fraction_of_one(rule: Rule) -> None:
    assert rule.limit >= 0
    assert rule.unit != "share" or rule.limit <= 1
