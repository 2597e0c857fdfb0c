"""Where a machine confines programs less than others do, a study shows it before its first run."""

from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.execute.pages.request_page import Answer
from headtohead.execute.prepare.missing_confinement import REACH_DRIVER, SEE_FILES, missing_confinement
from headtohead.execute.prepare.prepare_study import prepare
from tests.execute.laboratory import PAGE, Laboratory, fake_affinity, one_experiment


@pytest.fixture
def laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Laboratory:
    fake_affinity(monkeypatch)
    text = one_experiment("static-page", "noop")
    return Laboratory(text, tmp_path, home=find_home(), pages=lambda _: Answer(200, PAGE))


@pytest.mark.parametrize(
    ("user", "files", "domains", "shown"),
    [
        ("headtohead", True, True, []),
        ("headtohead", False, True, [SEE_FILES]),
        ("headtohead", True, False, [REACH_DRIVER]),
        ("headtohead", False, False, [SEE_FILES, REACH_DRIVER]),
        (None, False, True, []),
        (None, False, False, [REACH_DRIVER]),
    ],
)
def test_what_is_missing_is_shown(
    laboratory: Laboratory, user: str | None, files: bool, domains: bool, shown: list[str]
) -> None:
    laboratory.script.private_files, laboratory.script.domains = files, domains
    environment = replace(laboratory.study_context.environment, user=user)
    assert list(missing_confinement(environment)) == [f"On this machine {each}" for each in shown]


def test_it_is_shown_once_when_a_study_is_prepared(laboratory: Laboratory) -> None:
    said: list[str] = []
    laboratory.script.domains = False
    laboratory.study_context.show = said.append
    prepare(laboratory.study_context, laboratory.plan)
    assert [each for each in said if "Landlock" in each] == [f"On this machine {REACH_DRIVER}"]
