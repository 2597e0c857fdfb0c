"""The programs of storage and network, run by hand: as a reader of their manuals would, without the laboratory."""

import json
import os
import pwd
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benches.linked import SERVER, Linked
from benches.meter import BenchError
from benches.stand import ROOT, end

LOAD: Final = "/usr/share/dbench/client.txt"
FIO_MIB: Final = 2048
FIO: Final = ("--bs=1m", "--direct=1", "--ioengine=psync", "--output-format=json", "--fallocate=none")
NO_STATE: Final = "--verify_state_save=0"
"""Without it, fio leaves ``local-file-0-verify.state`` in the folder that it is started from."""
PATTERN: Final = ("--verify_pattern=0x6832682e73747265616d", "--verify_interval=65536", "--do_verify=0")
DBENCH_S: Final = 3
TCP_S: Final = 2
SOCKETS_S: Final = 2
SMB_S: Final = 3
NFS_MIB: Final = 512
BONNIE_MIB: Final = 2048
BONNIE_FILES_1024: Final = 4
BONNIE_COLUMNS: Final = {"put_block": 11, "rewrite": 13}
"""Where a line of Bonnie++ (format 1.98) has them, in KiB/s; bon_csv2txt(1)."""
IPERF3_PORT: Final = 5201
SMB_PORT: Final = 4445
WITHIN_S: Final = 120.0
READY_WITHIN_S: Final = 20.0
SERVER_CPU: Final = 0
CLIENT_CPU: Final = 1
USER: Final = "headtohead"
"""Whom the laboratory runs servers as; `headtohead setup` makes the account."""


@dataclass(frozen=True)
class Desk:
    """Where it is done: a folder of the user's own, and what the NFS client was built into."""

    run: Path
    built: Path

    def fresh(self, name: str) -> Path:
        """Return an empty folder that belongs to the user."""
        made = self.run / name
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        shutil.chown(made, USER, USER)
        return made


def build(into: Path) -> None:
    """Build the NFS client and the library that the server is given; ``BenchError`` where that fails."""
    said(["make", "--silent", f"--directory={ROOT / 'subjects/nfs-ganesha'}", f"OUT={into}"])
    shutil.copy(ROOT / "subjects/nfs-ganesha/serve.sh", into)


def as_user(argv: Sequence[str]) -> list[str]:
    """Return the command line that runs a program as the laboratory's user; ``BenchError`` where there is none."""
    try:
        found = pwd.getpwnam(USER)
    except KeyError:
        raise BenchError(f"The user {USER} is not there. Run `headtohead setup` for the study first.") from None
    return ["setpriv", f"--reuid={found.pw_uid}", f"--regid={found.pw_gid}", "--clear-groups", *argv]


def said(argv: Sequence[str], *, cwd: Path | None = None) -> str:
    """Run a program; return its standard output, ``BenchError`` where it fails."""
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=WITHIN_S, cwd=cwd)
    if done.returncode != 0:
        raise BenchError(f"{argv[0]} ended with {done.returncode}: {done.stderr[-300:]}. Run it: {' '.join(argv)}")
    return done.stdout


def fio(desk: Desk, operation: str) -> float:
    """Return what fio reads or writes past the page cache with one process, in bytes per second."""
    run = desk.fresh("fio")
    words = ["fio", *FIO, NO_STATE, f"--size={FIO_MIB}m", f"--filename={run / 'file'}"]
    laid = [*words, *PATTERN, "--rw=write", "--end_fsync=1", "--name=file"]
    if operation == "read":
        said(as_user(laid))
        laid = [*words, "--rw=read", "--name=file"]
    os.sync()
    flow = json.loads(said(as_user(laid)))["jobs"][0][operation]
    shutil.rmtree(run)
    return float(flow["io_bytes"]) / (float(flow["runtime"]) / 1000)


def dbench(desk: Desk, clients: int) -> float:
    """Return dbench's own throughput on one CPU."""
    run = desk.fresh("dbench")
    # from inside, as every step of a longer path is looked up at each operation: 6 % of them in memory
    argv = ["dbench", "-c", LOAD, "-D", ".", "-t", str(DBENCH_S), str(clients)]
    found = throughput(said(["taskset", "--cpu-list", "0", *as_user(argv)], cwd=run))
    shutil.rmtree(run)
    return found


def throughput(text: str) -> float:
    """Return the last throughput that dbench, tbench or nbench printed, in bytes per second; their MB are 10^6."""
    found = re.findall(r"^Throughput ([\d.]+) MB/sec", text, re.MULTILINE)
    if not found:
        raise BenchError(f"No throughput was printed: {text[-300:]!r}. Another version may print it otherwise.")
    return float(found[-1]) * 1e6


def bonnie(desk: Desk, test: str) -> float:
    """Return the rate of one test of a run of Bonnie++, which does them all."""
    run = desk.fresh("bonnie")
    size = ["-s", str(BONNIE_MIB), "-n", str(BONNIE_FILES_1024)]
    line = said(as_user(["bonnie++", "-q", "-d", ".", "-m", "hand", "-r", "0", "-z", "1", *size]), cwd=run)
    shutil.rmtree(run)
    return float(line.split(",")[BONNIE_COLUMNS[test]]) * 1024


def iperf3(link: Linked, operation: str) -> float:
    """Return what iperf3's receiver got over a link, one stream."""
    way = ["--reverse"] if operation == "read" else []
    asked = ["iperf3", "--client", SERVER, "--port", str(IPERF3_PORT), "--json", "--time", str(TCP_S), "--omit", "1"]
    with serving(link, ["iperf3", "--server", "--bind", SERVER, "--port", str(IPERF3_PORT)]):
        wait_for_port(link, IPERF3_PORT)
        found = json.loads(said(link.at(link.client, CLIENT_CPU, [*asked, *way])))
    return float(found["end"]["sum_received"]["bits_per_second"]) / 8


def tbench(link: Linked, clients: int) -> float:
    """Return tbench's own throughput over a link."""
    with serving(link, ["tbench_srv"]):
        wait_for_port(link, 7003)
        return throughput(
            said(link.at(link.client, CLIENT_CPU, ["tbench", "-t", str(SOCKETS_S), str(clients), SERVER]))
        )


def nfs(desk: Desk, link: Linked, operation: str) -> float:
    """Return what one process reads or writes over NFS, as the client says."""
    run = desk.fresh("nfs")
    conf = (ROOT / "subjects/nfs-ganesha/ganesha.conf.in").read_text(encoding="utf-8")
    (run / "ganesha.conf").write_text(conf.replace("@run@", str(run)), encoding="utf-8")
    (run / "cases").write_text(f"operation={operation},processes=1\n", encoding="utf-8")
    size = ["--size-mib", str(NFS_MIB), "--block-kib", "1024", "--in-flight", "4", "--whole-every", "16"]
    client = [str(desk.built / "nfs-stream"), "--server", SERVER, "--export", str(run / "export")]
    asked = ["--cases", str(run / "cases"), "--operation", operation, "--processes", "1", "--cache", "cold", *size]
    with serving(link, as_user(["sh", str(desk.built / "serve.sh"), str(run), str(desk.built / "private.so")])):
        wait_for(link.at(link.client, CLIENT_CPU, as_user([*client, "--only", "mount"])))
        record = json.loads(said(link.at(link.client, CLIENT_CPU, as_user([*client, *asked]))))
    shutil.rmtree(run)
    if record["answer"] != "right":
        raise BenchError(f"nfs-stream answers {record['answer']!r}. Run it: {' '.join([*client, *asked])}")
    return float(record["work"]) / float(record["elapsed_ns"]) * 1e9


def smb(desk: Desk, link: Linked, clients: int) -> float:
    """Return the throughput that smbtorture's nbench prints."""
    run = desk.fresh("smb")
    for name in ("smb.conf", "client.conf"):
        text = (ROOT / f"subjects/samba/{name}.in").read_text(encoding="utf-8")
        for word, value in {"address": SERVER, "port": str(SMB_PORT), "run": str(run)}.items():
            text = text.replace(f"@{word}@", value)
        (run / name).write_text(text, encoding="utf-8")
    server = shutil.copy(ROOT / "subjects/samba/serve.sh", run)
    proof = f"--authentication-file={run / 'credentials'}"
    reach = [f"//{SERVER}/share", f"--configfile={run / 'client.conf'}", proof]
    load = [f"--num-progs={clients}", f"--timelimit={SMB_S}", f"--loadfile={LOAD}", "bench.nbench"]
    with serving(link, as_user(["bash", str(server), str(run)])):
        ready = ["smbclient", *reach, f"--port={SMB_PORT}", "--command=ls"]
        wait_for(link.at(link.client, CLIENT_CPU, as_user(ready)))
        asked = ["smbtorture", *reach, "-p", str(SMB_PORT), *load]
        found = throughput(said(link.at(link.client, CLIENT_CPU, as_user(asked)), cwd=run))  # it writes beside itself
    shutil.rmtree(run)
    return found


@contextmanager
def serving(link: Linked, argv: Sequence[str]) -> Iterator[None]:
    """Run a server at its end of a link while something is asked of it; end it by its process id."""
    child = subprocess.Popen(
        link.at(link.server, SERVER_CPU, argv), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        end(child)


def wait_for_port(link: Linked, port: int) -> None:
    """Wait until a server takes connections, without one: its socket is looked for in the tables of its network."""
    listening = ["nsenter", f"--net=/run/netns/{link.server}", "ss", "--no-header", "--listening", "--tcp", "--numeric"]
    until = time.monotonic() + READY_WITHIN_S
    while not said([*listening, f"sport = :{port}"]).strip():
        if time.monotonic() > until:
            raise BenchError(f"Nothing listens on port {port} after {READY_WITHIN_S:g} s. Start the server by hand.")
        time.sleep(0.05)


def wait_for(argv: Sequence[str]) -> None:
    """Wait until a program succeeds; ``BenchError`` where it does not within its time."""
    until = time.monotonic() + READY_WITHIN_S
    while subprocess.run(argv, capture_output=True, check=False, timeout=WITHIN_S).returncode != 0:
        if time.monotonic() > until:
            raise BenchError(f"The server is not ready after {READY_WITHIN_S:g} s. Run by hand: {' '.join(argv)}")
        time.sleep(0.1)
