"""The page of every word that study.toml, workload.toml and subject.toml know, from their schemas."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from headtohead.describe.factors.templates import OF_BATCH, OF_LINK, OF_PARSE, OF_READY, PLACES
from headtohead.describe.home import find_home
from headtohead.describe.workload import client_factors, loads, write_queries
from headtohead.model.study.counts import COUNT_WORDS, COUNTABLE, numbers
from headtohead.model.study.subject import REACHED
from tests.docs.meanings import (
    DEFAULTS,
    DRIVER_FACTORS,
    FILES,
    HOST_FACTORS,
    MEANINGS,
    PLACES_MEAN,
    RULES,
    SHARED,
    WORDS_MEAN,
)

NAMED: Final = "<name>"
"""Stands for a key that the writer chooses."""

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Section:
    """One table of a file: the path of its words, the heading as TOML has it, and the schema of the table."""

    path: str
    heading: str
    schema: Schema


def words_page() -> str:
    """Return the page."""
    lines = ["# Words", "", *RULES, ""]
    for file, intro in FILES.items():
        lines += [f"## {file}.toml", "", intro, ""]
        for section in sections(file):
            lines += [*_table(section), ""]
        lines += [*_beside(file), ""] if _beside(file) else []
    return "\n".join(lines)


def sections(file: str) -> Iterator[Section]:
    """Yield the tables of a file, the file itself first, in the order of its schema."""
    yield from _walk(Section(file, "", _schema(file)))


def paths() -> set[str]:
    """Return the path of every word that a schema knows."""
    return {f"{section.path}.{word}" for file in FILES for section in sections(file) for word in _words(section.schema)}


def _walk(section: Section) -> Iterator[Section]:
    if list(_words(section.schema)) != [NAMED]:
        yield section
    for word, schema in _words(section.schema).items():
        if _shared(schema) and (section.path, word) not in SHARED:
            continue
        found = _resolved(schema)
        items = _resolved(found["items"]) if "items" in found and found.get("type") == "array" else {}
        inner = next((each for each in (items, found) if _is_table(each)), None)
        if inner is None:
            continue
        repeated, above = inner is items, section.heading.strip("[]")
        name = f"{above}.{word}" if above else word
        yield from _walk(Section(f"{section.path}.{word}", f"[[{name}]]" if repeated else f"[{name}]", inner))


def _is_table(schema: Schema) -> bool:
    return schema.get("type") == "object" and ("properties" in schema or _is_table(_resolved(_others(schema))))


def _others(schema: Schema) -> Schema:
    others = schema.get("additionalProperties")
    return others if isinstance(others, Mapping) else {}


def _words(schema: Schema) -> Mapping[str, Schema]:
    """Return the words of a table, with the one that stands for those that the writer chooses."""
    others = _others(schema)
    return {**schema.get("properties", {}), **({NAMED: others} if others else {})}


def _table(section: Section) -> Iterator[str]:
    """Yield the heading and the rows of one table."""
    if section.heading:
        yield from (f"### `{section.heading}`", "")
    of_load = section.path == "workload.load"
    yield "| Word | Type | Default |" + (" Loops |" if of_load else "") + " Meaning |"
    yield "|---|---|---|" + ("---|" if of_load else "") + "---|"
    required = section.schema.get("required", [])
    for word, schema in _words(section.schema).items():
        path = f"{section.path}.{word}"
        default = "required" if word in required else DEFAULTS.get(path, "none")
        told = f" {_loops(word)} |" if of_load else ""
        yield f"| `{word}` | {type_text(schema)} | {default} |{told} {MEANINGS[path]} |"


def _loops(word: str) -> str:
    """Return the loops that know a word, and the kind of interface where only one kind does."""
    knowing = {
        kind: [loop for loop, words in loads.known_words(kind).items() if word in words] for kind in ("http", "sql")
    }
    kinds = [kind for kind, loops in knowing.items() if loops]
    if not kinds:
        return "batch"
    of_all = len(knowing["http"]) == len(loads.known_words("http"))
    told = "all but batch" if of_all else ", ".join(knowing[kinds[0]])
    return told if len(kinds) > 1 else f"{told} ({kinds[0]})"


def _beside(file: str) -> list[str]:
    """Return what a file's words may be, where code and not the schema says so."""
    if file == "study":
        rows = [f"| `{name}` | {meaning} |" for name, meaning in HOST_FACTORS.items()]
        host = ["### Factors of the host", "", "| Factor | Levels |", "|---|---|", *rows]
        words = [f"| `{word}` | {', '.join(map(str, numbers(word, 6)))} | {WORDS_MEAN[word]} |" for word in COUNT_WORDS]
        return [*host, "", "### Words for numbers", "", *_of_counts(), "", "| Word | On 6 CPUs | Meaning |",
                "|---|---|---|", *words]  # fmt: skip
    if file == "workload":
        levels = {name: _listed(each) for name, each in client_factors._LEVELS.items()}
        levels[write_queries.SHARE] = f"from 0 to {write_queries.SHARE_AT_MOST:g}"
        rows = [f"| `{name}` | {each} | {DRIVER_FACTORS[name]} |" for name, each in levels.items()]
        head = [
            "### Factors that the driver asks by",
            "",
            f"A workload that asks an sql interface may have `{write_queries.SHARE}`, one that asks an http interface"
            " the others, and none may have more.",
        ]
        return [*head, "", "| Factor | Levels | Meaning |", "|---|---|---|", *rows]
    rows = [
        f"| `@{name}@` | {PLACES_MEAN[name]} |" for name in sorted(PLACES | OF_BATCH | OF_PARSE | OF_READY | OF_LINK)
    ]
    needed = (
        f"| `@<factor>_<field>@` | of what a factor needs: {_listed(REACHED)} of its [reach], empty where it has none |"
    )
    other = (
        "| `@<factor>@`, `@<case field>@` | the level in force; in [batch] and [driver] also the value of the case |"
    )
    return ["### Templates", "", "In argv, in [reach] and in files whose name ends in `.in`:", "",
            "| Template | Becomes |", "|---|---|", *rows, other, needed]  # fmt: skip


def _of_counts() -> list[str]:
    own = _listed([name for name in COUNTABLE if name != "cpus"])
    return [
        "A word may stand for a number in `cpus`, in factors whose levels are a range, and in fields of the load, if",
        f"these are named {own}. In `cpus` it goes by the CPUs",
        "that the machine has (beside the driver's), in another factor by those of the treatment, in the load by those",
        "of the treatment with most. Numbers that come out equal are one level, or one case; the plan notes what each",
        "word came to.",
    ]


def type_text(schema: Schema) -> str:
    """Return what a value may be, in words."""
    found = _resolved(schema)
    if "const" in found:
        return f"`{json.dumps(found['const'])}`"
    if "enum" in found:
        return _alternatives([f"`{each}`" for each in found["enum"]])
    kinds = found["type"] if isinstance(found["type"], list) else [found["type"]]
    return _alternatives([_kind(each, found) for each in kinds])


def _kind(kind: str, schema: Schema) -> str:
    if kind == "array":
        return f"list ({type_text(schema['items'])})"
    if kind == "string":
        fixed = schema.get("pattern", "").removeprefix("^").removesuffix("$")
        return f'`"{fixed}"`' if fixed.isalpha() else "text"
    if kind in ("integer", "number"):
        return ("whole number" if kind == "integer" else "number") + _bounds(schema)
    return {"boolean": "boolean", "object": "table"}[kind]


def _bounds(schema: Schema) -> str:
    words = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to", "exclusiveMaximum": "below"}
    told = [f"{word} {schema[bound]:,}" for bound, word in words.items() if bound in schema and schema[bound] < 1e12]
    return f" {' '.join(told)}" if told else ""


def _alternatives(texts: Sequence[str]) -> str:
    return " or ".join([*([", ".join(texts[:-1])] if texts[:-1] else []), texts[-1]])


def _listed(values: Sequence[object]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _shared(schema: Schema) -> bool:
    return str(schema.get("$ref", "")).startswith("common.json")


def _resolved(schema: Schema) -> Schema:
    """Return the schema that a reference leads to; references here lead one step at a time."""
    while "$ref" in schema:
        file, _, pointer = str(schema["$ref"]).partition("#/$defs/")
        home = _schema((file or _home_of(pointer)).removesuffix(".json"))
        schema = home["$defs"][pointer]
    return schema


def _home_of(pointer: str) -> str:
    """Return the schema that holds a definition named without a file: common.json's own, or that of one kind."""
    return next(each for each in ("common", "study", "workload", "subject") if pointer in _schema(each)["$defs"])


@cache
def _schema(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((find_home().schemas / f"{name}.json").read_text("utf-8"))
    return document
