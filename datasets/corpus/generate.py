"""Write the data set "corpus": what ten everyday programs work on, and what is right for them to print.

The bytes depend on the scale and the seed alone: only integers and ``random.random()`` are used, both of which are
the same everywhere. Nothing here is taken from a real text, log, program, film or database: all is drawn.
docs/reference/interfaces/batch-programs-v1.md says what the files hold.

    generate.py --scale 1 --seed 1 --out DIR
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent))  # the harness runs this file by its path

from writing.film import film
from writing.log import in_order, log, sums, visits
from writing.orders import shop
from writing.source import source
from writing.text import frequencies, text

TEXT_LINES, LOG_LINES, FUNCTIONS, FRAMES, SALES = 48_000, 240_000, 60, 96, 60_000
FEWEST_FRAMES = 4
LARGEST_SCALE = 20
BYTES_AT_SCALE_1 = 30_000_000
"""What the files take: the harness asks for that much room, times the scale."""


def contents(*, scale: float, seed: int) -> Iterator[tuple[str, bytes, bool]]:
    """Yield name, bytes, and whether it is a file (or only an answer) of everything; each has draws of its own."""

    def count(at_scale_1: int, *, least: int = 10) -> int:
        return max(least, round(at_scale_1 * scale))

    prose = text(Random(5 * seed), lines=count(TEXT_LINES))
    yield "text.txt", prose.encode(), True
    yield "perl", frequencies(prose).encode(), False
    lines = log(Random(5 * seed + 1), lines=count(LOG_LINES))
    yield "log.txt", "".join(f"{each.text()}\n" for each in lines).encode(), True
    yield "sort", in_order(lines).encode(), False
    yield "gawk", sums(lines).encode(), False
    yield "python3", visits(lines).encode(), False
    program, printed = source(Random(5 * seed + 2), functions=count(FUNCTIONS))
    yield "program.c", program.encode(), True
    yield "gcc", printed.encode(), False
    yield "film.yuv", film(Random(5 * seed + 3), frames=count(FRAMES, least=FEWEST_FRAMES)), True
    its = shop(Random(5 * seed + 4), sales=count(SALES))
    yield "sales.sql", its.script().encode(), True
    yield "sqlite3", its.answers().encode(), False


def write(out: Path, *, scale: float, seed: int) -> None:
    """Write all files, and ``answers.csv``: length and checksum of each file and of what each program has to print."""
    answers = ["key,length_bytes,sha256\n"]
    for name, content, is_file in contents(scale=scale, seed=seed):
        if is_file:
            (out / name).write_bytes(content)
        answers.append(f"{name},{len(content)},{hashlib.sha256(content).hexdigest()}\n")
    (out / "answers.csv").write_text("".join(answers))


def main(arguments: Sequence[str]) -> int:
    """Read the arguments, write the data set; 2 where the words are wrong."""
    parser = argparse.ArgumentParser(description="Write the data set 'corpus'.")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is 29 MB (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="what everything is drawn from (default 1)")
    parser.add_argument("--out", type=Path, required=True, help="an empty or missing directory")
    words = parser.parse_args(arguments)
    if not 0 < words.scale <= LARGEST_SCALE:
        parser.error(f"--scale is above 0 and at most {LARGEST_SCALE}")
    words.out.mkdir(parents=True, exist_ok=True)
    if any(words.out.iterdir()):
        parser.error(f"{words.out} is not empty: a data set is only written where nothing is overwritten")
    write(words.out, scale=words.scale, seed=words.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
