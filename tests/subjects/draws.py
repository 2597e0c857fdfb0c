"""The random looking data of the kernels (`draws.h`), in whole numbers."""

from collections.abc import Iterator

FIRST_STATE = 88172645463325252
_MASK = 2**64 - 1


def states(state: int = FIRST_STATE) -> Iterator[int]:
    """Yield the states of Marsaglia's xorshift64 after the one that is given."""
    while True:
        state ^= state << 13 & _MASK
        state ^= state >> 7
        state ^= state << 17 & _MASK
        yield state


def draws(count: int) -> list[float]:
    """Return the first numbers from 0 to below 1."""
    return [(state >> 11) * 2.0**-53 for state, _ in zip(states(), range(count), strict=False)]
