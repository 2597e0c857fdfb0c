"""Every subject that is also compiled here from Debian's source, with the same checks as the distribution's program.

Compiling takes over 30 s of CPU, so a test is skipped unless `headtohead setup` has fetched the source.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.model.machine.host import lacked
from headtohead.model.study.subject import BUILD, DISTRIBUTION
from tests.contract.bench import Pair, each_once, need, one_run, pairs, question, study_text
from tests.contract.homes import HOME
from tests.contract.leftovers import left_by_us, nothing

COMPILED = [each for each in each_once(pairs(HOME)) if each.subject.native is not None]
LEVEL = "native"

pytestmark = pytest.mark.real


@pytest.mark.parametrize("pair", [pytest.param(each, id=str(each)) for each in COMPILED])
def test_it_answers_as_the_distributions_program_does(pair: Pair, tmp_path: Path) -> None:
    need(*pair.subjects)
    asked = question(study_text(replace(pair, levels={**pair.levels, BUILD: LEVEL})), tmp_path)
    machine = asked.machine()
    why = machine.lacks.get(lacked(BUILD, LEVEL, pair.subject.name))
    if why is not None:
        pytest.skip(why)

    recorded = one_run(asked, tmp_path)

    assert (recorded.run.status, recorded.run.reasons) == ("valid", ())
    assert len(recorded.records) > 0
    assert "compiled here: gcc" in recorded.run.versions[pair.subject.name]
    assert left_by_us() == nothing()


def test_a_subject_is_compiled_in_several_ways() -> None:
    assert {each.subject.name for each in COMPILED} >= {"nginx", "postgresql"}
    for each in COMPILED:
        factor = each.subject.factors[BUILD]
        assert (factor.default, LEVEL in factor.packages) == (DISTRIBUTION, True)
