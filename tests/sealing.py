"""What somebody does who changes a results folder and knows how it is sealed: take all sums anew."""

import json
from pathlib import Path

from headtohead.store.proof import seal

LISTED = (*seal.FIRST, *seal.LATER, "measurements.csv")


def seal_again(root: Path) -> None:
    """Write the sums of every run into its run.json, the chain over the runs, and the seal of a results folder."""
    files = {name: seal.sum_of((root / name).read_bytes()) for name in LISTED if (root / name).is_file()}
    runs: dict[str, str] = {}
    link = seal.first_link(files)
    for path in sorted((root / "runs").glob("*/run.json"), key=lambda each: int(each.parent.name)):
        _list_files(path, follows=link)
        name = path.parent.name
        runs[name] = seal.sum_of(path.read_bytes())
        link = seal.next_link(link, run=name, its_sum=runs[name])
    (root / "seal.json").write_text(json.dumps({"format": 1, "files": files, "runs": runs, "head": link}))


def _list_files(path: Path, *, follows: str) -> None:
    """Put the sums of a run's files into its run.json, if that is still a table."""
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return
    if isinstance(document, dict):
        others = (each for each in sorted(path.parent.rglob("*")) if each.is_file() and each != path)
        document["files"] = {str(each.relative_to(path.parent)): seal.sum_of(each.read_bytes()) for each in others}
        document["follows"] = follows
        path.write_text(json.dumps(document))
