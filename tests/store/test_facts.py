"""The facts of hosts.json: the same in the form that we write, which is read quickly, and in any other form of it."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headtohead.model.analysis.systems import Told
from headtohead.model.errors import RecordError
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.store import facts
from headtohead.store.convert import to_json
from headtohead.store.facts import facts_of

WHERE = Path("hosts.json")
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ['"', "\\", "},\n    {\n", '"facts": [', "\r"]
)
VALUES = st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats(-1e9, 1e9) | TEXTS
FACTS = st.builds(Fact, TEXTS, TEXTS, VALUES, st.none() | TEXTS, TEXTS, st.none() | TEXTS)
HOSTS = st.lists(st.builds(HostFacts, TEXTS, st.lists(FACTS, max_size=4).map(tuple)), max_size=2).map(tuple)


def one_way(text: str) -> dict[tuple[str, str], Told] | str:
    try:
        return facts_of(text.encode(), where=WHERE)
    except RecordError as error:
        return error.what


def in_full(text: str) -> dict[tuple[str, str], Told] | str:
    """Return what it is without the quick way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "_as_written", lambda _: None)
        return one_way(text)


def typed(told: dict[tuple[str, str], Told] | str) -> object:
    """Return what was told with the types of the values: True is not 1."""
    return told if isinstance(told, str) else [(key, type(value), value, unit) for key, (value, unit) in told.items()]


@given(HOSTS)
def test_facts_are_the_same_in_the_form_that_we_write_and_in_any_other(hosts: tuple[HostFacts, ...]) -> None:
    text = to_json({"hosts": hosts})
    other = json.dumps(json.loads(text))
    assert typed(one_way(text)) == typed(in_full(text)) == typed(one_way(other))


@given(HOSTS, st.data())
@example((HostFacts("a", (Fact("b", "c", 1, None, "d", None), Fact("b", "e", 1, None, "d", None))),), None)
def test_a_text_that_was_tampered_with_is_read_alike_both_ways(
    hosts: tuple[HostFacts, ...], data: st.DataObject
) -> None:
    text = to_json({"hosts": hosts})
    spoiled = text.replace("},\n    {", "} {") if data is None else _spoiled(text, data)
    assert typed(one_way(spoiled)) == typed(in_full(spoiled))


def _spoiled(text: str, data: st.DataObject) -> str:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    return (
        text[:start] + data.draw(st.sampled_from(["", " ", "\n", ",", "{", "}", "]", '"', "\\", "1", "x"])) + text[end:]
    )


def test_what_we_write_is_read_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "_facts", lambda _: pytest.fail("it was parsed as a whole"))
    told = (Fact("cpu", "model", "A", None, "x", None), Fact("cpu", "threads", 2, None, "x", None))
    text = to_json({"hosts": (HostFacts("local", told),)})
    assert one_way(text) == {("cpu", "model"): ("A", None), ("cpu", "threads"): (2, None)}


def test_what_is_kept_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "KEPT", 10)
    for number in range(100):
        one_way(to_json({"hosts": (HostFacts("local", (Fact("a", "b", number, None, "x", None),)),)}))
    assert len(facts._WRITTEN) + len(facts._TOLD) + len(facts._NAMED) < 20
