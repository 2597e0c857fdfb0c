"""What several subjects or data sets share: a file in one home, linked from each, whole in the installed package."""

import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from headtohead.describe.home import find_home
from headtohead.store.fingerprint import content_sha256

HOME = find_home()
ROOMS = (HOME.subjects, HOME.datasets, HOME.workloads)
LINKS = sorted(path for room in ROOMS for path in room.rglob("*") if path.is_symlink())


def test_every_link_leads_to_a_file_in_the_shared_folder_of_its_room() -> None:
    assert LINKS
    for link in LINKS:
        room = next(each for each in ROOMS if link.is_relative_to(each))
        assert not link.readlink().is_absolute(), link
        assert link.resolve().is_file(), link
        assert link.resolve().parent == room / "shared", link


def test_every_shared_file_is_linked_from_two_folders_or_more() -> None:
    for room in ROOMS:
        for shared in (room / "shared").glob("*"):
            if shared.name not in ("README.md", "__pycache__"):
                users = {link.relative_to(room).parts[0] for link in LINKS if link.resolve() == shared}
                assert len(users) > 1, f"{shared} has fewer than two users: {users or 'none'}"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the content as pip installs it, out of a wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(HOME.root)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder / "headtohead" / "share"


def test_the_package_holds_a_copy_in_place_of_each_link(installed: Path) -> None:
    for link in LINKS:
        there = installed / link.relative_to(HOME.root)
        assert there.is_file()
        assert not there.is_symlink()
        assert there.read_bytes() == link.read_bytes()


def test_the_package_has_the_hashes_of_the_checkout(installed: Path) -> None:
    for room in ROOMS:
        for folder in (each for each in room.iterdir() if each.is_dir() and each.name != "shared"):
            assert content_sha256(installed / folder.relative_to(HOME.root)) == content_sha256(folder), folder
