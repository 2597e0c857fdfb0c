"""Write the data set "weblog": the log of a web server, a table of its files, and the right answers.

The bytes depend on the scale and the seed only: integers and ``random.random()`` are the same everywhere. No real log
is used: names are built from syllables, addresses are of a private network, host names are in the domains reserved for
examples. A few files are requested most (Zipf's law), and visitors come by day.
docs/reference/interfaces/sql-weblog-v1.md describes the files.

    generate.py --scale 1 --seed 1 --out DIR
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent))  # headtohead runs this file by its path

import command_line
from accesslog.answers import answers, write_answers
from accesslog.hits import Hits
from accesslog.site import Site
from accesslog.tables import Log, write_files
from accesslog.visitors import Visitors

ROWS, FILES = 3_700_000, 17_000
FEWEST_FILES = 300
LARGEST_SCALE = 100
BYTES_AT_SCALE_1 = 402_000_000
"""The size of the files: headtohead checks for that much disk space, times the scale."""
HITS, FEWEST_HITS, ROWS_A_HIT = 262_144, 4_096, 8
"""Requests and their responses, drawn before the log is written; each makes that many rows on average, or more."""
ROWS_A_CLIENT, FEWEST_CLIENTS = 60, 200


def write(out: Path, *, scale: float, seed: int) -> None:
    """Write everything."""
    rng, rows = Random(seed), round(ROWS * scale)
    site = Site(rng, count=max(FEWEST_FILES, round(FILES * scale)))
    visitors = Visitors(rng, count=max(FEWEST_CLIENTS, rows // ROWS_A_CLIENT))
    hits = Hits(rng, site, count=min(HITS, max(FEWEST_HITS, rows // ROWS_A_HIT))).all
    log = Log(rng, hits, visitors)
    tables = (write_files(out, site.files), log.write(out, rows=rows))
    (out / "counts.tsv").write_text("".join(table.line() for table in tables))
    lines = (f"{each.name},{each.rows},{each.length_bytes},{each.sha256}\n" for each in tables)
    (out / "answers.csv").write_text("key,rows,length_bytes,sha256\n" + "".join(lines))
    write_answers(out, answers(hits, log.used))


def main(arguments: Sequence[str]) -> int:
    """Read the arguments, write the data set; exit with 2 if the arguments are wrong."""
    return command_line.run(
        arguments,
        data_set="weblog",
        scale_1="3,700,000 rows, 400 MB of log",
        largest_scale=LARGEST_SCALE,
        write=write,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
