"""Random draws from a seed, as in h2h-load: equal seeds draw equal requests in both."""

from collections.abc import Sequence

_64_BITS = (1 << 64) - 1
_32_BITS = (1 << 32) - 1


class Chance:
    """SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _64_BITS

    def bits(self) -> int:
        """Return the next 64 random bits.

        >>> Chance(1234567).bits()
        6457827717110365317
        """
        self._state = (self._state + 0x9E37_79B9_7F4A_7C15) & _64_BITS
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9) & _64_BITS
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB) & _64_BITS
        return mixed ^ (mixed >> 31)

    def share(self) -> float:
        """Return a number from 0 (included) to 1 (excluded)."""
        return float(self.bits() >> 32) / (1 << 32)

    def below_with_rest(self, count: int) -> tuple[int, float]:
        """Return a whole number from 0 to ``count`` (excluded), and a share from the same bits."""
        wide = self.bits() * count
        return wide >> 64, float((wide >> 32) & _32_BITS) / (1 << 32)


def stream(seed: int, number: int) -> Chance:
    """Return stream ``number`` of a seed: practically independent of every other."""
    distance = (number * 0xD1B5_4A32_D192_ED03) & _64_BITS
    return Chance(Chance(Chance(seed).bits() ^ distance).bits())


class Zipf:
    """The law of Zipf by Walker's table, built as by Vose: number k (from 0) has the weight 1 / (k + 1)^exponent."""

    def __init__(self, count: int, exponent: float) -> None:
        weights = [float(rank) ** -exponent for rank in range(1, count + 1)]
        total = sum(weights)
        self._own = [weight / total * count for weight in weights]
        self._other = list(range(count))
        small = [column for column, own in enumerate(self._own) if own < 1]
        large = [column for column, own in enumerate(self._own) if own >= 1]
        while small and large:
            under, over = small.pop(), large[-1]
            self._other[under] = over
            self._own[over] -= 1 - self._own[under]
            if self._own[over] < 1:
                small.append(large.pop())
        for column in (*small, *large):
            self._own[column] = 1.0

    def draw(self, chance: Chance) -> int:
        """Return a number by its weight."""
        column, share = chance.below_with_rest(len(self._own))
        return column if share < self._own[column] else self._other[column]


class Weights:
    """How often each of several kinds is drawn; a single kind uses no random number."""

    def __init__(self, weights: Sequence[float]) -> None:
        total = sum(weights)
        self._up_to = [sum(weights[: number + 1]) / total for number in range(len(weights))]
        self._up_to[-1] = 2.0  # rounding must not leave a draw without a kind

    def draw(self, chance: Chance) -> int:
        """Return the number of a kind."""
        if len(self._up_to) == 1:
            return 0
        share = chance.share()
        return next(number for number, up_to in enumerate(self._up_to) if up_to > share)
