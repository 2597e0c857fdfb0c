"""The page of every word that study.toml, workload.toml and subject.toml know, from their schemas."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from headtohead.describe.factors.templates import RESERVED
from headtohead.describe.home import find_home
from headtohead.describe.workload import client_factors, loads, write_queries
from headtohead.model.study.count_words import COUNT_WORDS, COUNTABLE, numbers
from headtohead.model.study.subject import REACHED
from tests.docs.defaults import DEFAULTS

NAMED: Final = "<name>"
"""Stands for a key that the writer chooses."""

FILES: Final = ("study", "workload", "subject")

SHARED: Final = {("workload", "load")}
"""Tables of common.json that are shown in full, each where it belongs."""

RULES: Final = (
    "All words of the three kinds of files, with type, default and meaning. This page is made from the schemas",
    "(`make docs`). A word that is not here is refused, with its line and the nearest known word.",
    "",
    "Times end in `_s` (seconds) or `_ns`, memory in `_mib`. A *name* has small letters, digits and hyphens. A program",
    "is a list of texts: its name, then its arguments; no shell is involved. Each file begins with `format = 1`.",
)

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Section:
    """One table of a file: the path of its words, its heading in TOML, its schema, and the table shown before it.

    ``like`` is the heading of an earlier table with the same words, or empty if there is none.
    """

    path: str
    heading: str
    schema: Schema
    like: str = ""


def words_page() -> str:
    """Return the page."""
    lines = ["# Words", "", *RULES, ""]
    for file in FILES:
        lines += [f"## {file}.toml", "", _meaning(_schema(file)), ""]
        for section in sections(file):
            lines += [*_table(section), ""]
        lines += [*_beside(file), ""] if _beside(file) else []
    return "\n".join(lines)


def sections(file: str) -> Iterator[Section]:
    """Yield the tables of a file, the file itself first, in the order of its schema."""
    yield from _walk(Section(file, "", _schema(file)))


def meanings() -> dict[str, str]:
    """Return the meaning of every word that a schema knows by the word's path; empty if the schema gives none."""
    return {
        f"{section.path}.{word}": _meaning(schema)
        for file in FILES
        for section in sections(file)
        for word, schema in _words(section.schema).items()
    }


def listed(file: str, definition: str) -> dict[str, str]:
    """Return the meanings that a schema keeps of values that code lists, by their names."""
    found = _schema(file)["$defs"][definition]
    named = found.get("properties") or {each["const"]: each for each in found["oneOf"]}
    return {name: each["description"] for name, each in named.items()}


def _walk(section: Section) -> Iterator[Section]:
    if list(_words(section.schema)) != [NAMED]:
        yield section
    shown: dict[str, str] = {}
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
        heading, definition = f"[[{name}]]" if repeated else f"[{name}]", str(schema.get("$ref", word))
        yield from _walk(Section(f"{section.path}.{word}", heading, inner, shown.get(definition, "")))
        shown.setdefault(definition, heading)


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
        meaning = f"As in `{section.like}`" if section.like else _meaning(schema)
        loops = f" {_loops(word)} |" if of_load else ""
        yield f"| `{word}` | {type_text(schema)} | {default} |{loops} {meaning} |"


def _meaning(schema: Schema) -> str:
    """Return what a word means: its own description, else that of the definition that it refers to."""
    return str(schema.get("description") or _resolved(schema).get("description", ""))


def _loops(word: str) -> str:
    """Return the loops that know a word, and the kind of interface where only one kind does."""
    knowing = {
        kind: [loop for loop, words in loads.known_words(kind).items() if word in words] for kind in ("http", "sql")
    }
    kinds = [kind for kind, loops in knowing.items() if loops]
    if not kinds:
        return "batch"
    of_all = len(knowing["http"]) == len(loads.known_words("http"))
    loops = "all but batch" if of_all else ", ".join(knowing[kinds[0]])
    return loops if len(kinds) > 1 else f"{loops} ({kinds[0]})"


def _beside(file: str) -> list[str]:
    """Return what code and not the schema knows of a file's words: factors, words for numbers, templates."""
    return {"study": _beside_study, "workload": _beside_workload, "subject": _beside_subject}[file]()


def _beside_study() -> list[str]:
    factors = [(f"`{name}`", meaning) for name, meaning in listed("study", "host_factors").items()]
    meanings = listed("common", "count_words")
    words = [(f"`{word}`", ", ".join(map(str, numbers(word, 6))), meanings[word]) for word in COUNT_WORDS]
    return [
        *("### Factors of the host", "", *_rows(("Factor", "Levels"), factors), ""),
        *("### Words for numbers", "", *_of_counts(), "", *_rows(("Word", "On 6 CPUs", "Meaning"), words)),
    ]


def _beside_workload() -> list[str]:
    levels = {name: _listed(each) for name, each in client_factors._LEVELS.items()}
    levels[write_queries.SHARE] = f"from 0 to {write_queries.SHARE_AT_MOST:g}"
    meanings = listed("workload", "driver_factors")
    rows = [(f"`{name}`", each, meanings[name]) for name, each in levels.items()]
    only = (
        f"A workload with an sql interface may have `{write_queries.SHARE}`; one with an http interface may have the"
        " others. No other workload has any."
    )
    return ["### Factors of the driver", "", only, "", *_rows(("Factor", "Levels", "Meaning"), rows)]


def _beside_subject() -> list[str]:
    meanings = listed("subject", "templates")
    rows = [(f"`@{name}@`", meanings[name]) for name in sorted(RESERVED)]
    level = ("`@<factor>@`, `@<case field>@`", "The level in force; in [batch] and [driver] also the value of the case")
    needed = (
        "`@<factor>_<field>@`",
        f"For the subject that a factor needs: {_listed(REACHED)} of its [reach], empty if it has none",
    )
    intro = "In argv, in [reach] and in files whose name ends in `.in`:"
    return ["### Templates", "", intro, "", *_rows(("Template", "Becomes"), [*rows, level, needed])]


def _rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table of Markdown, line by line."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _of_counts() -> list[str]:
    own = _listed([name for name in COUNTABLE if name != "cpus"])
    return [
        "A word may replace a number in `cpus`, in factors whose levels are a range, and in the fields of the load",
        f"named {own}. In `cpus` it counts the cores of the machine that are not the",
        "driver's ([more](placement.md#cpus-and-smt)). In another factor it counts the CPUs of the treatment; in the",
        "load, those of the treatment with the most. Equal numbers become one level or one case; the plan notes the",
        "numbers that each word became.",
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
    ends = [f"{word} {schema[bound]:,}" for bound, word in words.items() if bound in schema and schema[bound] < 1e12]
    return f" {' '.join(ends)}" if ends else ""


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
