"""Programs that are compiled here from Debian's source: once for each source, compiler and flags, and then used."""

from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.execute.context.study_context import PartKey
from headtohead.execute.pages.request_page import Answer
from headtohead.execute.prepare import native_build
from headtohead.hosts.fake.script import Launch, Outcome
from headtohead.hosts.software.debian_sources import Source
from headtohead.model.errors import SubjectError
from tests.execute.laboratory import PAGE, Laboratory, fake_affinity, one_experiment

BUILDS = 'build = ["distribution", "native", "gcc-O2", "clang-native"]\n'
SOURCE = Source("nginx", "1.22.1-9", "1.22.1-9", Path("/cache/sources/nginx"), {"nginx.dsc": "0" * 64}, "")


class Machine:
    """Compiles what it is asked to, and remembers with what; ``gcc`` is the version of that compiler."""

    def __init__(self) -> None:
        self.made: list[dict[str, str]] = []
        self.gcc = "gcc 12.2"
        self.fails = False

    def __call__(self, launch: Launch) -> Outcome:
        """Do what the program does."""
        name, words = Path(launch.argv[0]).name, dict(word.split("=", 1) for word in launch.argv if "=" in word)
        if name == "make" and "CC" in words:
            self.made.append(words)
            Path(words["OUT"], "nginx").write_text(f"{words['CC']} {words['FLAGS']}")
            return Outcome(takes_s=0.1, code=2 * self.fails, stderr="no such flag\n" * self.fails)
        if name == "nginx":
            return Outcome(takes_s=0.1, stderr=f"nginx version: {launch.argv[0]}\n")
        return Outcome(takes_s=0.1, stdout=f"{self.gcc if name == 'gcc' else name}\nmore\n")


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: Machine) -> Laboratory:
    fake_affinity(monkeypatch)
    monkeypatch.setattr(native_build, "read", lambda *_, **__: SOURCE)
    text = one_experiment("static-page", "nginx", factors=BUILDS)
    place = Laboratory(text, tmp_path, home=find_home(), pages=lambda _: Answer(200, PAGE))
    place.script.program = machine
    return place


def key(level: str) -> PartKey:
    return PartKey("nginx", "tiny", f"nginx build={level}")


def test_each_level_has_its_own_program_by_its_compiler_and_flags(laboratory: Laboratory, machine: Machine) -> None:
    natives = laboratory.prepared().study_context.natives
    assert [(each["CC"], each["FLAGS"]) for each in machine.made] == [
        ("gcc", "-O3 -march=native"),
        ("gcc", "-O2"),
        ("clang", "-O3 -march=native"),
    ]
    assert key("distribution") not in natives
    assert (natives[key("gcc-O2")] / "nginx").read_text() == "gcc -O2"


def test_the_version_has_the_compiler_the_flags_and_the_source(laboratory: Laboratory) -> None:
    study_context = laboratory.prepared().study_context
    folder = study_context.natives[key("native")]
    assert study_context.versions[key("distribution")] == "nginx version: /usr/sbin/nginx"
    assert study_context.versions[key("native")] == (
        f"nginx version: {folder}/nginx (compiled here: gcc 12.2, -O3 -march=native, source nginx 1.22.1-9 "
        f"{SOURCE.sha256[:12]})"
    )


def test_a_source_of_another_revision_is_named_with_what_is_installed(
    laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Source("nginx", "1.22.1-10", "1.22.1-9", SOURCE.folder, SOURCE.files, "")
    monkeypatch.setattr(native_build, "read", lambda *_, **__: other)
    found = laboratory.prepared().study_context.versions[key("native")]
    assert "source nginx 1.22.1-9 (installed: 1.22.1-10)" in found


def test_it_is_compiled_again_only_for_another_source_or_compiler_or_after_a_change(
    laboratory: Laboratory, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = laboratory.prepared().study_context.natives[key("gcc-O2")]
    machine.made.clear()
    laboratory.prepared()
    assert machine.made == []
    (folder / "nginx").write_text("changed by someone")
    laboratory.prepared()
    assert [each["FLAGS"] for each in machine.made] == ["-O2"]
    machine.made.clear()
    machine.gcc = "gcc 13"
    laboratory.prepared()
    assert [each["CC"] for each in machine.made] == ["gcc", "gcc"]
    machine.made.clear()
    changed = Source("nginx", "1.22.1-9", "1.22.1-9", SOURCE.folder, {"nginx.dsc": "1" * 64}, "")
    monkeypatch.setattr(native_build, "read", lambda *_, **__: changed)
    laboratory.prepared()
    assert len(machine.made) == 3


def test_a_build_that_fails_is_an_error_with_the_compilers_words(laboratory: Laboratory, machine: Machine) -> None:
    machine.fails = True
    with pytest.raises(SubjectError, match="The native build of subject nginx failed") as refused:
        laboratory.prepared()
    assert "no such flag" in refused.value.why
