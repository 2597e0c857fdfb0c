"""The schemas of the results files are made from the model, so that neither can drift from the other."""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import TypeAdapter
from pydantic_core.core_schema import to_string_ser_schema

from headtohead.model.analysis.results import Analysis
from headtohead.model.case import Case
from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.noise import NoiseFloor
from headtohead.model.machine.sessions import SessionSpreads
from headtohead.model.plan import AddedBlocks, MoreBlocks, Plan, PlannedRun
from headtohead.model.quantity import Scalar
from headtohead.model.record import Run
from headtohead.store.convert import to_json
from headtohead.store.proof.seal import Seal

SCHEMAS = Path(__file__).parents[2] / "schemas"


@dataclasses.dataclass(frozen=True)
class Hosts:
    """hosts.json."""

    hosts: tuple[HostFacts, ...]


@dataclasses.dataclass(frozen=True)
class Excluded:
    """Runs that were valid when they were kept and were excluded later, by their number, each with the reason."""

    excluded: Mapping[str, str]


FILES = {
    "plan": Plan,
    "run": Run,
    "analysis": Analysis,
    "excluded": Excluded,
    "more": AddedBlocks,
    "hosts": Hosts,
    "noise": NoiseFloor,
    "seal": Seal,
    "sessions": SessionSpreads,
}


def schema_of(name: str) -> dict[str, Any]:
    """Return the schema of a results file, its format number first, unknown keys refused.

    A case is a text in an analysis, in other files a table of its fields.
    """
    case = str if name == "analysis" else Mapping[str, Scalar]
    with pytest.MonkeyPatch.context() as patch:
        written = classmethod(lambda _, __, handler: {**handler(case), "serialization": to_string_ser_schema()})
        patch.setattr(Case, "__get_pydantic_core_schema__", written, raising=False)
        schema = TypeAdapter(FILES[name]).json_schema()
    for each in (schema, *schema.get("$defs", {}).values()):
        each.setdefault("additionalProperties", False)
    history = f"{name}.json of a results folder. History: format 1, the first."
    schema["properties"] = {"format": {"const": 1}, **schema["properties"]}
    schema["required"] = ["format", *schema["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "description": history, **schema}


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_schema_of_a_results_file_is_what_the_model_says(name: str, pytestconfig: pytest.Config) -> None:
    schema = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    text = json.dumps(schema, indent=1) + "\n"
    kept = SCHEMAS / f"{name}.json"
    if pytestconfig.getoption("update_snapshots"):
        kept.write_text(text, encoding="utf-8")

    assert text == kept.read_text(encoding="utf-8"), "run `make snapshots`, and read the difference"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        (
            "more",
            AddedBlocks(
                (MoreBlocks("a", 10, 0.01, (PlannedRun(7, 1, "nginx", (Case({"connections": 10}),)),)),), ("a",)
            ),
        ),
        ("more", AddedBlocks(())),
        ("excluded", {"excluded": {"7": "data-changed: a row is missing"}}),
    ],
)
def test_what_is_written_of_runs_added_and_excluded_honors_its_schema(name: str, written: object) -> None:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    jsonschema.validate(json.loads(to_json(written)), schema)
