"""Write the data set "tiny": thirty pages whose bytes are their paths, and what a store that holds them counts."""

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str]) -> int:
    """Write the files."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    out = parser.parse_known_args(arguments)[0].out
    out.mkdir()
    paths = [f"/page?id={number}" for number in range(30)]
    sums = [f"{path},{len(path)},{hashlib.sha256(path.encode()).hexdigest()}" for path in paths]
    (out / "pages.csv").write_text("\n".join(["path,length_bytes,sha256", *sums, ""]))
    (out / "index.html").write_text("/index.html")
    (out / "counts.tsv").write_text("rows\t30\n")
    (out / "answers").mkdir()
    (out / "answers" / "thread.csv").write_text(f"id,since,messages,checksum\n7,0,2,{'0' * 64}\n")
    (out / "answers" / "whole.csv").write_text(f"checksum\n{'0' * 64}\n")
    return 0
