import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.model.errors import HeadToHeadError
from headtohead.model.plan import Plan
from headtohead.plan.expand import make_plan
from tests.describe.homes import TWO_CPUS
from tests.wrong_studies.cases import WRONG
from tests.wrong_studies.right import RIGHT, RIGHT_LOADS, RIGHT_QUERIES


def plan_of(text: str, home: Home) -> Plan:
    path = home.studies / "wrong.toml"
    path.write_text(text, "utf-8")
    study = read_study(path, home)
    same_test = {each.name: "" for each in study.experiments}
    return make_plan(study, TWO_CPUS, version="0.1.0", same_test=same_test)


def test_the_studies_that_all_wrong_ones_are_edits_of_are_right(home: Home) -> None:
    assert len(plan_of(RIGHT, home).experiments) == 2
    assert len(plan_of(RIGHT_LOADS, home).experiments) == 3
    assert len(plan_of(RIGHT_QUERIES, home).experiments) == 2


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_study_ends_with_exit_code_2_and_names_thing_cause_and_remedy(
    name: str, home: Home, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(HeadToHeadError) as raised:
        plan_of(WRONG[name], home)
    error = raised.value
    assert error.exit_code == 2
    for sentence in (error.why, error.remedy):
        assert sentence.endswith((".", "?"))
        assert sentence[0].isupper()
    assert str(home.root) not in str(error)
    assert f"what:   {error.what}\nwhy:    {error.why}\nremedy: {error.remedy}" == snapshot
