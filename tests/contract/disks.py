"""A disk that loses its second half: a real file system on a loop device, whose end the kernel then cannot read."""

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from headtohead.hosts.paths import work_dir

MIB = 1024 * 1024
LOOK_EVERY_S = 0.05
FOUND_WITHIN_S = 60.0
NEEDED = ("mkfs.ext4", "losetup", "mount", "umount")


@dataclass(frozen=True)
class Failing:
    """A mounted disk, and the file that it lies in."""

    place: Path
    image: Path
    device: str

    def lose(self, *, from_bytes: int) -> None:
        """Have the kernel find nothing from there on."""
        os.truncate(self.image, from_bytes)
        _done("losetup", "--set-capacity", self.device)


@contextmanager
def failing_disk(size_bytes: int) -> Iterator[Failing]:
    """Mount a disk that can be made to fail; skips the test where that is not allowed."""
    lacking = [each for each in NEEDED if shutil.which(each, path="/usr/sbin:/usr/bin:/sbin:/bin") is None]
    folder = Path(tempfile.mkdtemp(prefix="h2h-", dir="/var/tmp"))
    place, image = folder / "disk", folder / "image"
    place.mkdir()
    image.touch()
    os.truncate(image, size_bytes)
    device = ""
    try:
        if lacking or os.geteuid() != 0:
            pytest.skip("a disk of our own cannot be made here")
        _done("mkfs.ext4", "-q", "-F", "-b", "4096", "-O", "^has_journal", str(image))
        device = _done("losetup", "--find", "--show", str(image))
        _done("mount", device, str(place))
        folder.chmod(0o755)
        yield Failing(place, image, device)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"a disk of our own cannot be made here: {error.stderr}")
    finally:
        if os.path.ismount(place):
            _done("umount", str(place))
        if device:
            _done("losetup", "--detach", device)
        shutil.rmtree(folder)


@contextmanager
def losing(disk: Failing, name: str, *, size_bytes: int, from_bytes: int) -> Iterator[list[Path]]:
    """Let a disk fail once a file of a run is there in full and on it; give the file."""
    found: list[Path] = []
    over = threading.Event()
    pattern = str(work_dir(Path("headtohead-*")) / name)

    def lose() -> None:
        deadline_s = time.monotonic() + FOUND_WITHIN_S
        while not over.is_set() and not found and time.monotonic() < deadline_s:
            time.sleep(LOOK_EVERY_S)
            there = [path for path in disk.place.glob(pattern) if path.stat().st_size == size_bytes]
            if there and there[0].stat().st_blocks * 512 >= size_bytes:
                time.sleep(0.5)  # its last bytes are under way
                disk.lose(from_bytes=from_bytes)
                found.append(there[0])

    thread = threading.Thread(target=lose)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


def _done(*argv: str) -> str:
    """Run a program of the system; return what it prints."""
    path = {**os.environ, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    return subprocess.run(argv, check=True, capture_output=True, text=True, env=path).stdout.strip()
