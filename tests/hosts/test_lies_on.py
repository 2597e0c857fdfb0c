from pathlib import Path

from headtohead.hosts.facts.storage import lies_on
from headtohead.hosts.kernel_files import Tree

MOUNTS = """22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw,discard
30 22 0:25 / {var} rw,nosuid - tmpfs tmpfs rw,size=64k
31 22 254:1 / {runs} rw,noatime - xfs /dev/my\\040disk rw,noquota
32 22 7:0 / {later} ro - squashfs /dev/loop0 ro
"""


def told(folder: Path, tmp_path: Path, *, later: str = "/elsewhere") -> dict[str, str]:
    var, runs, over = (str(each).replace(" ", r"\040") for each in (folder.parent, folder, later))
    mounts = MOUNTS.format(var=var, runs=runs, later=over)
    (tmp_path / "tree" / "proc" / "self").mkdir(parents=True)
    (tmp_path / "tree" / "proc" / "self" / "mountinfo").write_text(mounts)
    disk = tmp_path / "tree" / "sys" / "block" / "vda"
    (disk / "vda1").mkdir(parents=True)
    (disk / "queue").mkdir()
    (disk / "queue" / "scheduler").write_text("none [mq-deadline] kyber\n")
    (disk / "queue" / "write_cache").write_text("write back\n")
    (tmp_path / "tree" / "sys" / "dev" / "block").mkdir(parents=True)
    (tmp_path / "tree" / "sys" / "dev" / "block" / "254:1").symlink_to(disk / "vda1")
    found = lies_on(folder, tree=Tree(tmp_path / "tree"))
    return {name.partition(": ")[2]: value for name, value in found.items()}


def test_a_folder_lies_on_the_mount_of_the_longest_path_and_a_partition_on_its_disk(tmp_path: Path) -> None:
    found = told(tmp_path, tmp_path)

    assert found.pop("free space").endswith(" GiB")
    assert found == {
        "file system": "xfs",
        "device": "/dev/my disk",
        "mount options": "rw,noatime,noquota",
        "I/O scheduler": "mq-deadline",
        "write cache of the device": "write back",
    }


def test_of_mounts_on_one_path_the_latest_is_seen_and_what_is_hidden_is_said(tmp_path: Path) -> None:
    found = told(tmp_path, tmp_path, later=str(tmp_path))

    assert (found["file system"], found["mount options"]) == ("squashfs", "ro")
    assert found["I/O scheduler"] == found["write cache of the device"] == "not visible"
