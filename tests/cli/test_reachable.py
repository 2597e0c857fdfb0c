"""Which program a race means if root runs it, and its commands run as another user."""

from pathlib import Path

import pytest

from headtohead.cli.race import reachable
from headtohead.cli.race.reachable import found_program, obstacle


@pytest.fixture
def shims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that is first on PATH and has a `sh` of its own, as version managers in a home have."""
    program = tmp_path / "shims" / "sh"
    program.parent.mkdir()
    program.write_text("#!/bin/false\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setattr(reachable, "HIDDEN", (str(tmp_path),))
    return program.parent


def test_root_gets_the_first_program_on_path_that_the_other_user_reaches(shims: Path) -> None:
    assert found_program("sh", here=Path("/usr"), as_other_user=True) == (Path("/usr/bin/sh"), shims / "sh")
    assert found_program("sh", here=Path("/usr"), as_other_user=False) == (shims / "sh", None)
    assert found_program("sh", here=shims, as_other_user=True) == (shims / "sh", None), "the folder is shown"


def test_a_path_and_a_program_that_only_root_has_stay_what_was_typed(shims: Path) -> None:
    assert found_program(str(shims / "sh"), here=Path("/usr"), as_other_user=True) == (shims / "sh", None)
    (shims / "sh").rename(shims / "only-here")
    assert found_program("only-here", here=Path("/usr"), as_other_user=True) == (shims / "only-here", None)
    assert found_program("no-such-program", here=Path("/usr"), as_other_user=True) == (None, None)


def test_what_a_link_leads_to_must_be_reached_too(shims: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    link = tmp_path / "link"
    link.symlink_to(shims / "sh")
    shims.chmod(0o700)

    assert obstacle(link, here=tmp_path) == shims
    assert obstacle(Path("/usr/bin/sh"), here=tmp_path) is None
