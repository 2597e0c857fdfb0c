"""Hosts over SSH, on a rig: the four verbs, what is sent, and what is refused."""

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.hosts import paths
from headtohead.hosts.facts import read_facts
from headtohead.hosts.machine.resources import read_machine
from headtohead.hosts.software import packages, services, setup_record
from headtohead.hosts.software.keep_services_stopped import services_kept_from_starting
from headtohead.hosts.software.programs import OURS
from headtohead.hosts.software.setup_record import recorded
from headtohead.hosts.ssh.connection import Connection
from headtohead.hosts.ssh.host import SshHost
from headtohead.hosts.ssh.open_host import privilege, send_programs, ssh_host
from headtohead.hosts.ssh.package_files import RemoteFiles
from headtohead.hosts.ssh.recorded_kernel_files import recorded_tree
from headtohead.hosts.ssh.session import Session
from headtohead.model.errors import BusyError, HostError
from tests.rig.build import Rig, rig, why_no_rig
from tests.rig.desk import covered
from tests.rig.leftovers import eventually, of_run, start_stubborn, supervised

WHY_NOT = why_no_rig()
GONE_WITHIN_S = 60.0
GUEST = 54321
"""The number of a user whom no machine of ours has."""
pytestmark = [pytest.mark.real, pytest.mark.skipif(WHY_NOT is not None, reason=f"no rig: {WHY_NOT}")]


@pytest.fixture(scope="module")
def lab() -> Iterator[Rig]:
    with rig(servers=2, drivers=1) as made:
        yield made


def connected(lab: Rig, name: str) -> contextlib.AbstractContextManager[SshHost]:
    return ssh_host(name, name, ssh=lab.ssh)


@pytest.fixture(scope="module")
def server(lab: Rig) -> Iterator[SshHost]:
    with connected(lab, "server1") as host:
        yield host


def test_a_program_gives_its_output_and_data_is_never_a_shells_words(server: SshHost) -> None:
    words = "$HOME; rm -rf *\n'\"\\ \u00e9"
    assert server.run(("printf", "%s", words), within_s=GONE_WITHIN_S) == words
    assert server.run(("hostname",), within_s=GONE_WITHIN_S) == "server1\n"


def test_orders_share_a_process_there_until_one_fails(server: SshHost) -> None:
    asked = ("sh", "-c", "echo $PPID")
    first = server.run(asked, within_s=GONE_WITHIN_S)
    assert server.run(asked, within_s=GONE_WITHIN_S) == first
    with pytest.raises(HostError):
        server.agent.order("dance")
    assert server.run(asked, within_s=GONE_WITHIN_S) != first


def test_a_program_that_fails_is_missing_or_is_late_is_an_error_that_names_the_host(server: SshHost) -> None:
    with pytest.raises(HostError) as caught:
        server.run(("ls", "/nonexistent-folder"), within_s=GONE_WITHIN_S)
    assert caught.value.what == "ls failed with status 2 on the host server1"
    assert "No such file or directory" in caught.value.why
    with pytest.raises(HostError, match=r"On the host server1, no-such-program could not be started"):
        server.run(("no-such-program",), within_s=GONE_WITHIN_S)
    with pytest.raises(HostError, match="took too long on the host server1"):
        server.run(("sleep", "3600"), within_s=0.2)


def test_lines_go_in_and_come_out_and_a_program_is_killed_by_its_own_id(server: SshHost, tmp_path: Path) -> None:
    process = server.start(("sh", "-c", "echo $$; exec cat"), log=tmp_path / "log")
    assert process.read_line(within_s=GONE_WITHIN_S) == str(process.pid)
    process.write_line("one")
    assert process.read_line(within_s=GONE_WITHIN_S) == "one"
    process.kill()
    process.wait(within_s=GONE_WITHIN_S)
    assert eventually(lambda: not paths.stat_fields(process.pid), within_s=GONE_WITHIN_S)


def test_its_standard_error_is_in_the_log_here(server: SshHost, tmp_path: Path) -> None:
    process = server.start(("sh", "-c", "echo trouble >&2; exit 3"), log=tmp_path / "log")
    assert process.wait(within_s=GONE_WITHIN_S) == 3
    assert (tmp_path / "log").read_text() == "trouble\n"


def test_a_file_goes_there_and_back_with_its_mode(server: SshHost, tmp_path: Path) -> None:
    source, back = tmp_path / "source", tmp_path / "back"
    source.write_bytes(os.urandom(3_000_000))
    source.chmod(0o751)
    server.put(source, Path("/var/tmp/there"))
    server.fetch(Path("/var/tmp/there"), back)
    assert back.read_bytes() == source.read_bytes()
    assert back.stat().st_mode & 0o777 == 0o751
    with pytest.raises(HostError, match="/nonexistent/there could not be written"):
        server.put(source, Path("/nonexistent/there"))
    with pytest.raises(HostError, match="/var/tmp/none could not be read"):
        server.fetch(Path("/var/tmp/none"), back)


def test_no_link_is_followed_below_the_folder_of_a_run(server: SshHost, tmp_path: Path) -> None:
    top = Path("/var/tmp/links")
    server.run(("mkdir", "-p", str(top / "inner")), within_s=GONE_WITHIN_S)
    server.run(("cp", "/etc/hostname", str(top / "inner" / "file")), within_s=GONE_WITHIN_S)
    server.run(("ln", "-s", "/etc/hostname", str(top / "link")), within_s=GONE_WITHIN_S)
    server.run(("ln", "-s", "inner", str(top / "folder")), within_s=GONE_WITHIN_S)
    server.run(("mkfifo", str(top / "pipe")), within_s=GONE_WITHIN_S)
    server.fetch(top / "inner" / "file", tmp_path / "file", within=top)
    assert (tmp_path / "file").read_text() == Path("/etc/hostname").read_text()
    for name in ("link", "folder/file", "pipe", "inner/../inner/file", "../outside"):
        with pytest.raises(HostError):
            server.fetch(top / name, tmp_path / "none", within=top)
    assert not (tmp_path / "none").exists()


def test_a_folder_is_sent_once_and_again_only_if_it_was_changed_there(server: SshHost, tmp_path: Path) -> None:
    source = tmp_path / "data"
    (source / "deep").mkdir(parents=True)
    (source / "deep" / "many.bin").write_bytes(bytes(range(256)) * 20_000)
    (source / "run.sh").write_text("#!/bin/sh\n")
    (source / "run.sh").chmod(0o755)
    seen: list[tuple[int, int]] = []
    first = server.push(source, "pushed", progress=lambda sent, total: seen.append((sent, total)))
    total = 256 * 20_000 + 10
    assert first.sent_bytes == total
    assert seen[-1] == (total, total)
    assert server.push(source, "pushed").sent_bytes == 0
    there = first.path / "deep" / "many.bin"
    said = server.run(("sha256sum", str(there)), within_s=GONE_WITHIN_S).split()[0]
    assert said == hashlib.sha256((source / "deep" / "many.bin").read_bytes()).hexdigest()
    server.run(("truncate", "--size=7", str(there)), within_s=GONE_WITHIN_S)
    assert server.push(source, "pushed").sent_bytes == total


def test_our_programs_run_there_from_a_folder_of_their_own(server: SshHost, tmp_path: Path) -> None:
    folder = send_programs(server, cache=tmp_path)
    assert folder.parent == server.place.cache / "bin"
    for name in OURS:
        assert server.run((str(folder / name), "--version"), within_s=GONE_WITHIN_S).startswith(name)


def test_root_needs_no_sudo_and_a_user_without_it_is_refused(lab: Rig, server: SshHost) -> None:
    assert privilege(server) == ()
    home = lab.folder / "server2" / "tmp" / "guest"
    home.mkdir()
    os.chown(home, GUEST, GUEST)
    users = f"{Path('/etc/passwd').read_text()}guest:*:{GUEST}:{GUEST}::/tmp/guest:/bin/sh\n"
    with covered(lab, "server2", "/etc/passwd", users), ssh_host("server2", "guest@server2", ssh=lab.ssh) as guest:
        assert not guest.place.root
        with pytest.raises(HostError, match=r"installed on the host server2: We are not root there, and sudo does not"):
            privilege(guest)


def test_the_files_of_an_installation_are_those_of_the_host(lab: Rig, server: SshHost) -> None:
    files, etc = RemoteFiles(server), Path("/var/tmp/etc")
    wants = etc / "systemd" / "system" / "multi-user.target.wants"
    server.run(("mkdir", "-p", str(wants)), within_s=GONE_WITHIN_S)
    server.run(("ln", "-s", "/nowhere/nginx.service", str(wants / "nginx.service")), within_s=GONE_WITHIN_S)
    assert services.enabled(etc, files=files) == {"nginx.service"}
    policy = Path("/var/tmp/policy-rc.d")
    with services_kept_from_starting(server, policy=policy, files=files):
        assert "exit 101" in str(files.text(policy))
        assert not policy.exists()
    assert not files.exists(policy)
    record = Path("/var/tmp/lib/setup.json")
    with recorded(server, show=str, record=record, etc=etc, files=files):
        pass
    assert setup_record.read(record, files=files) == setup_record.SetupRecord()
    assert "before" in str(files.text(record))
    names = {each.name for each in (lab.folder / "server1" / "tmp").iterdir()}
    assert not [name for name in names if name.startswith("server1-")]


def test_a_package_that_is_missing_is_named_for_the_host(server: SshHost) -> None:
    with pytest.raises(HostError, match="no-such-package cannot be installed"):
        packages._refuse(packages.why_unobtainable(("no-such-package",), host=server))


def test_what_does_not_fit_is_refused_before_a_byte_is_sent(lab: Rig, tmp_path: Path) -> None:
    sparse = tmp_path / "sparse"
    sparse.mkdir()
    with (sparse / "large").open("wb") as file:
        file.truncate(100_000_000)
    lab.machines["driver1"].run("mkdir", "-p", "/var/cache/headtohead/small")
    lab.machines["driver1"].run("mount", "-t", "tmpfs", "-o", "size=20m", "small", "/var/cache/headtohead/small")
    with connected(lab, "driver1") as host, pytest.raises(HostError, match=r"the disk of .*small is too full"):
        host.push(sparse, "small")


def test_the_offset_between_two_clocks_of_one_kernel_is_within_its_uncertainty_of_zero(server: SshHost) -> None:
    with Session(server, study="offsets", since="now", user="tests") as session:
        offset = session.clock_offset()
    assert abs(offset.offset_ns) <= offset.uncertainty_ns < 50_000_000


def test_a_second_controller_is_shown_who_holds_the_host(lab: Rig, server: SshHost) -> None:
    with (
        Session(server, study="first.toml", since="2026-11-23 20:00 UTC", user="ann@desk"),
        connected(lab, "server1") as other,
        pytest.raises(BusyError) as caught,
        Session(other, study="second.toml", since="later", user="bob@desk"),
    ):
        pass
    assert "on the host server1" in caught.value.what
    assert "first.toml has been measured by ann@desk" in caught.value.why
    with Session(server, study="third.toml", since="later", user="bob@desk"):
        pass


def test_supervise_owns_a_run_there_and_leaves_nothing(lab: Rig, server: SshHost, tmp_path: Path) -> None:
    there = lab.folder / "server1" / "tmp"
    with Session(server, study="run", since="now", user="tests") as session:
        setup, supervisor = supervised(server, session, tmp_path / "log")
        with supervisor as run:
            assert run.hello().run_dir == str(setup.run_dir)
            start_stubborn(run, setup.run_dir)
            assert eventually(lambda: len(of_run(setup.run_id)) >= 3, within_s=GONE_WITHIN_S)
            assert (there / setup.run_dir.name).is_dir()
        assert of_run(setup.run_id) == []
        assert not (there / setup.run_dir.name).exists()


def test_a_host_whose_key_is_unknown_is_refused(lab: Rig) -> None:
    known = (lab.folder / "known_hosts").read_text()
    (lab.folder / "known_hosts").write_text("")
    try:
        with pytest.raises(HostError, match="host key is not known here"), connected(lab, "server1"):
            pass
    finally:
        (lab.folder / "known_hosts").write_text(known)


def test_a_user_who_is_not_let_in_is_named(lab: Rig) -> None:
    folder = lab.folder / "wrong-user"
    with (
        pytest.raises(HostError, match=r"stranger@server1.*lets this user in by none of the keys"),
        Connection("server1", "stranger@server1", folder=folder, ssh=lab.ssh),
    ):
        pass
    assert not folder.exists()


def test_the_facts_of_a_host_are_those_that_are_read_on_it(server: SshHost) -> None:
    here = {(each.group, each.name): each for each in read_facts("here").facts}
    with recorded_tree(server) as tree:
        facts = read_facts("server1", tree=tree)
        machine = read_machine((), host=server, tree=tree, allowed=server.place.cpus, name="server1")
    there = {(each.group, each.name): each for each in facts.facts}
    for key in (
        ("software", "kernel"),
        ("software", "distribution"),
        ("cpu", "model"),
        ("topology", "CPUs of each core"),
    ):
        assert there[key].value == here[key].value is not None, key
    assert there["memory", "total"].value == here["memory", "total"].value
    assert there["network", "virtual interfaces"].value == "eth0, lo"
    assert len(there) > 0.9 * len(here)
    local = read_machine(())
    assert (machine.name, machine.cpus, machine.root) == ("server1", local.cpus, True)
    assert machine.nodes == local.nodes
    assert {"cpu_quota", "memory_mib", "link"} & machine.lacks.keys() == {"cpu_quota", "memory_mib", "link"} & (
        local.lacks.keys()
    )
