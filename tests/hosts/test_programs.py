from pathlib import Path

import pytest

from headtohead.hosts.cache_locks import LOCKS
from headtohead.hosts.software import programs
from headtohead.model.errors import HostError


def make(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "venv/bin/python"))
    monkeypatch.setattr(programs, "_build_folders", list)


def test_what_is_installed_beside_python_comes_first(tmp_path: Path) -> None:
    beside = make(tmp_path / "venv/bin/h2h-probe")
    on_path = make(tmp_path / "path/h2h-probe")
    environ = {"PATH": str(on_path.parent)}
    assert programs.find_program("h2h-probe", environ=environ) == beside
    beside.unlink()
    assert programs.find_program("h2h-probe", environ=environ) == on_path


def test_a_directory_on_the_path_that_cannot_be_looked_into_is_passed_over(tmp_path: Path) -> None:
    on_path = make(tmp_path / "path/h2h-probe")
    assert programs.find_program("h2h-probe", environ={"PATH": f"/{'x' * 300}:{on_path.parent}"}) == on_path


def test_a_program_that_is_nowhere_is_told_how_to_build() -> None:
    with pytest.raises(HostError) as caught:
        programs.find_program("h2h-load", environ={"PATH": ""})
    assert "cargo build --release" in caught.value.remedy


def test_programs_are_kept_by_their_content(tmp_path: Path) -> None:
    load, probe = make(tmp_path / "a/h2h-load", "load"), make(tmp_path / "a/h2h-probe", "probe")
    cache = tmp_path / "cache"
    first = programs.install_programs((load, probe), cache=cache)
    assert first.parent == cache / "bin"
    assert len(first.name) == 16
    assert sorted(each.name for each in first.iterdir()) == ["h2h-load", "h2h-probe"]
    assert all(each.stat().st_mode & 0o777 == 0o755 for each in (first, *first.iterdir()))
    assert programs.install_programs((load, probe), cache=cache) == first
    make(probe, "newer")
    second = programs.install_programs((load, probe), cache=cache)
    assert second != first
    assert (first / "h2h-probe").read_text() == "probe"
    folders = [each.name for each in (cache / "bin").iterdir() if each.name != LOCKS]
    assert sorted(folders) == sorted((first.name, second.name))


def test_a_copy_that_was_changed_is_made_anew(tmp_path: Path) -> None:
    program = make(tmp_path / "h2h-load", "load")
    kept = programs.install_programs((program,), cache=tmp_path / "cache")
    (kept / "h2h-load").write_text("another")
    assert programs.install_programs((program,), cache=tmp_path / "cache") == kept
    assert (kept / "h2h-load").read_text() == "load"


def test_a_copy_that_a_killed_process_began_is_removed(tmp_path: Path) -> None:
    begun = tmp_path / "cache/bin/.4000000-1-0"
    begun.mkdir(parents=True)
    programs.install_programs((make(tmp_path / "h2h-load"),), cache=tmp_path / "cache")
    assert not begun.exists()
