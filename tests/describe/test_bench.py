"""The bench file: what it means, and what is refused with its place."""

from pathlib import Path

import pytest

from headtohead.describe.bench import read_bench
from headtohead.describe.home import find_home
from headtohead.model.errors import WordsError
from headtohead.model.machine.bench import BenchHost

BENCH = """format = 1

[server.dual]
ssh     = "lab@dual.example"
address = "192.0.2.11"
cpus    = "0-3,8"
system  = "dual.toml"

[server.quad]
ssh = "quad"

[driver.c1]
ssh     = "lab@c1.example"
address = "2001:db8::21"
"""


def bench(folder: Path, text: str = BENCH) -> tuple[BenchHost, ...]:
    path = folder / "lab.toml"
    path.write_text(text)
    (folder / "dual.toml").write_text("")
    return read_bench(path, find_home()).hosts


def test_machines_are_read_by_label_servers_first(tmp_path: Path) -> None:
    assert bench(tmp_path) == (
        BenchHost("dual", "server", "lab@dual.example", "192.0.2.11", (0, 1, 2, 3, 8), "dual.toml"),
        BenchHost("quad", "server", "quad"),
        BenchHost("c1", "driver", "lab@c1.example", "2001:db8::21"),
    )


def test_roles_are_told_apart(tmp_path: Path) -> None:
    bench(tmp_path)
    found = read_bench(tmp_path / "lab.toml", find_home())
    assert [each.label for each in found.of("server")] == ["dual", "quad"]
    assert [each.label for each in found.of("driver")] == ["c1"]


@pytest.mark.parametrize(
    ("before", "after", "what", "why"),
    [
        ("[driver.c1]", "[driver.dual]", "driver.dual: two machines have the same label", "[server.dual] has it"),
        ('"lab@c1.example"', '"quad"', 'driver.c1, ssh: "quad" is named twice', "[server.quad]"),
        ('"2001:db8::21"', '"192.0.2.11"', 'address: "192.0.2.11" is named twice', "[server.dual]"),
        ('"192.0.2.11"', '"dual.example"', '"dual.example" is not an IP address', "not looked up"),
        ('"0-3,8"', '"3-0"', '"3-0" is not a range of CPUs', "lowest CPU to its highest"),
        ('"0-3,8"', '"0-9999"', '"0-9999" is not a range of CPUs', "at most 8191"),
        ('"0-3,8"', '"all"', '"all" is not allowed', "a list of CPUs"),
        ('"quad"', '"-oProxyCommand=x"', "is not allowed", "does not begin with a hyphen"),
        ('"quad"', '"quad; id"', "is not allowed", "without spaces"),
        ('system  = "dual.toml"', 'system = "../dual.toml"', '"../dual.toml" leaves its folder', "relative"),
        ('system  = "dual.toml"', 'system = "none.toml"', 'no file "none.toml"', "no such file"),
        ('ssh     = "lab@c1.example"', 'ssh = "c1"\nsystem = "dual.toml"', "a driver has no system file", "measured"),
        ("[server.quad]", "[server.Quad]", '"Quad" is not a name for a key', "lower-case"),
        ('ssh = "quad"', 'port = 22', '"port"', "ssh"),
        ("[server.", "[machine.", '"machine"', "server, driver"),
    ],
)  # fmt: skip
def test_what_is_no_bench_is_refused_with_its_place(
    before: str, after: str, what: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(WordsError) as raised:
        bench(tmp_path, BENCH.replace(before, after))
    assert what in raised.value.what
    assert why in raised.value.why
    assert raised.value.remedy


def test_a_bench_without_servers_or_without_a_file_is_none(tmp_path: Path) -> None:
    with pytest.raises(WordsError, match='"server" is missing'):
        bench(tmp_path, BENCH[: BENCH.index("[server")] + BENCH[BENCH.index("[driver") :])
    with pytest.raises(WordsError, match="no such bench"):
        read_bench(tmp_path / "none.toml", find_home())
