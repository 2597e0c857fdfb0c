"""`headtohead clean`: each line says what was done."""

import pytest

from headtohead.cli.commands import clean as command
from headtohead.hosts.supervise.remove_leftovers import Swept

LEFT = (Swept("directory", "/var/tmp/x", "1-2-3"), Swept("cgroup", "/y", "1-2-3", "Busy"))


@pytest.mark.parametrize(
    ("swept", "printed"),
    [
        ((), ["Nothing was left behind."]),
        (LEFT, ["Removed: directory /var/tmp/x of run 1-2-3", "cgroup /y of run 1-2-3: not removed (Busy)"]),
    ],
)
def test_a_line_says_what_was_removed_and_what_was_not(
    swept: tuple[Swept, ...],
    printed: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "clean", lambda **_: swept)
    command.command()
    assert capsys.readouterr().out.splitlines() == printed
