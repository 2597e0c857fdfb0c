"""Values as multiples of those of one treatment: what a day does to both cancels, and sessions still decide."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from benches.verdicts.days import judged, relative
from headtohead.analyze.fleet.compare_systems import compare_systems
from headtohead.analyze.fleet.relative_values import relative_to
from headtohead.cli.app import app
from headtohead.model.analysis.systems import ArmKey, SystemResults
from headtohead.model.errors import WordsError
from tests.analyze.building import experiment, plan
from tests.analyze.fleet import days, folder, lone

REPLICATES = 4000
APACHE, NGINX = ArmKey("static-page", "apache"), ArmKey("static-page", "nginx")
Values = dict[tuple[str, str], list[float]]


def sessions(name: str, factor: float, *by_day: float) -> list[SystemResults]:
    """Return a machine whose nginx is ``factor`` times as fast as its apache; both have the speed of the day."""
    told: list[Values] = []
    for speed in by_day:
        apache = [speed * each for each in (100.0, 101.0, 99.0)]
        told.append({APACHE: apache, NGINX: [factor * each for each in apache]})
    made = days(name, *told, of=plan(experiment(), lone("forum", same_test="forum")))
    blocks = [{key: dict(enumerate(own, start=1)) for key, own in each.values.items()} for each in made]
    return [replace(each, blocks=own) for each, own in zip(made, blocks, strict=True)]


def test_what_a_day_does_to_both_cancels_and_the_machines_speed_with_it() -> None:
    folders = [*sessions("old", 2.0, 1.0, 0.7), *sessions("new", 3.0, 5.0, 9.0)]
    found = compare_systems(relative_to(folders, "apache"), 0)
    (table,) = found.tables
    assert (table.treatment, table.metric.unit) == ("nginx", "times apache")
    new, old = table.standings
    assert (new.system, new.verdict, new.basis) == ("new", "better", "between-sessions")
    assert new.ratio is not None
    assert (new.estimate.value, old.estimate.value, new.ratio.value) == pytest.approx((3.0, 2.0, 1.5))
    assert not found.refused


def test_a_block_that_lacks_one_of_the_two_is_left_out() -> None:
    (one,) = sessions("old", 2.0, 1.0)
    told = relative_to([replace(one, blocks={APACHE: {1: 10.0, 3: 0.0}, NGINX: {1: 30.0, 2: 20.0, 3: 1.0}})], "apache")
    assert told[0].values == {NGINX: (3.0,)}


def test_one_session_names_no_winner_where_its_blocks_alone_would() -> None:
    chance = np.random.default_rng(1)
    first, second = (relative(chance, size=REPLICATES, sessions=1, spread=0.05, own=0.02)[1] for _ in range(2))
    assert judged(first, second).winners == 0
    assert judged(first, second, runs_only=True).winners > 0.15


@pytest.mark.parametrize("own", [0.0, 0.02])
def test_equal_machines_are_rarely_told_apart_and_a_tenth_is_found_far_more_often(own: float) -> None:
    chance = np.random.default_rng(2)
    first, second = (relative(chance, size=REPLICATES, sessions=3, spread=0.05, own=own) for _ in range(2))
    found = judged(first[1], second[1])
    assert found.winners <= 0.065
    assert found.covered >= 0.93
    absolute, multiples = (judged(first[each], second[each] + math.log(1.1)).winners for each in (0, 1))
    assert multiples > 1.8 * absolute


@pytest.mark.usefixtures("tables_as_given")
def test_the_command_names_the_treatments_and_states_what_cancels(tmp_path: Path) -> None:
    for name, factor in (("a", 2.0), ("b", 3.0)):
        apache = [100.0, 101.0, 99.0]
        values: Values = {APACHE: apache, NGINX: [factor * each for each in apache]}
        folder(tmp_path / "fleet" / name, values, of=plan(experiment()))
    words = ["compare", str(tmp_path / "fleet"), "--relative-to"]
    text = " ".join(CliRunner().invoke(app, [*words, "apache"]).stdout.split())
    assert "each run divided by the run of apache in the same block" in text
    assert "No verdict: each machine was measured once." in text
    found = json.loads(CliRunner().invoke(app, [*words, "apache", "--json"]).stdout)
    assert found["relative_to"] == "apache"
    assert found["tables"][0]["standings"][0]["ratio"]["value"] == pytest.approx(1.5)
    wrong = CliRunner().invoke(app, [*words, "lighttpd"]).exception
    assert isinstance(wrong, WordsError)
    assert wrong.remedy == "Name one of: apache, nginx."
    alone = CliRunner().invoke(app, ["compare", str(tmp_path / "fleet" / "a"), "--relative-to", "apache"]).exception
    assert isinstance(alone, WordsError)
