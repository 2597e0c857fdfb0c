"""Sources of Debian: apt's answers are recorded, and nothing is fetched here."""

from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.kernel_files import Tree
from headtohead.hosts.machine.resources import read_machine
from headtohead.hosts.software import debian_sources
from headtohead.hosts.software.debian_sources import Source, fetch, read, sources_lacking
from headtohead.model.errors import HostError
from headtohead.model.study.subject import Compilation, Install, Native, Stop, Subject

KEY = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
LISTED = f"deb-src [{KEY}] http://mirror.example/debian/ bookworm main\n"
SHOWSRC = "Package: nginx\nVersion: 1.22.1-9+deb12u{0}\nDirectory: pool\n\n"
INSTALLED = "1.22.1-9+deb12u10"
FILES = ("nginx.dsc", "nginx.orig.tar.gz", "nginx.debian.tar.xz")
LACKED = "build=native with nginx"


class Archive:
    """Answers for dpkg and apt; it has the source of some versions."""

    def __init__(self, *versions: str, installed: str = INSTALLED, listed: str = LISTED) -> None:
        self.versions, self.installed, self.listed = versions, installed, listed
        self.sources_list = ""

    def __call__(self, argv: tuple[str, ...]) -> str:
        """Answer as the program would."""
        if argv[0] == "dpkg-query":
            return f"installed\tnginx\t{self.installed}\n" if self.installed else "config-files\tnginx\t1\n"
        if argv[:2] == ("apt-get", "indextargets"):
            return self.listed
        at = Path(argv[1].removeprefix("--chdir="))
        if "update" in argv:
            self.sources_list = (at / "sources.list").read_text()
        if "showsrc" in argv:
            return "".join(SHOWSRC.format(number) for number in (8, 9, 11))
        if "source" in argv:
            version = argv[-1].removeprefix("nginx=")
            (at / FILES[1]).write_text("upstream")
            if version not in self.versions:
                raise HostError("apt-get failed", why=f"404 Not Found: {version}.", remedy="Wait.")
            for name in FILES:
                (at / name).write_text(f"{name} of {version}")
        return ""


def fetched(archive: Archive, cache: Path) -> tuple[Source, list[str], FakeHost]:
    host, shown = FakeHost(say=archive), list[str]()
    assert fetch(["nginx"], cache=cache, host=host, show=shown.append) == {}
    return read(cache, "nginx", host=host), shown, host


def nginx() -> Subject:
    native = Native("nginx", "/usr/sbin", ("make",), {"native": Compilation("gcc", "-O3")}, ("make",))
    return Subject("nginx", "", (), "", Install(), {"build": native.factor}, None, Stop(), None, native=native)


def test_the_source_is_that_of_the_installed_version(tmp_path: Path) -> None:
    source, shown, _ = fetched(Archive(INSTALLED, "1.22.1-9+deb12u9"), tmp_path)
    assert (source.version, source.installed) == (INSTALLED, INSTALLED)
    assert set(source.files) == set(FILES)
    assert (source.folder / "nginx.dsc").read_text() == f"nginx.dsc of {INSTALLED}"
    assert shown == [f"Fetching the source of nginx {INSTALLED} from Debian."]


def test_what_the_archive_has_no_longer_is_replaced_by_the_latest_revision_that_it_has(tmp_path: Path) -> None:
    source, shown, _ = fetched(Archive("1.22.1-9+deb12u8", "1.22.1-9+deb12u9"), tmp_path)
    assert (source.version, source.installed) == ("1.22.1-9+deb12u9", INSTALLED)
    assert "fetched 1.22.1-9+deb12u9 instead" in shown[-1]


def test_another_upstream_version_is_never_taken(tmp_path: Path) -> None:
    host = FakeHost(say=Archive("1.22.1-9+deb12u9", installed="1.22.2-1"))
    (error,) = fetch(["nginx"], cache=tmp_path, host=host, show=lambda _: None).values()
    assert error.what == "Debian gives no source of nginx 1.22.2-1"
    assert "404 Not Found" in error.why
    assert "Upgrade the package" in error.remedy
    assert [each.name for each in (tmp_path / "sources").iterdir()] == [".locks"]


def test_apt_has_settings_of_its_own_and_debians_keys_only(tmp_path: Path) -> None:
    archive = Archive(INSTALLED)
    _, _, host = fetched(archive, tmp_path)
    assert archive.sources_list == LISTED
    assert all(KEY in line for line in LISTED.splitlines())
    run = [argv for argv in host.ran if argv[0] == "env"]
    assert [next(word for word in argv if word in {"update", "showsrc", "source"}) for argv in run] == [
        "update",
        "showsrc",
        "source",
    ]
    for argv in run:
        folder = argv[argv.index("-o") + 1].removeprefix("Dir::Etc::SourceList=").removesuffix("/sources.list")
        assert {"Dir::Etc::SourceParts=/dev/null", f"Dir::State::Lists={folder}/lists"} <= set(argv)
        assert not Path(folder).exists()


def test_without_an_archive_of_debian_nothing_is_fetched(tmp_path: Path) -> None:
    refused = fetch(["nginx"], cache=tmp_path, host=FakeHost(say=Archive(listed="")), show=lambda _: None)
    assert "name no archive of Debian" in refused["nginx"].why


@pytest.mark.parametrize("name", FILES)
def test_a_source_whose_files_changed_is_refused(tmp_path: Path, name: str) -> None:
    source, _, host = fetched(Archive(INSTALLED), tmp_path)
    (source.folder / name).write_text("something else")
    with pytest.raises(HostError, match="nginx cannot be compiled here") as refused:
        read(tmp_path, "nginx", host=host)
    assert "was changed since it was fetched" in refused.value.why


def test_its_checksum_stands_for_all_of_its_files(tmp_path: Path) -> None:
    one = fetched(Archive(INSTALLED), tmp_path / "one")[0]
    same = fetched(Archive(INSTALLED), tmp_path / "same")[0]
    other = fetched(Archive("1.22.1-9+deb12u9"), tmp_path / "other")[0]
    assert one.sha256 == same.sha256 != other.sha256


@pytest.mark.parametrize(
    ("installed", "why"),
    [(INSTALLED, "is not in the cache"), ("", "nginx is not installed"), ("1.22.1-10", "1.22.1-10")],
)
def test_what_lacks_is_named_with_the_remedy(tmp_path: Path, installed: str, why: str) -> None:
    if installed == "1.22.1-10":
        fetched(Archive(INSTALLED), tmp_path)
    host = FakeHost(say=Archive(installed=installed))
    asked = {("build", "native"), ("build", "distribution")}
    lacking = sources_lacking([nginx()], asked, cache=tmp_path, host=host, local=True)
    assert set(lacking) == {LACKED}
    assert why in lacking[LACKED]
    assert "Run `headtohead setup` with this study." in lacking[LACKED]


def test_a_fetched_source_lacks_nothing_and_what_is_not_asked_is_not_looked_for(tmp_path: Path) -> None:
    _, _, host = fetched(Archive(INSTALLED), tmp_path)
    asked = {("build", "native")}
    assert sources_lacking([nginx()], asked, cache=tmp_path, host=host, local=True) == {}
    assert sources_lacking([nginx()], {("build", "distribution")}, cache=tmp_path, host=host, local=False) == {}


def test_missing_packages_of_a_build_are_named_before_its_source(tmp_path: Path) -> None:
    def nothing_but(*names: str) -> Callable[[tuple[str, ...]], str]:
        return lambda argv: "".join(f"installed\t{name}\tamd64\n" for name in names) if argv[0] == "dpkg-query" else ""

    def lacks(*names: str, name: str = "local") -> str | None:
        tree, host = Tree(tmp_path, root_user=True), FakeHost(say=nothing_but(*names))
        asked = {("build", "native")}
        return read_machine([nginx()], host=host, tree=tree, allowed={0}, levels=asked, name=name).lacks.get(LACKED)

    assert lacks("make") == "missing: gcc; `headtohead setup` installs it"
    assert "headtohead setup" in (lacks("make", "gcc") or "")
    assert lacks("make", "gcc", name="far") == "a server of a bench compiles no source of Debian's"


def test_a_version_with_an_epoch_has_a_folder_too(tmp_path: Path) -> None:
    assert debian_sources.place_of(tmp_path, "a", "1:2-3").name == "a_1%3a2-3"
