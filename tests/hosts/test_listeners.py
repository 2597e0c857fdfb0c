"""Who listens at a port: the first process of a server, whatever it forked."""

from pathlib import Path

from headtohead.hosts.listeners import listeners

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"


def process(proc: Path, pid: int, *, parent: int, opens: str) -> None:
    """Write a process as /proc shows it."""
    (proc / str(pid) / "fd").mkdir(parents=True)
    (proc / str(pid) / "fd" / "5").symlink_to(opens)
    (proc / str(pid) / "stat").write_text(f"{pid} (a (b) c) S {parent} 0 0")


def test_the_process_that_the_others_descend_from_listens(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    line = "   0: 0100007F:1F90 00000000:0000 {} 00000000:00000000 00:00000000 00000000     0        0 {} 1\n"
    (tmp_path / "net" / "tcp").write_text(HEAD + line.format("0A", 77) + line.format("01", 78))
    process(tmp_path, 40, parent=1, opens="socket:[77]")
    process(tmp_path, 41, parent=40, opens="socket:[77]")
    process(tmp_path, 50, parent=1, opens="socket:[78]")

    assert listeners(8080, proc=tmp_path) == (40,)
    assert listeners(8081, proc=tmp_path) == ()
