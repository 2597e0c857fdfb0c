"""`headtohead race --http 2` for real, against servers that speak HTTP/2 alone; and servers to start, over TLS."""

import http.client
import json
import shutil
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from headtohead.execute.subject.free_port import free_port
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.racing import NAMES, PYTHON, SHORT, certify, listening, race, running, serve

NGINX = "/usr/sbin/nginx"
CONFIGURATION = """daemon off; master_process off; pid FOLDER/nginx.pid; error_log stderr;
events {}
http {
  client_body_temp_path FOLDER/body; proxy_temp_path FOLDER/proxy; fastcgi_temp_path FOLDER/fastcgi;
  uwsgi_temp_path FOLDER/uwsgi; scgi_temp_path FOLDER/scgi;
  access_log off;
  server {
    listen 127.0.0.1:PORT ssl http2;
    ssl_certificate PLACE/ca.pem; ssl_certificate_key PLACE/key.pem;
    if ($server_protocol != "HTTP/2.0") { return 444; }
    location / { return 200 "$request_method $http_x_token"; }
  }
}
"""
"""444 closes the connection without a response."""

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not Path(NGINX).is_file(), reason="no nginx"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl"),
]


@pytest.fixture
def secure(place: Path) -> Path:
    """Return the folder with a certificate, and the configuration of nginx without its port and its own folder."""
    certify(place)
    (place / "nginx.conf").write_text(CONFIGURATION.replace("PLACE", str(place)))
    return place


@contextmanager
def nginx(place: Path, name: str) -> Iterator[int]:
    """Run nginx, which speaks HTTP/2 alone; yield its port."""
    port, folder = free_port(), place / name
    folder.mkdir()
    text = (place / "nginx.conf").read_text().replace("FOLDER", str(folder)).replace("PORT", str(port))
    (folder / "nginx.conf").write_text(text)
    with listening([NGINX, "-e", "stderr", "-c", str(folder / "nginx.conf")], place, port=port):
        yield port


def ask_over_http1(place: Path, port: int) -> None:
    trusted = ssl.create_default_context(cafile=str(place / "ca.pem"))
    with closing(http.client.HTTPSConnection("localhost", port, timeout=60, context=trusted)) as connection:
        connection.request("GET", "/")
        connection.getresponse()


def check_responses(place: Path, *, http2: bool) -> None:
    """Every response under load was right, encrypted, and came over this version of HTTP."""
    (folder,) = (place / "results").iterdir()
    records = [json.loads(each.read_text()) for each in folder.glob("runs/*/records.jsonl")]
    assert [each["errors"] for each in records] == [{}] * len(records)
    assert sum(each["right"] for each in records) > 0
    assert all(each["handshakes"] is not None for each in records), "they were encrypted"
    (experiment,) = json.loads((folder / "analysis.json").read_text())["experiments"]
    over_http2 = ["HTTP/2, keep-alive" in json.dumps(each["card"]) for each in experiment["treatments"]]
    assert over_http2 == [http2, http2]


def test_running_servers_that_speak_http_2_alone_race(secure: Path, lane: Path) -> None:
    with nginx(secure, "one") as one, nginx(secure, "two") as two:
        with pytest.raises(http.client.RemoteDisconnected):
            ask_over_http1(secure, one)
        urls = [word for port in (one, two) for word in ("--url", f"https://localhost:{port}/")]
        done = race(secure, lane, *urls, "--header", "X-Token: abc", *NAMES, *SHORT, "--ca", "ca.pem", "--http", "2")
        assert done.returncode == 0, done.stderr

    check_responses(secure, http2=True)
    bodies = [each.read_text() for each in secure.glob("results/*/content/workloads/race/response-1")]
    assert bodies == ["GET abc"], "the trial sent the header, and learned the response"
    assert left_behind(done.owner, cache=lane) == nothing()


def test_servers_to_start_that_speak_http_2_alone_race(secure: Path, lane: Path) -> None:
    written = 'sed "s|FOLDER|$HOME|g; s|PORT|@port@|" nginx.conf > "$HOME/n.conf"'
    line = f'{written} && exec {NGINX} -e stderr -c "$HOME/n.conf"'
    (secure / "sent.txt").write_text("sent")
    words = ("--post", "sent.txt", "--get", "/", "--shell", *NAMES, *SHORT, "--ca", "ca.pem", "--http", "2")
    done = race(secure, lane, "--serve", line, "--serve", line, *words)
    assert done.returncode == 0, done.stderr

    check_responses(secure, http2=True)
    assert left_behind(done.owner, cache=lane) == nothing()


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_servers_to_start_race_over_tls_with_a_certificate(secure: Path, lane: Path) -> None:
    both = (*serve("--certificate", "both.pem"), *serve("--certificate", "both.pem", "--work", "60"))
    done = race(secure, lane, *both, "--get", "/health", *NAMES, *SHORT, "--ca", "ca.pem")
    assert done.returncode == 0, done.stderr

    check_responses(secure, http2=False)
    assert left_behind(done.owner, cache=lane) == nothing()


@pytest.mark.skipif(not Path(PYTHON).is_file(), reason="no Python for every user")
def test_a_server_without_http_2_is_refused_at_once(secure: Path, lane: Path) -> None:
    with running(secure, "--certificate", "both.pem") as old:
        url = old.url.replace("http://127.0.0.1", "https://localhost")
        both = ("--url", url, "--url", f"{url}/")
        done = race(secure, lane, *both, *NAMES, *SHORT, "--ca", "ca.pem", "--http", "2")
    assert done.returncode == 1
    assert "no HTTP/2 from localhost" in done.stderr
    assert " s." not in done.stderr, "it was not asked again and again"
    assert not (secure / "results").exists()
    assert left_behind(done.owner, cache=lane) == nothing()
