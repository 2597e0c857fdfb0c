"""The facts of hosts.json as many folders hold them: data of strangers, read strictly and quickly."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.analysis.systems import FactValue
from headtohead.model.errors import RecordError
from headtohead.model.harmless_text import harmless
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.store import shared_facts
from headtohead.store.convert import to_json
from headtohead.store.shared_facts import facts_of

WHERE = Path("hosts.json")
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ['"', "\\", "},\n    {\n", '"facts": [', "\r"]
)
VALUES = st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats(-1e9, 1e9) | TEXTS
FACTS = st.builds(Fact, TEXTS, TEXTS, VALUES, st.none() | TEXTS, TEXTS, st.none() | TEXTS)
HOSTS = st.lists(st.builds(HostFacts, TEXTS, st.lists(FACTS, max_size=4).map(tuple)), max_size=2).map(tuple)


def one_way(text: str) -> dict[tuple[str, str], FactValue] | str:
    try:
        return facts_of(text.encode(), where=WHERE)
    except RecordError as error:
        return error.what


def by_the_json_module(text: str) -> dict[tuple[str, str], FactValue]:
    """Return what the document holds by another reader, for documents that are right."""
    facts = [fact for host in json.loads(text)["hosts"] for fact in host["facts"]]
    return {
        (harmless(each["group"]), harmless(each["name"])): (shown(each["value"]), shown(each["unit"])) for each in facts
    }


def shown(value: Any) -> Any:  # noqa: ANN401
    return harmless(value) if isinstance(value, str) else value


def typed(told: dict[tuple[str, str], FactValue] | str) -> object:
    """Return what was told with the types of the values: True is not 1."""
    return told if isinstance(told, str) else [(key, type(value), value, unit) for key, (value, unit) in told.items()]


@given(HOSTS)
def test_facts_are_the_same_whatever_the_white_space_of_the_document(hosts: tuple[HostFacts, ...]) -> None:
    text = to_json({"hosts": hosts})
    other = json.dumps(json.loads(text))
    assert typed(one_way(text)) == typed(one_way(other)) == typed(by_the_json_module(text))


@given(HOSTS, st.data())
def test_a_document_that_was_tampered_with_is_refused_or_read_as_json_says(
    hosts: tuple[HostFacts, ...], data: st.DataObject
) -> None:
    spoiled = _spoiled(to_json({"hosts": hosts}), data)
    found = one_way(spoiled)
    if isinstance(found, str):
        assert found == "hosts.json cannot be read"
    else:
        assert typed(found) == typed(by_the_json_module(spoiled))


def _spoiled(text: str, data: st.DataObject) -> str:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    return (
        text[:start] + data.draw(st.sampled_from(["", " ", "\n", ",", "{", "}", "]", '"', "\\", "1", "x"])) + text[end:]
    )


FACT = '{"group": "a", "name": "b", "value": %s, "unit": %s, "source": "x", "why_not": null}'


@pytest.mark.parametrize(
    ("value", "unit"),
    [("[1]", "null"), ("{}", "null"), ("1e999", "null"), ("NaN", "null"), ("1" * 4000, "null"), ("1", "1")],
)
def test_a_value_that_is_no_fact_s_is_refused(value: str, unit: str) -> None:
    assert one_way(f'{{"format": 1, "hosts": [{{"facts": [{FACT % (value, unit)}]}}]}}') == "hosts.json cannot be read"


@pytest.mark.parametrize("format_", ["2", "true", "1.0", '"1"', "null"])
def test_another_format_is_refused(format_: str) -> None:
    assert one_way(f'{{"format": {format_}, "hosts": []}}') == "hosts.json cannot be read"


def test_more_facts_than_any_machine_has_and_nesting_without_end_are_refused() -> None:
    many = ",".join([FACT % ("1", "null")] * (shared_facts.MOST_FACTS + 1))
    deep = "[" * 100_000 + "]" * 100_000
    assert one_way(f'{{"format": 1, "hosts": [{{"facts": [{many}]}}]}}') == "hosts.json cannot be read"
    assert one_way(f'{{"format": 1, "hosts": [{{"facts": [], "x": {deep}}}]}}') == "hosts.json cannot be read"


def test_letters_that_steer_a_terminal_are_replaced() -> None:
    escape = FACT % (json.dumps("\x1b[2J"), json.dumps("\u202e"))
    assert one_way(f'{{"format": 1, "hosts": [{{"facts": [{escape}]}}]}}') == {("a", "b"): ("\ufffd[2J", "\ufffd")}


def test_equal_facts_of_many_folders_are_one_object() -> None:
    text = to_json({"hosts": (HostFacts("local", (Fact("cpu", "model", "A", "GHz", "x", None),)),)})
    first, second = one_way(text), one_way(text)
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert first["cpu", "model"] is second["cpu", "model"]


def test_what_is_kept_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_facts, "KEPT", 10)
    for number in range(100):
        one_way(to_json({"hosts": (HostFacts("local", (Fact("a", "b", number, None, "x", None),)),)}))
    assert len(shared_facts._VALUES) + len(shared_facts._NAMED) < 20
