"""`headtohead check` as a linter."""

from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.cli import wiring
from tests.conftest import Command
from tests.describe.homes import TWO_CPUS

STUDY = """format = 1
title = "Two servers"
seed = 1

[[experiment]]
name = "page"
question = "Which is faster?"
workload = "static-page"
looks = [3]

[experiment.factors]
subject = ["nginx", "apache-httpd"]

[experiment.load]
connections = [10]
measure_s = 1
"""


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(TWO_CPUS, missing={"nginx": ("nginx-core",)}, unobtainable={"nginx": "apt has no such package"})
    monkeypatch.setattr(wiring, "read_machine", lambda *_, **__: bare)


def checked(text: str, command: Command, folder: Path) -> tuple[int, str, str]:
    study = folder / "study.toml"
    study.write_text(text)
    code, out, err = command("check", study)
    return code, " ".join(out.split()), " ".join(err.split())


def test_all_errors_are_printed_with_their_lines(command: Command, tmp_path: Path) -> None:
    text = STUDY.replace("seed = 1", 'seed = "one"').replace("looks = [3]", "looks = 3\nmaters = 1.1")

    code, out, err = checked(text, command, tmp_path)

    assert (code, out) == (2, "")
    assert err.count("error: ") == 3
    assert "error: line 3 of " in err
    assert "error: line 9 of " in err
    assert 'unknown key "maters"' in err


def test_a_study_that_can_have_no_verdict_and_measures_too_briefly_is_called_so(
    command: Command, tmp_path: Path
) -> None:
    code, out, _ = checked(STUDY, command, tmp_path)

    assert code == 0
    assert "No verdict is possible: one needs 6 blocks, and the last check is after 3." in out
    assert "A run is measured for 1 s: less than 3 s leaves a doubt." in out


def test_a_study_that_has_enough_of_both_is_not(command: Command, tmp_path: Path) -> None:
    text = STUDY.replace("looks = [3]", "looks = [3, 6]").replace("measure_s = 1", "measure_s = 3")

    code, out, _ = checked(text, command, tmp_path)

    assert code == 0
    assert "No verdict is possible" not in out
    assert "leaves a doubt" not in out


def test_a_study_is_checked_without_its_packages_and_what_is_missing_is_listed(
    command: Command, tmp_path: Path
) -> None:
    code, out, _ = checked(STUDY, command, tmp_path)

    assert code == 0
    assert "Missing here nginx: nginx-core, apt has no such package" in out


def test_levels_that_this_machine_cannot_give_are_found_with_the_words_that_are_wrong(
    command: Command, tmp_path: Path
) -> None:
    second = STUDY[STUDY.index("[[experiment]]") :].replace('"page"', '"second"')
    text = STUDY.replace('"apache-httpd"]', '"apache-httpd"]\ncpus = [1, 9]')
    text = text.replace("looks = [3]", 'looks = [6, 5]\ncompare = "subject"')
    text += f"\n{second}".replace('"apache-httpd"]', '"apache-httpd"]\ncpus = [2]')

    code, out, err = checked(text, command, tmp_path)

    assert (code, out) == (2, "")
    assert err.count("error: ") == 3
    assert "looks: [6, 5] does not increase" in err
    assert 'study.toml, experiment "page": 9 CPUs for the subject why: the machine has 2 CPUs.' in err
    assert 'study.toml, experiment "second": no CPU left for the driver' in err
    assert "error: line 5 of " in err
    assert "error: line 20 of " in err


def test_a_wrong_level_of_the_host_hides_what_the_others_would_be_on_this_machine(
    command: Command, tmp_path: Path
) -> None:
    text = STUDY.replace('"apache-httpd"]', '"apache-httpd"]\ncpus = [0, 2]\ncpu_quota = [2.0]')

    _, _, err = checked(text, command, tmp_path)

    assert err.count("error: ") == 1
    assert "factors.cpus: 0 is not" in err


def test_a_study_for_other_machines_is_not_held_against_this_one(command: Command, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        STUDY.replace('"apache-httpd"]', '"apache-httpd"]\ncpus = [9]').replace("looks = [3]", "looks = [6, 5]")
    )

    code, _, err = command("check", study, "--bench", tmp_path / "bench.toml")

    assert code == 2
    assert err.count("error: ") == 1
    assert "does not increase" in err


OWN = """format = 1
name = "mine"
title = "A server of my own"
serves = ["http/static-v1"]

[start]
argv = ["no-such-server", "--port", "@port@", "@data@"]
ready = { http = "@url@@path@" }
within_s = 10

[reach]
url = "http://127.0.0.1:@port@"
"""


def test_a_program_of_no_package_is_missing_by_its_name_below_the_packages_and_is_no_error(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "subjects" / "mine").mkdir(parents=True)

    def missing(subject: str) -> str:
        (tmp_path / "subjects" / "mine" / "subject.toml").write_text(subject)
        code, out, err = checked(STUDY.replace('"apache-httpd"', '"mine"'), command, tmp_path)
        assert (code, err) == (0, "")
        assert out.count("Missing here") == 1
        return out.partition("Missing here ")[2]

    lacking = missing(OWN)
    assert lacking.startswith("nginx: nginx-core, apt has no such package `headtohead setup` with this study")
    assert " mine: no-such-server No package of these subjects has the program: install it" in lacking

    there = missing(OWN.replace("no-such-server", "sh"))
    assert there.startswith("nginx: nginx-core")
    assert "mine:" not in there
    assert "No package of these subjects" not in there

    monkeypatch.setattr(wiring, "read_machine", lambda *_, **__: replace(TWO_CPUS, missing={"mine": ("my-package",)}))
    assert missing(OWN).startswith("mine: my-package `headtohead setup`"), "the package has the program"
    assert "no-such-server" not in missing(OWN)
