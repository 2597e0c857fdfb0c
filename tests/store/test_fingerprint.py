"""One hash over what a folder holds."""

from pathlib import Path

import pytest

from headtohead.store.fingerprint import folder_sha256


def folder(root: Path) -> Path:
    (root / "deep").mkdir(parents=True)
    (root / "a.toml").write_text("a")
    (root / "deep" / "b.c").write_text("b")
    return root


def test_folders_that_hold_the_same_have_the_same_hash(tmp_path: Path) -> None:
    assert folder_sha256(folder(tmp_path / "one")) == folder_sha256(folder(tmp_path / "two"))


@pytest.mark.parametrize(("name", "text"), [("a.toml", "x"), ("new.c", ""), ("deep/b.c", "bb")])
def test_another_byte_or_file_changes_the_hash(tmp_path: Path, name: str, text: str) -> None:
    before = folder_sha256(folder(tmp_path))
    (tmp_path / name).write_text(text)

    assert folder_sha256(tmp_path) != before


def test_a_file_of_another_name_changes_the_hash(tmp_path: Path) -> None:
    before = folder_sha256(folder(tmp_path))
    (tmp_path / "a.toml").rename(tmp_path / "c.toml")

    assert folder_sha256(tmp_path) != before


def test_what_only_people_read_or_running_makes_does_not_change_it(tmp_path: Path) -> None:
    before = folder_sha256(folder(tmp_path))
    (tmp_path / "README.md").write_text("words")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "x.pyc").write_bytes(b"x")

    assert folder_sha256(tmp_path) == before
