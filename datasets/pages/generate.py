"""Write the data set "pages": made-up HTML articles of exact lengths, and their answers.

The bytes depend on the scale and the seed only: integers and ``random.random()`` are the same everywhere. No real text
is used: words are built from syllables and drawn by their rank (Zipf's law in integers), so that the pages compress
about as well as prose.

    generate.py --scale 1 --seed 1 --out DIR
"""

import csv
import hashlib
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent))  # headtohead runs this file by its path

import command_line
from draws import draw, make_words, ranked, zipf_sums

ARTICLE_BYTES = 19251
PAGE_BYTES = (
    200, 300, 450, 700, 1000, 1460, 2048, 2900, 4096, 5000, 6500, 8192,
    10000, 12000, 14600, 16384, 20000, 24576, 32768, 36000, 40960, 50000, 65536,
)  # fmt: skip
WORDS = 2000
LARGEST_SCALE = 1000
TITLE_BYTES = 24
"""A title is in a page twice, and the smallest page has 200 bytes."""


class Prose:
    """Endless text: sentences and headings from one random generator."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._words = make_words(rng, WORDS)
        self._sums = zipf_sums(WORDS)

    def word(self) -> str:
        """Return one word, the frequent ones more often."""
        return self._words[ranked(self._rng, self._sums)]

    def heading(self) -> str:
        """Return two to five words, the first with a capital."""
        return " ".join(self.word() for _ in range(2 + draw(self._rng, 4))).capitalize()

    def sentence(self) -> str:
        """Return a sentence of 6 to 24 words, sometimes with commas."""
        words = [self.word() for _ in range(6 + draw(self._rng, 19))]
        for place in range(4, len(words) - 2):
            if draw(self._rng, 9) == 0:
                words[place] += ","
        return " ".join(words).capitalize() + "."

    def paragraphs(self) -> Iterator[str]:
        """Yield lines of HTML without end: headings with paragraphs between them."""
        while True:
            yield f"<h2>{self.heading()}</h2>"
            for _ in range(2 + draw(self._rng, 3)):
                sentences = " ".join(self.sentence() for _ in range(3 + draw(self._rng, 4)))
                yield f"<p>{sentences}</p>"


def page(prose: Prose, *, length_bytes: int) -> bytes:
    """Return an HTML page of exactly ``length_bytes``, ASCII; its last paragraph is cut at the length."""
    title = prose.heading()[:TITLE_BYTES].rstrip()
    head = f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n'
    foot = "</p>\n</body>\n</html>\n"
    body = f"<h1>{title}</h1>\n"
    room = length_bytes - len(head) - len(foot)
    for line in prose.paragraphs():
        if len(body) + len(line) + 1 + len("<p>") > room:
            break
        body += line + "\n"
    body += "<p>"
    while len(body) < room:
        body += prose.sentence() + " "
    whole = head + body[:room] + foot
    if len(whole) != length_bytes:
        raise ValueError(f"a page of {length_bytes} bytes has no room for its own frame of {len(head) + len(foot)}")
    return whole.encode("ascii")


def make_pages(*, scale: float, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of every page: the article, and ``scale`` times 23 pages (at least one)."""
    rng = Random(seed)
    prose = Prose(rng)
    yield "article.html", page(prose, length_bytes=ARTICLE_BYTES)
    for number in range(max(1, round(scale * len(PAGE_BYTES)))):
        yield f"page-{number + 1:02}.html", page(prose, length_bytes=PAGE_BYTES[number % len(PAGE_BYTES)])


def write(out: Path, *, scale: float, seed: int) -> None:
    """Write all pages and ``answers.csv`` (key, length_bytes, sha256) into the folder ``out``."""
    answers = io.StringIO()
    table = csv.writer(answers, lineterminator="\n")
    table.writerow(("key", "length_bytes", "sha256"))
    for name, content in make_pages(scale=scale, seed=seed):
        (out / name).write_bytes(content)
        table.writerow((name, len(content), hashlib.sha256(content).hexdigest()))
    (out / "answers.csv").write_bytes(answers.getvalue().encode("ascii"))


def main(arguments: Sequence[str]) -> int:
    """Read the arguments, write the data set; exit with 2 if the arguments are wrong."""
    return command_line.run(
        arguments,
        data_set="pages",
        scale_1="the article and a set of 23 pages",
        largest_scale=LARGEST_SCALE,
        write=write,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
