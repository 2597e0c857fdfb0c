"""Words, headings and sentences, drawn by integers alone."""

from random import Random

from draws import VOWELS, draw, make_words, ranked, zipf_sums

FORUM_VOWELS = VOWELS * 8 + ("é", "ö")
WORDS, SENTENCES = 3000, 20_000
FOLLOWERS, USUAL_FOLLOWER = 3, 82
"""Words that usually follow each word, and how many of 100 words they are: like prose, pairs repeat and compress."""
TITLE_CHARACTERS, LINE_CHARACTERS = 100, 300
ARTICLE_BYTES = (24_000, 28_000)


def late(rng: Random, count: int) -> int:
    """Return a number from 0 to ``count`` - 1, the high ones more often."""
    return max(draw(rng, count), draw(rng, count))


class Text:
    """Words, headings and sentences; messages use a pool of sentences, articles new ones."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._sums = zipf_sums(WORDS)
        self.words = make_words(rng, WORDS, vowels=FORUM_VOWELS)
        self._after = [[ranked(rng, self._sums) for _ in range(FOLLOWERS)] for _ in range(WORDS)]
        self._pool = [self.sentence() for _ in range(SENTENCES)]

    def _some(self, fewest: int, most: int) -> list[str]:
        """Return words, the frequent ones more often; one text in ten has a character that HTML must escape."""
        rng = self._rng
        words, latest = list[str](), ranked(rng, self._sums)
        for _ in range(fewest + draw(rng, most - fewest + 1)):
            words.append(self.words[latest])
            usual = draw(rng, 100) < USUAL_FOLLOWER
            following = self._after[latest][draw(rng, FOLLOWERS)] if usual else ranked(rng, self._sums)
            latest = following if following != latest else (latest + 1) % WORDS
        if draw(rng, 10) == 0:
            place = draw(rng, len(words))
            word = words[place]
            words[place] = (f'"{word}"', f"{word} & co", f"<{word}>", f"{word}'s", f"{word}\\{word}")[draw(rng, 5)]
        return words

    def heading(self) -> str:
        """Return two to five words, the first with a capital."""
        return " ".join(self._some(2, 5)).capitalize()[:TITLE_CHARACTERS].rstrip()

    def sentence(self) -> str:
        """Return a sentence of 6 to 24 words, sometimes with commas."""
        words = self._some(6, 24)
        for place in range(4, len(words) - 2):
            if draw(self._rng, 9) == 0:
                words[place] += ","
        return " ".join(words).capitalize() + "."

    def line(self) -> str:
        """Return a sentence of the pool, cut if it is long."""
        return self._pool[draw(self._rng, SENTENCES)][:LINE_CHARACTERS]

    def lines(self, count: int) -> list[str]:
        """Return sentences of the pool."""
        rng, pool = self._rng, self._pool
        return [pool[int(rng.random() * SENTENCES)] for _ in range(count)]


def article_body(rng: Random, text: Text) -> str:
    """Return headings and paragraphs of prose, as long as an article."""
    least, most = ARTICLE_BYTES
    left, blocks = least + draw(rng, most - least), list[str]()
    while left > 0:
        wanted = [f"= {text.heading()}"]
        for _ in range(2 + draw(rng, 3)):
            wanted.append(" ".join(text.sentence() for _ in range(3 + draw(rng, 4))))
        for block in wanted:
            if left > 0:
                blocks.append(block)
                left -= len(block)
    return "\n".join(blocks)
