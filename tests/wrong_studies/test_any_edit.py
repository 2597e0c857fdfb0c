import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.model.errors import HeadToHeadError
from headtohead.plan.expand import make_plan
from tests.describe.homes import TWO_CPUS, make_home
from tests.wrong_studies.right import RIGHT, RIGHT_LOADS, RIGHT_QUERIES

Way = tuple[str | int, ...]

scalars = st.sampled_from(["", "x", "all", "nginx", "search", "open", "../x", 0, -1, 1, 2, 10**30, 0.5, True])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["name", "value", "a"]), inner),
    max_leaves=3,
)


@pytest.fixture(scope="module")
def kept_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return make_home(tmp_path_factory.mktemp("kept") / "home")


def ways(data: object, way: Way = ()) -> Iterator[Way]:
    """Yield the way to everything inside."""
    inside: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(data, dict):
        inside = iter(data.items())
    elif isinstance(data, list):
        inside = iter(enumerate(data))
    for key, value in inside:
        yield (*way, key)
        yield from ways(value, (*way, key))


def toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(key)} = {toml(each)}' for key, each in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value)


def replaced(data: object, way: Way, *, value: object) -> object:
    """Return a copy with another value there."""
    if not way:
        return value
    if isinstance(data, dict):
        return {key: replaced(each, way[1:], value=value) if key == way[0] else each for key, each in data.items()}
    assert isinstance(data, list)
    return [replaced(each, way[1:], value=value) if at == way[0] else each for at, each in enumerate(data)]


RIGHTS = (RIGHT, RIGHT_LOADS, RIGHT_QUERIES)
edits = st.sampled_from([(text, way) for text in RIGHTS for way in ways(tomllib.loads(text))])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edit=edits, value=values)
def test_a_study_with_anything_in_any_place_is_planned_or_refused_in_words(
    kept_home: Home, edit: tuple[str, Way], value: object
) -> None:
    text, way = edit
    study = replaced(tomllib.loads(text), way, value=value)
    assert isinstance(study, dict)
    path: Path = kept_home.studies / "any.toml"
    path.write_text("\n".join(f"{key} = {toml(each)}" for key, each in study.items()), "utf-8")
    refused: HeadToHeadError | None = None
    try:
        read = read_study(path, kept_home)
        make_plan(read, TWO_CPUS, version="0.1.0", same_test={each.name: "" for each in read.experiments})
    except HeadToHeadError as error:
        refused = error
    assert refused is None or (refused.exit_code, *map(bool, (refused.what, refused.why, refused.remedy))) == (
        2,
        1,
        1,
        1,
    )
