"""One hash over what a folder holds."""

import shutil
from pathlib import Path

import pytest

from headtohead.store.fingerprint import content_sha256, folder_sha256


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


def linked(root: Path) -> Path:
    (root / "shared").mkdir(parents=True)
    (root / "shared" / "b.c").write_text("b")
    (root / "own").mkdir()
    (root / "own" / "a.toml").write_text("a")
    (root / "own" / "b.c").symlink_to("../shared/b.c")
    return root


def test_a_shared_file_is_part_of_each_folder_that_links_to_it(tmp_path: Path) -> None:
    own = linked(tmp_path) / "own"
    before = content_sha256(own)
    (tmp_path / "shared" / "b.c").write_text("bb")

    assert content_sha256(own) != before


def test_a_link_to_a_file_and_a_copy_of_it_have_the_same_hash(tmp_path: Path) -> None:
    own = linked(tmp_path) / "own"
    shutil.copytree(own, tmp_path / "installed")

    assert not (tmp_path / "installed" / "b.c").is_symlink()
    assert content_sha256(tmp_path / "installed") == content_sha256(own)


def test_nothing_is_read_behind_a_link_in_data(tmp_path: Path) -> None:
    own = linked(tmp_path) / "own"
    before = folder_sha256(own)
    (tmp_path / "shared" / "b.c").write_text("bb")

    assert folder_sha256(own) == before
