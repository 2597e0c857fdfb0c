"""The files of a race: the subjects, the workload and the study that it becomes."""

import hashlib
import json
from collections.abc import Mapping
from os.path import relpath
from pathlib import Path

from headtohead.describe.race.race import WORKLOAD, BatchSteps, Race, Racer, RaceRequest
from headtohead.describe.toml.written import table_text
from headtohead.describe.workload.own_files import COMPARED_WHOLE_BYTES, SAMPLE
from headtohead.model.study.study import HTTP_VERSION

STUDY = f"{WORKLOAD}.toml"
CA = "ca.pem"
READY_WITHIN_S = 20
STOP_WITHIN_S = 5
OK = 200
MOST_LETTERS = 200
ITSELF = "Does a difference show where there is none?"
MANY_REQUESTS: Mapping[str, float] = {"response_time_p99_ns": 11_000, "response_time_p90_ns": 1_100}
"""The requests in a run from which a quantile may be the primary: a hundred take longer, for any arrivals."""


def files_of(race: Race, *, at: Path | None = None) -> Mapping[str, bytes]:
    """Return every file of a race by its path: ``subjects/<name>/subject.toml`` and so on, and ``race.toml``.

    ``at`` is the folder where they will be kept: working directories are then relative to it.
    """
    files = {f"subjects/{each.name}/subject.toml": _subject(each, race, at=at).encode() for each in race.setups}
    if race.ca is not None:
        files |= {f"subjects/{each.name}/{CA}": race.ca for each in race.setups}
    folder = f"workloads/{WORKLOAD}"
    files[f"{folder}/workload.toml"] = _workload(race).encode()
    for number, request in enumerate(race.requests, 1):
        if request.body is not None:
            files[f"{folder}/{_body(number)}"] = request.body
        if request.sends is not None:
            files[f"{folder}/{_sends(number)}"] = request.sends
    files[STUDY] = _study(race, seed=seed_of(files)).encode()
    return files


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files into a folder; raises FileExistsError rather than replace one."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)


def _subject(racer: Racer, race: Race, *, at: Path | None) -> str:
    directory = str(racer.directory) if at is None else relpath(racer.directory, at / "subjects" / racer.name)
    top = table_text(
        "",
        {
            "format": 1,
            "name": racer.name,
            "title": racer.title or racer.name,
            "serves": [race.interface],
        },
    )
    if race.kind == "batch":
        argv = [*_repeat(race.steps, racer.values), "--", *racer.argv]
        return f"{top}\n{table_text('[batch]', {'argv': argv, 'directory': directory})}"
    ready = {"http": "@url@@path@", **({"any_status": True} if race.ready_by_any_status else {})}
    waits = {"ready": ready, "within_s": READY_WITHIN_S}
    if race.kind == "url":
        tables = (("[start]", {"attach": racer.attach, **waits}), ("[reach]", _reached(racer.url, CA, race)))
        return "\n".join([top, *(table_text(header, rows) for header, rows in tables)])
    start = {"argv": list(racer.argv), "directory": directory, **waits}
    reach = _reached("https://localhost:@port@" if race.over_tls else "http://127.0.0.1:@port@", f"@source@/{CA}", race)
    stop = {"signal": "TERM", "within_s": STOP_WITHIN_S}
    started = (("[start]", start), ("[reach]", reach), ("[stop]", stop))
    return "\n".join([top, *(table_text(header, rows) for header, rows in started)])


def _reached(url: str, ca: str, race: Race) -> Mapping[str, object]:
    return {"tls_url": url, "ca": None if race.ca is None else ca} if race.over_tls else {"url": url}


def _repeat(steps: BatchSteps, values: Mapping[str, str]) -> list[str]:
    """Return the program that repeats a batch program, with its options; the steps have the program's parameters."""
    named = {"--setup": steps.setup, "--prepare": steps.prepare, "--cleanup": steps.cleanup}
    words = [word for name, argv in named.items() if argv for word in (name, json.dumps(argv))]
    words += ["--expect", steps.expect] if steps.expect is not None else []
    words += ["--compare"] if steps.compares else []
    return ["h2h-load", "repeat", "--duration", "@seconds@s", *(filled(each, values) for each in words)]


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with each ``@name@`` replaced by its value.

    >>> filled("sort --parallel=@threads@", {"threads": "4"})
    'sort --parallel=4'
    """
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def _workload(race: Race) -> str:
    title = (
        "Runs of a program"
        if race.kind == "batch"
        else ", ".join(f"{each.method} {each.path}" for each in race.requests)
    )
    top = table_text(
        "",
        {
            "format": 1,
            "version": 1,
            "name": WORKLOAD,
            "title": title[:MOST_LETTERS],
            "asks": race.interface,
        },
    )
    parts = [top]
    if race.http != "1.1":
        parts.append(table_text(f"[factors.{HTTP_VERSION}]", {"levels": ["1.1", race.http], "default": race.http}))
    parts.append(table_text("[load]", _load(race)))
    if race.kind == "batch":
        parts.append(table_text("[expect]", {"answer": race.steps.answer}))
    for number, request in enumerate(race.requests, 1):
        parts.append(table_text("[[request]]", _request(number, request)))
    parts.append(table_text("[summary]", _summary(race)))
    return "\n".join(parts)


def _load(race: Race) -> Mapping[str, object]:
    load = race.load
    if race.kind == "batch":
        return {"seconds": load.measure_s}
    times = {"warm_up_s": load.warm_up_s, "measure_s": load.measure_s, "timeout_s": 5}
    if race.searches:
        return {"loop": "open", "rate_per_s": "search", "objective": dict(load.objective), **times}
    if load.rate_per_s is not None:
        return {"loop": "open", "rate_per_s": load.rate_per_s, **times}
    return {"loop": "closed", "connections": list(load.connections), **times}


def _request(number: int, request: RaceRequest) -> Mapping[str, object]:
    expect: dict[str, object] = {"status": request.status or OK}
    if request.length_bytes is not None:
        expect["length_bytes"] = request.length_bytes
    if request.body is not None:
        whole = len(request.body) <= COMPARED_WHOLE_BYTES
        expect |= {"body": _body(number), "sample": 1 if whole else SAMPLE}
    return {
        "name": f"request-{number}",
        "weight": 1,
        "method": None if request.method == "GET" else request.method,
        "path": request.path,
        "headers": dict(request.headers) or None,
        "sends": None if request.sends is None else _sends(number),
        "expect": expect,
    }


def _summary(race: Race) -> Mapping[str, object]:
    """Return how the cases of a run become one number: a rate for users, a response time at a given rate."""
    load = race.load
    if race.kind == "batch":
        return {"time_per_run": {"of": "run_time_mean_ns", "by": "geometric-mean"}}
    if race.searches:
        return {"capacity": {"of": "capacity_per_s", "by": "geometric-mean"}}
    if load.rate_per_s is None:
        return {"correct_per_s": {"of": "goodput_per_s", "by": "geometric-mean"}}
    sent = load.rate_per_s * load.measure_s
    enough = (name for name, count in MANY_REQUESTS.items() if sent >= count)
    return {"response_time": {"of": next(enough, "response_time_p50_ns"), "by": "geometric-mean"}}


def _study(race: Race, *, seed: int) -> str:
    titles = [each.title or each.name for each in race.racers]
    better = "takes less time" if race.kind == "batch" else "is faster"
    top = {"format": 1, "title": " against ".join(titles)[:MOST_LETTERS], "seed": seed, "within_min": race.within_min}
    experiment = {
        "name": WORKLOAD,
        "question": (ITSELF if len(race.setups) == 1 else f"Which {better}: {' or '.join(titles)}?")[:MOST_LETTERS],
        "workload": WORKLOAD,
        "matters": race.matters,
        "looks": race.looks and list(race.looks),
    }
    levels = [_level(each, race) for each in race.racers]
    factors: dict[str, object] = {"subject": levels, "cpus": None if race.kind == "url" else [race.cpus]}
    if race.http != "1.1":
        factors[HTTP_VERSION] = [race.http]
    return "\n".join(
        (table_text("", top), table_text("[[experiment]]", experiment), table_text("[experiment.factors]", factors))
    )


def _level(racer: Racer, race: Race) -> object:
    """Return a racer as a level of the factor subject: one setup twice is one subject with two labels."""
    subject = race.subject_of(racer)
    return subject if subject == racer.name else {"name": subject, "label": racer.name}


def seed_of(files: Mapping[str, bytes]) -> int:
    """Return a seed that depends on what races alone, so that the same command resumes an interrupted race."""
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        whole.update(f"{name}\n{len(content)}\n".encode() + content)
    return int.from_bytes(whole.digest()[:6])


def _body(number: int) -> str:
    return f"response-{number}"


def _sends(number: int) -> str:
    return f"request-{number}"
