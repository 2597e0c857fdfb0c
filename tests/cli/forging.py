"""What somebody may do to a results folder: with the sums left as they are, or with all sums taken anew."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

Forge = Callable[[Path], object]
LAST = 31
"""The last run of the folder: 18 of the first experiment and one again, 12 of the second."""


def flip(name: str, *, at: float = 0.5) -> Forge:
    """Turn over one bit of a file."""

    def forge(root: Path) -> None:
        content = bytearray((root / name).read_bytes())
        content[int(at * (len(content) - 1))] ^= 1
        (root / name).write_bytes(content)

    return forge


def put(name: str, edit: Callable[[Any], object]) -> Forge:
    """Change what a JSON file holds; of records.jsonl every line."""

    def forge(root: Path) -> None:
        path = root / name
        documents = [json.loads(text) for text in _texts(path)]
        for document in documents:
            edit(document)
        path.write_text("".join(f"{json.dumps(each)}\n" for each in documents))

    return forge


def _texts(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]


def every_nginx(edit: Callable[[Any], object]) -> Forge:
    """Change the records of every run of one arm."""

    def forge(root: Path) -> None:
        for path in root.glob("runs/*/run.json"):
            if json.loads(path.read_text())["label"] == "nginx":
                put(f"runs/{path.parent.name}/records.jsonl", edit)(root)

    return forge


def drop(*names: str) -> Forge:
    def forge(root: Path) -> None:
        for name in names:
            shutil.rmtree(root / name) if (root / name).is_dir() else (root / name).unlink()

    return forge


def copy(name: str, to: str, **identity: object) -> Forge:
    """Copy a run, and give the copy another identity."""

    def forge(root: Path) -> None:
        shutil.rmtree(root / to, ignore_errors=True)
        shutil.copytree(root / name, root / to)
        put(f"{to}/run.json", lambda run: run.update({"run": int(to[-4:]), **identity}))(root)

    return forge


def swap(one: str, other: str) -> Forge:
    def forge(root: Path) -> None:
        (root / one).rename(root / "aside")
        (root / other).rename(root / one)
        (root / "aside").rename(root / other)

    return forge


def times(factor: float, *names: str) -> Callable[[Any], object]:
    return lambda record: record.update({name: factor * record[name] for name in names if name in record})


def experiment(edit: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda plan: edit(plan["experiments"][0])


def looser(planned: Any) -> None:  # noqa: ANN401
    for each in planned["comparisons"]:
        each["alpha"] = [0.05 for _ in each["alpha"]]


def reordered(planned: Any) -> None:  # noqa: ANN401
    planned["runs"].reverse()


def last_blocks(root: Path) -> None:
    """Take away the last block of an experiment, and say that time was over."""
    for path in list(root.glob("runs/*/run.json")):
        if json.loads(path.read_text())["block"] == 6:
            shutil.rmtree(path.parent)
    put("end.json", lambda end: end["stopped"].update({"static-page": "out-of-time"}))(root)


def struck(root: Path) -> None:
    """Strike a good run after the fact."""
    (root / "excluded.json").write_text('{"format": 1, "excluded": {"3": "data-changed: so I say"}}')


def blocks_renumbered(root: Path) -> None:
    for path in root.glob("runs/*/run.json"):
        run = json.loads(path.read_text())
        if run["experiment"] == "static-page" and run["block"] in (2, 5):
            put(f"runs/{path.parent.name}/run.json", lambda told: told.update(block=7 - told["block"]))(root)


def bad_made_good(root: Path) -> None:
    """Let a run count that was made again because it was bad."""
    for path in root.glob("runs/*/run.json"):
        if json.loads(path.read_text())["status"] == "invalid":
            put(f"runs/{path.parent.name}/run.json", lambda run: run.update(status="valid", reasons=[]))(root)


def unsealed_run(root: Path) -> None:
    """Take a run out of the folder and out of the seal's list."""
    drop("runs/0004")(root)
    put("seal.json", lambda seal: seal["runs"].pop("0004"))(root)


CARELESS: dict[str, Forge] = {
    "a bit of records.jsonl": flip("runs/0003/records.jsonl"),
    "a digit of a rate": put("runs/0003/records.jsonl", times(1.0001, "goodput_per_s")),
    "a rate doubled": put("runs/0003/records.jsonl", times(2, "goodput_per_s")),
    "an arm 25 % faster": every_nginx(times(1.25, "goodput_per_s")),
    "a bit of readings.csv": flip("runs/0003/readings.csv"),
    "a bit of configuration.tsv": flip("runs/0003/configuration.tsv"),
    "a bit of times.hlog": flip("runs/0003/times.hlog"),
    "a bit of a log": flip("runs/0003/logs/subject.err"),
    "a bit of an image": flip("runs/0003/images/frame.png"),
    "a bit of run.json": flip("runs/0003/run.json", at=0.3),
    "a bit of study.toml": flip("study.toml", at=0.1),
    "a bit of plan.json": flip("plan.json", at=0.01),
    "a bit of hosts.json": flip("hosts.json"),
    "a bit of noise.json": flip("noise.json"),
    "a bit of end.json": flip("end.json"),
    "a bit of the seal": flip("seal.json", at=0.999),
    "the seal gone": drop("seal.json"),
    "a file of a run gone": drop("runs/0003/readings.csv"),
    "a file added to a run": lambda root: (root / "runs/0003/more.txt").write_text("more"),
    "a run gone": drop("runs/0004"),
    "the last run gone": drop(f"runs/{LAST:04d}"),
    "a run gone, also from the seal": unsealed_run,
    "the last block gone": last_blocks,
    "a run added": copy("runs/0003", f"runs/{LAST + 1:04d}", block=7),
    "the best run over another": copy("runs/0003", "runs/0009"),
    "two runs swapped": swap("runs/0003", "runs/0009"),
    "blocks renumbered": blocks_renumbered,
    "a good run struck in run.json": put("runs/0003/run.json", lambda run: run.update(status="invalid", reasons=["x"])),
    "a good run struck later": struck,
    "5 % of error at each look": put("plan.json", experiment(looser)),
    "a margin of 1.15": put("plan.json", experiment(lambda planned: planned.update(matters=1.15))),
    "another ending": put("end.json", lambda end: end["stopped"].update({"static-page": "out-of-time"})),
    "a start of another day": put("runs/0003/run.json", lambda run: run.update(started_at="2026-11-21T10:00:00Z")),
}
"""What somebody does who leaves the sums as they are."""

RATES = ("goodput_per_s", "response_rate_per_s")
CAREFUL: dict[str, Forge] = {
    "an arm 25 % faster": every_nginx(times(1.25, *RATES)),
    "more right answers than requests": put("runs/0003/records.jsonl", times(2, "right", *RATES)),
    "a time below zero": put("runs/0003/records.jsonl", times(-1, "response_time_p99_ns")),
    "quantiles out of order": put("runs/0003/records.jsonl", times(0.01, "response_time_p999_ns")),
    "measured before the run": put("runs/0003/records.jsonl", lambda one: one.update(from_ns=-9, elapsed_ns=1)),
    "measured after the run": put("runs/0003/records.jsonl", times(1000, "from_ns", "to_ns", "elapsed_ns")),
    "half the time": put("runs/0003/records.jsonl", times(0.5, "elapsed_ns")),
    "a run gone": drop("runs/0004"),
    "the best run once more": copy("runs/0003", f"runs/{LAST + 1:04d}"),
    "the best run over another": copy("runs/0003", "runs/0009", block=3),
    "a second attempt at a good run": copy("runs/0003", f"runs/{LAST + 1:04d}", attempt=2),
    "a third attempt": put("runs/0007/run.json", lambda run: run.update(attempt=3)),
    "blocks renumbered": blocks_renumbered,
    "a good run struck": put(
        "runs/0003/run.json", lambda run: run.update(status="invalid", reasons=["foreign-cpu: 0.4 CPU of others"])
    ),
    "a bad run made good": bad_made_good,
    "5 % of error at each look": put("plan.json", experiment(looser)),
    "a margin of 1.15": put("plan.json", experiment(lambda planned: planned.update(matters=1.15))),
    "looks at other blocks": put("plan.json", experiment(lambda planned: planned.update(looks=[3, 6]))),
    "another seed": put("plan.json", lambda plan: plan.update(seed=1)),
    "another order": put("plan.json", experiment(reordered)),
    "another study": lambda root: (root / "study.toml").write_text("format = 1\n"),
    "a start of another day": put("runs/0003/run.json", lambda run: run.update(started_at="2026-11-21T10:00:00Z")),
    "a start of no day": put("runs/0003/run.json", lambda run: run.update(started_at="yesterday")),
    "a run of less than no time": put("runs/0003/run.json", lambda run: run["phases"][0].update(to_ns=-5)),
}
"""What somebody does who takes all sums anew: what then gives it away is that the files contradict each other."""
