"""The settings that a study may name are those that supervise changes: one list stands in two languages."""

import re
from pathlib import Path

from headtohead.model.machine.settings import SYSCTLS

NAMES = Path(__file__).parents[2] / "crates" / "probe" / "src" / "settings" / "names.rs"


def test_the_names_that_are_checked_beforehand_are_those_that_supervise_changes() -> None:
    (listed,) = re.findall(r"const SYSCTLS: \[&str; \d+\] = \[(.*?)\];", NAMES.read_text(), flags=re.DOTALL)
    assert tuple(re.findall(r'"([^"]+)"', listed)) == SYSCTLS
