"""Write the data set "pages": self-made HTML articles of exact lengths, and their answers.

The bytes depend on the scale and the seed alone: only integers and ``random.random()`` are used, both of which are
the same everywhere. Nothing here is taken from a real text: words are built from syllables, and each word is chosen
by its rank (Zipf's law in integers), so that the pages compress about as prose does.

    generate.py --scale 1 --seed 1 --out DIR
"""

import argparse
import csv
import hashlib
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

ARTICLE_BYTES = 19251
PAGE_BYTES = (
    200, 300, 450, 700, 1000, 1460, 2048, 2900, 4096, 5000, 6500, 8192,
    10000, 12000, 14600, 16384, 20000, 24576, 32768, 36000, 40960, 50000, 65536,
)  # fmt: skip
ONSETS = ("b", "br", "c", "ch", "d", "f", "g", "h", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v", "w")
VOWELS = ("a", "e", "i", "o", "u", "ea", "ou")
ENDS = ("", "", "", "l", "n", "r", "s", "t", "nd", "st")
WORDS = 2000
LARGEST_SCALE = 1000
TITLE_BYTES = 24
"""A title stands in a page twice, and the smallest page has 200 bytes."""


def draw(rng: Random, count: int) -> int:
    """Return a number from 0 to ``count`` - 1, each as likely; made from ``random()`` alone."""
    return int(rng.random() * count)


def make_words(rng: Random) -> list[str]:
    """Return ``WORDS`` different words of one to four syllables, the short ones first, as frequent words are short."""
    words: dict[str, None] = {}
    while len(words) < WORDS:
        longest = 1 + min(3, len(words) // 150)
        syllables = 1 + draw(rng, longest)
        word = "".join(
            ONSETS[draw(rng, len(ONSETS))] + VOWELS[draw(rng, len(VOWELS))] + ENDS[draw(rng, len(ENDS))]
            for _ in range(syllables)
        )
        words[word] = None
    return list(words)


def cumulative_weights() -> list[int]:
    """Return the running sums of Zipf's weights, 1 / rank in integers."""
    sums, total = [], 0
    for rank in range(1, WORDS + 1):
        total += 10_000_000 // rank
        sums.append(total)
    return sums


class Prose:
    """An endless text: sentences and headings from one generator."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._words = make_words(rng)
        self._sums = cumulative_weights()

    def word(self) -> str:
        """Return one word, the frequent ones more often."""
        wanted = draw(self._rng, self._sums[-1])
        low, high = 0, WORDS - 1
        while low < high:
            middle = (low + high) // 2
            if self._sums[middle] > wanted:
                high = middle
            else:
                low = middle + 1
        return self._words[low]

    def heading(self) -> str:
        """Return two to five words, the first with a capital."""
        return " ".join(self.word() for _ in range(2 + draw(self._rng, 4))).capitalize()

    def sentence(self) -> str:
        """Return a sentence of 6 to 24 words, now and then with a comma."""
        words = [self.word() for _ in range(6 + draw(self._rng, 19))]
        for place in range(4, len(words) - 2):
            if draw(self._rng, 9) == 0:
                words[place] += ","
        return " ".join(words).capitalize() + "."

    def paragraphs(self) -> Iterator[str]:
        """Yield lines of HTML without end: a heading now and then, paragraphs between."""
        while True:
            yield f"<h2>{self.heading()}</h2>"
            for _ in range(2 + draw(self._rng, 3)):
                sentences = " ".join(self.sentence() for _ in range(3 + draw(self._rng, 4)))
                yield f"<p>{sentences}</p>"


def page(prose: Prose, *, length_bytes: int) -> bytes:
    """Return an HTML page of exactly ``length_bytes``, ASCII; its last paragraph is cut where the length is reached."""
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
    """Yield (name, bytes) of every page: the article, and ``scale`` times 23 pages (at least one) beside it."""
    rng = Random(seed)
    prose = Prose(rng)
    yield "article.html", page(prose, length_bytes=ARTICLE_BYTES)
    for number in range(max(1, round(scale * len(PAGE_BYTES)))):
        yield f"page-{number + 1:02}.html", page(prose, length_bytes=PAGE_BYTES[number % len(PAGE_BYTES)])


def write(out: Path, *, scale: float, seed: int) -> None:
    """Write all pages and ``answers.csv`` (key, length_bytes, sha256) into ``out``, which must be empty or missing."""
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise FileExistsError(f"{out} is not empty")
    answers = io.StringIO()
    table = csv.writer(answers, lineterminator="\n")
    table.writerow(("key", "length_bytes", "sha256"))
    for name, content in make_pages(scale=scale, seed=seed):
        (out / name).write_bytes(content)
        table.writerow((name, len(content), hashlib.sha256(content).hexdigest()))
    (out / "answers.csv").write_bytes(answers.getvalue().encode("ascii"))


def main(arguments: Sequence[str]) -> int:
    """Read the arguments, write the data set; 2 where the words are wrong."""
    parser = argparse.ArgumentParser(description="Write the data set 'pages'.")
    parser.add_argument("--scale", type=float, default=1.0, help="sets of 23 pages beside the article (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="what the words are drawn from (default 1)")
    parser.add_argument("--out", type=Path, required=True, help="an empty or missing directory")
    words = parser.parse_args(arguments)
    if not 0 < words.scale <= LARGEST_SCALE:
        parser.error(f"--scale is above 0 and at most {LARGEST_SCALE}")
    try:
        write(words.out, scale=words.scale, seed=words.seed)
    except FileExistsError as error:
        parser.error(f"{error}: pages are only written where nothing is overwritten")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
