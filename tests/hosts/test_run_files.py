"""The files of a run on this machine, and the error for one that cannot be written."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.hosts.files.here import FilesHere
from headtohead.model.errors import HostError

FREE = re.compile(r"\(([\d,]+) of the ([\d,]+) MB of its disk are free\)\.")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(("mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)), check=True)
    try:
        yield disk
    finally:
        subprocess.run(("umount", str(disk)), check=True)


@pytest.mark.real
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_is_named_with_its_size(small_disk: Path) -> None:
    with pytest.raises(HostError) as refused:
        FilesHere().write(small_disk / "my.cnf", "x" * 2 * 1024 * 1024)
    assert refused.value.what == "my.cnf could not be written"
    assert refused.value.why.startswith(f"No space left on device: {small_disk} (")
    found = FREE.search(refused.value.why)
    assert found
    assert found.groups() == ("0", "1")


def test_a_folder_that_is_missing_is_named_with_the_disk_that_it_would_be_on(tmp_path: Path) -> None:
    with pytest.raises(HostError) as refused:
        FilesHere().write(tmp_path / "missing" / "my.cnf", "")
    assert refused.value.why.startswith(f"No such file or directory: {tmp_path / 'missing'} (")
    assert FREE.search(refused.value.why)
