"""`headtohead race` for real: two servers, two programs, from one line."""

import json
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from headtohead.cli.main import INTERRUPTED
from headtohead.execute.subject.system_under_test import free_port
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.command import WITHIN_S, headtohead, started
from tests.end_to_end.warm import Done

SERVER = Path(__file__).with_name("race_server.py")
PYTHON = "/usr/bin/python3"
NAMES = ("--name", "light", "--name", "heavy")
SHORT = ("--measure", "0.2s", "--budget", "1s")
"""Short runs, and no more blocks than the first interim analysis has."""

pytestmark = pytest.mark.real


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that every user may enter, with the server in it."""
    folder = tmp_path_factory.mktemp("race")
    folder.chmod(0o755)
    shutil.copy(SERVER, folder / "server.py")
    return folder


def race(place: Path, lane: Path, *words: str | Path, lenient: bool = False) -> Done:
    """Race in that folder; what this machine does meanwhile discards no run, and if lenient forbids no verdict."""
    return headtohead("race", *words, cwd=place, lane=lane, lenient=lenient)


@dataclass(frozen=True)
class Running:
    """A server that runs without headtohead."""

    process: subprocess.Popen[bytes]
    url: str


@contextmanager
def listening(argv: list[str], place: Path, *, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server in a folder, and wait until it listens."""
    server = subprocess.Popen(argv, cwd=place, stderr=subprocess.DEVNULL)
    try:
        for _ in range(3000):
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.02)
        yield server
    finally:
        server.kill()
        server.wait()


@contextmanager
def running(place: Path, *words: str) -> Iterator[Running]:
    """Run the server with these words."""
    port = free_port()
    with listening([PYTHON, "server.py", "--port", str(port), *words], place, port=port) as server:
        yield Running(server, f"http://127.0.0.1:{port}")


def certify(place: Path) -> None:
    """Make a certificate of localhost in a folder: key.pem, ca.pem, and both.pem."""
    made = "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 2 -subj /CN=localhost"
    names = ("-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE")
    files = ("-keyout", "key.pem", "-out", "ca.pem")
    subprocess.run(["openssl", *made.split(), *names, *files], cwd=place, check=True, capture_output=True)
    (place / "both.pem").write_text((place / "key.pem").read_text() + (place / "ca.pem").read_text())


def serve(*words: str) -> tuple[str, str]:
    """Return the option for the server with these words."""
    return "--serve", " ".join((PYTHON, "server.py", "--port", "@port@", *words))


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_two_servers_race_from_one_line_and_the_faster_has_the_higher_rate(place: Path, lane: Path) -> None:
    (place / "order.json").write_text("{}")
    sent = ("--get", "/echo", "--post", "order.json", "--header", "X-Token: abc")
    done = race(
        place,
        lane,
        *serve(),
        *serve("--work", "60"),
        *sent,
        *NAMES,
        *SHORT,
        "--save",
        "bench/mine.toml",
        "--junit",
        "v.xml",
    )
    assert done.returncode == 0, done.stderr
    assert 'subject = ["light", "heavy"]' in done.stderr

    (folder,) = (place / "results").iterdir()
    analysis = json.loads((folder / "analysis.json").read_text())
    (comparison,) = analysis["experiments"][0]["comparisons"]
    assert comparison["other"] == "heavy"
    assert comparison["ratio"]["value"] < 0.5
    records = [json.loads(each.read_text()) for each in folder.glob("runs/*/records.jsonl")]
    assert sum(each["right"] for each in records) > 0
    assert all(each["errors"] == {} for each in records), "each response to the posted file was compared"

    assert 'name="heavy against light"' in (place / "v.xml").read_text()
    checked = headtohead("check", place / "bench" / "mine.toml")
    assert checked.returncode == 0, checked.stderr
    assert left_behind(done.owner, cache=lane) == nothing()


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_servers_that_already_run_are_measured_by_turns_and_left_running(place: Path, lane: Path) -> None:
    with running(place) as light, running(place, "--work", "60") as heavy:
        done = race(place, lane, "--url", f"{light.url}/health", "--url", f"{heavy.url}/health", *NAMES, *SHORT)
        assert done.returncode == 0, done.stderr
        assert light.process.poll() is None
        assert heavy.process.poll() is None

    (folder,) = (place / "results").iterdir()
    (experiment,) = json.loads((folder / "analysis.json").read_text())["experiments"]
    assert experiment["comparisons"][0]["ratio"]["value"] < 0.5
    assert "not-restarted" in [each["id"] for each in experiment["findings"]]
    busy = {each["label"]: each["card"]["subject_cpus_busy"] for each in experiment["treatments"]}
    assert busy["heavy"] > 0.02, "the CPU time of the process that listens is the server's"
    assert "no run starts or stops heavy and light" in (folder / "report.md").read_text()
    assert left_behind(done.owner, cache=lane) == nothing()


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl")
def test_servers_over_tls_race_once_their_certificate_is_named(place: Path, lane: Path) -> None:
    certify(place)
    secure = ("--certificate", "both.pem")
    with running(place, *secure) as light, running(place, *secure, "--work", "60") as heavy:
        urls = [each.url.replace("http://127.0.0.1", "https://localhost") + "/health" for each in (light, heavy)]
        both = [word for each in urls for word in ("--url", each)]
        refused = race(place, lane, *both, *NAMES, *SHORT)
        assert refused.returncode == 1
        assert "is not trusted" in refused.stderr
        assert "--ca" in refused.stderr
        done = race(place, lane, *both, *NAMES, *SHORT, "--ca", "ca.pem")
        assert done.returncode == 0, done.stderr

    (folder,) = (place / "results").iterdir()
    record = json.loads((folder / "runs" / "0001" / "records.jsonl").read_text().splitlines()[0])
    assert record["right"] > 0
    assert record["handshakes"] is not None, "they were encrypted"
    assert left_behind(done.owner, cache=lane) == nothing()


NGINX = """daemon off; master_process off; pid nginx.pid; error_log stderr;
events {{}}
http {{ access_log off; server {{ listen 127.0.0.1:{port} ssl http2;
  ssl_certificate ca.pem; ssl_certificate_key key.pem;
  location / {{ return 200 "{{}}"; }} }} }}
"""


@contextmanager
def nginx(place: Path, name: str) -> Iterator[str]:
    """Run nginx over TLS; yield its URL."""
    port = free_port()
    (place / name).write_text(NGINX.format(port=port))
    argv = ["/usr/sbin/nginx", "-p", str(place), "-e", "stderr", "-c", str(place / name)]
    with listening(argv, place, port=port):
        yield f"https://localhost:{port}/"


@pytest.mark.skipif(not Path("/usr/sbin/nginx").is_file(), reason="no nginx")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl")
def test_servers_race_over_http_2(place: Path, lane: Path) -> None:
    certify(place)
    with nginx(place, "one.conf") as one, nginx(place, "two.conf") as two:
        done = race(place, lane, "--url", one, "--url", two, *NAMES, *SHORT, "--ca", "ca.pem", "--http", "2")
        assert done.returncode == 0, done.stderr

    (folder,) = (place / "results").iterdir()
    records = [json.loads(each.read_text()) for each in folder.glob("runs/*/records.jsonl")]
    assert [each["errors"] for each in records] == [{}] * len(records)
    assert sum(each["right"] for each in records) > 0
    (experiment,) = json.loads((folder / "analysis.json").read_text())["experiments"]
    assert all("HTTP/2, keep-alive" in json.dumps(each["card"]) for each in experiment["treatments"])
    assert left_behind(done.owner, cache=lane) == nothing()


def test_servers_that_respond_otherwise_are_not_raced(place: Path, lane: Path) -> None:
    done = race(place, lane, *serve(), *serve("--says", "other"), "--get", "/health")

    assert done.returncode == 1
    assert "the racers do not do the same work" in done.stderr
    assert not (place / "results").exists()
    assert left_behind(done.owner, cache=lane) == nothing()


def test_two_programs_race_and_their_outputs_are_compared(place: Path, lane: Path) -> None:
    programs = ("--batch", "sleep 1", "--batch", "sleep 0.02", "--name", "long", "--name", "short")
    done = race(place, lane, *programs, *SHORT, "--fail-if", "worse")

    assert done.returncode == 0, done.stderr
    (folder,) = (place / "results").iterdir()
    (comparison,) = json.loads((folder / "analysis.json").read_text())["experiments"][0]["comparisons"]
    assert comparison["ratio"]["value"] < 0.6
    checked = headtohead("check", folder / "content" / "race.toml")
    assert checked.returncode == 0, checked.stderr

    other = race(place, lane, "--batch", "echo a", "--batch", "echo b")
    assert other.returncode == 1
    assert "not the same bytes" in other.stderr


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_exit_statuses_are_those_that_continuous_integration_reads(place: Path, lane: Path) -> None:
    light, heavy, failing = serve(), serve("--work", "20"), serve("--right", "20")
    files = ("--junit", "v.xml", "--markdown", "v.md")
    ci = ("--get", "/health", "--measure", "0.6s", "--budget", "1s", "--fail-if", "worse", *files)

    worse = race(place, lane, *light, *heavy, *ci, "--name", "light", "--name", "heavy", lenient=True)
    assert worse.returncode == 3, worse.stderr
    assert "light is" in worse.stdout
    assert "<failure" in (place / "v.xml").read_text()
    assert "| heavy against light |" in (place / "v.md").read_text()

    lost = race(place, lane, *light, *failing, *ci, "--name", "light", "--name", "failing", lenient=True)
    assert lost.returncode == 1, lost.stderr
    assert "Not measured: failing against light" in lost.stdout
    assert "<error" in (place / "v.xml").read_text()


def test_ctrl_c_ends_a_race_with_130_and_the_same_line_goes_on(place: Path, lane: Path) -> None:
    line = ("race", "--batch", "sleep 0.5", "--batch", "sleep 0.1", *SHORT, "--results", place / "results")
    first = started(line, lane=lane)
    deadline_s = time.monotonic() + WITHIN_S
    while not list(place.glob("results/*/runs/0001/run.json")) and time.monotonic() < deadline_s:
        time.sleep(0.05)
    first.send_signal(signal.SIGINT)
    assert first.wait(WITHIN_S) == INTERRUPTED

    second = headtohead(*line, lane=lane)
    assert second.returncode == 0, second.stderr
    assert "Resuming in" in second.stderr
    assert len(list(place.glob("results/*"))) == 1
