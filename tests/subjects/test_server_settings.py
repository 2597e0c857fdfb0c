"""The settings of nginx and Apache, read as their subjects do from the files in force."""

import subprocess
import tomllib
from pathlib import Path

import pytest

from headtohead.store.run.settings import settings

SUBJECTS = Path(__file__).parents[2] / "subjects"
VALUES = {
    "@workers@": "2",
    "@workers*threads@": "512",
    "@gzip@": "on",
    "@access_log@": "on",
    "@sendfile@": "on",
    "@file_cache@": "on",
    "@threads@": "256",
    "@address@": "127.0.0.1",
    "@port@": "8080",
    "@data@": "/data",
    "@ktls@": "on",
    "@http_version@": "2",
}


def in_force(subject: str, run: Path, *, interface: str) -> dict[str, str]:
    """Return the settings that the subject's own step reads from its files, rendered into a run's folder."""
    step = tomllib.loads((SUBJECTS / subject / "subject.toml").read_text())["start"]
    for template, name in step["files"].items():
        text = (SUBJECTS / subject / template.replace("@interface@", interface)).read_text()
        (run / name).write_text(filled(text, run))
    argv = [filled(each, run) for each in step["configuration"]["argv"]]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60)
    return {each.name: each.value for each in settings(done.stdout)}


def filled(text: str, run: Path) -> str:
    for name, value in {**VALUES, "@run@": str(run), "@build@": str(run)}.items():
        text = text.replace(name, value)
    return text


@pytest.mark.parametrize("interface", ["http-static-v1", "http-static-tls-v1"])
def test_the_settings_of_nginx_are_read_without_those_that_name_the_run(interface: str, tmp_path: Path) -> None:
    found = in_force("nginx", tmp_path, interface=interface)
    assert found["worker_processes"] == "2"
    assert found["sendfile"] == "on"
    assert found["access_log"] == "access.log combined"
    assert (found["gzip"], found["gzip_comp_level"]) == ("on", "6")
    assert found["open_file_cache"] == "max=1000 inactive=60s"
    assert found.get("ssl_protocols") == ("TLSv1.2 TLSv1.3" if "tls" in interface else None)
    assert found["listen"].endswith("ssl http2") == ("tls" in interface)
    assert str(tmp_path) not in str(found)
    assert not {"include", "types", "server", "}"} & found.keys()


@pytest.mark.parametrize("interface", ["http-static-v1", "http-static-tls-v1"])
def test_the_settings_of_apache_are_read_without_those_that_name_the_run(interface: str, tmp_path: Path) -> None:
    found = in_force("apache-httpd", tmp_path, interface=interface)
    assert (found["StartServers"], found["ThreadsPerChild"], found["MaxRequestWorkers"]) == ("2", "256", "512")
    assert (found["CustomLog"], found["SetOutputFilter"]) == ('"access.log" combined', "DEFLATE")
    assert (found["KeepAlive"], found["EnableSendfile"]) == ("On", "on")
    assert found["LoadModule mpm_event_module"] == "/usr/lib/apache2/modules/mod_mpm_event.so"
    assert found.get("SSLProtocol") == ("-all +TLSv1.2 +TLSv1.3" if "tls" in interface else None)
    assert found.get("Protocols") == ("h2 http/1.1" if "tls" in interface else None)
    assert str(tmp_path) not in str(found)
    assert not {"Include", "<Directory", "Options", "Require"} & found.keys()
